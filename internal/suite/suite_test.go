package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/schemas"
)

const full = `# yaml-language-server: $schema=../schemas/suite.schema.json
$schema: ../schemas/suite.schema.json
version: 1
id: support/refund
description: Refund answers follow the policy
strategy: classification
prompt: ../prompts/refund.md
target: echo
trials: 3
weight: 2
min_score: 0.85
defaults:
  severity: high
  vars: { amount: 5, currency: EUR }
  labels: [Compliant, Non-Compliant]
  tags: [smoke]
cases:
  - id: over-limit
    vars: { amount: "900.50" }
    expected_response: /refund/
    expected_format: { type: json, schema: refund.schema.json, strict: true }
    expected_label: Compliant
    assert: ["response.length > 0", "response.text contains vars.currency"]
    policies: [no-secrets, no-promises]
    category: limits
    severity: critical
    must_pass: true
    case_threshold: 0.7
    tags: [slow, smoke]
  - id: refused
    expected_classification: refusal
  - id: plain
    expected_classification: pass
`

func fullTree() map[string]string {
	return map[string]string{
		"suites/support/r.yaml":             full,
		"suites/prompts/refund.md":          "Refund {{ amount }} {{currency}}?\r\nPlease.\r\n",
		"suites/support/refund.schema.json": `{"type": "object", "properties": {"a": {"minimum": -1}}}`,
	}
}

func TestASuiteIsReadInFull(t *testing.T) {
	suites, ds := loaded(fullTree())
	check(t, ds, nil)
	got := suites[0]
	want := &Suite{
		ID: "support/refund", Path: "suites/support/r.yaml", Pos: document.Position{Line: 4, Column: 5},
		Description: "Refund answers follow the policy", Plan: score.Plan{Strategy: "classification", AccuracyMethod: "label"}, Target: "echo", Trials: 3, Weight: 2,
		MinScore: ref(0.85), Files: []SentFile{{"suites/prompts/refund.md", KindPrompt, hash("Refund {{ amount }} {{currency}}?\nPlease.\n")}},
	}
	head := *got
	if head.Cases = nil; len(head.PromptKey) != 64 {
		t.Errorf("prompt key %q, want a SHA-256", head.PromptKey)
	}
	head.PromptKey = ""
	if diff := cmp.Diff(want, &head, cmpopts.IgnoreUnexported(Suite{})); diff != "" {
		t.Errorf("suite (-want +got):\n%s", diff)
	}
	if len(got.Cases) != 3 {
		t.Fatalf("%d cases, want 3", len(got.Cases))
	}
	if got, want := got.Cases[0].Prompt, (model.Request{
		SuiteID: "support/refund", CaseID: "over-limit", Provider: "echo",
		Messages: []model.Message{{Role: "user", Content: "Refund 900.50 EUR?\nPlease.\n"}},
	}); !cmp.Equal(want, got) {
		t.Errorf("request (-want +got):\n%s", cmp.Diff(want, got))
	}
	testFullCases(t, got.Cases)
}

func testFullCases(t *testing.T, cases []*Case) {
	t.Helper()
	for i, want := range []string{
		"over-limit 18:5 map[amount:900.50 currency:EUR] Compliant of Compliant, Non-Compliant  [no-promises no-secrets] 0.7 critical limits true [smoke slow] 1 true 2",
		"refused 30:5 map[amount:5 currency:EUR] no label refusal [] <nil> high  false [smoke] 0 false 0",
		"plain 32:5 map[amount:5 currency:EUR] no label  [] <nil> high  false [smoke] 0 false 0",
	} {
		c := cases[i]
		threshold := "<nil>"
		if c.CaseThreshold != nil {
			threshold = fmt.Sprint(*c.CaseThreshold)
		}
		got := fmt.Sprint(c.ID, " ", c.Pos.Line, ":", c.Pos.Column, " ", c.Vars, " ", labelOf(*c), " ", c.ExpectedCategory, " ",
			policyNames(c.Policies), " ", threshold, " ", c.Severity, " ", c.Category, " ", c.MustPass, " ", c.Tags, " ",
			len(c.Expect.Criteria), " ", c.Expect.Format != nil, " ", len(c.Expect.Assertions))
		if got != want {
			t.Errorf("case %d:\n\t%s\nwant:\n\t%s", i, got, want)
		}
		if len(c.Keys().RequestKey) != 32 || c.Keys().RequestKey.String() != c.Prompt.Key() || len(c.Keys().ExpectationKey) != 32 || c.Path != "suites/support/r.yaml" {
			t.Errorf("case %s: keys %q and %q, path %q", c.ID, c.Keys().RequestKey, c.Keys().ExpectationKey, c.Path)
		}
	}
}

// labelOf formats the expected label of a case and all possible labels.
func labelOf(c Case) string {
	if c.Measured == nil || c.Measured.Labels == nil {
		return "no label"
	}
	return c.Measured.Labels.Expected + " of " + strings.Join(c.Measured.Labels.Allowed, ", ")
}

func policyNames(policies []*expect.Policy) []string {
	out := []string{}
	for _, p := range policies {
		out = append(out, p.Name)
	}
	return out
}

func ref[T any](v T) *T { return &v }

func TestPoliciesThatApplyToAllJoinEveryCase(t *testing.T) {
	cfg := settings()
	cfg.Policies[1].ApplyAll = true
	fsys := tree(one(hello + "cases: [{ id: a }, { id: b, policies: [no-promises, no-secrets] }]\n"))
	suites, ds := loadOpen(fsys, cfg, cfg.Suites)
	check(t, ds, nil)
	for i, want := range []string{"[no-secrets]", "[no-promises no-secrets]"} {
		if got := fmt.Sprint(policyNames(suites[0].Cases[i].Policies)); got != want {
			t.Errorf("policies of case %d: %s, want %s", i, got, want)
		}
	}
}

func TestASuiteWithALabelIsAClassification(t *testing.T) {
	for text, want := range map[string]string{
		"cases: [{ id: a }]": score.StrategyAccuracy,
		"cases: [{ id: a }, { id: b, expected_label: x, labels: [x] }]":          score.StrategyClassification,
		"defaults: { expected_label: x, labels: [x] }\ncases: [{ id: a }]":       score.StrategyClassification,
		"strategy: classification\ncases: [{ id: a }]":                           score.StrategyClassification,
		"strategy: accuracy\ncases: [{ id: a, expected_label: x, labels: [x] }]": score.StrategyAccuracy,
	} {
		suites, _ := loaded(one(hello + text + "\n"))
		if len(suites) != 1 || suites[0].Plan.Strategy != want {
			t.Errorf("%s: %v, want strategy %s", text, suites, want)
		}
	}
}

// broken is a tree whose files are listed but cannot be read.
type broken struct {
	fs.FS
	err error
}

func (b broken) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".yaml") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
	}
	return b.FS.Open(name)
}

func TestUnreadableFilesAreFaultsAndNeverEmpty(t *testing.T) {
	for rule, err := range map[string]error{
		"C308: a file that vanished": fs.ErrNotExist,
		"C308: a file that changed":  errors.New("changed while it was being read"),
		"C309: an unreadable file":   fs.ErrPermission,
	} {
		t.Run(rule, func(t *testing.T) {
			fsys := broken{tree(one(hello + "cases: [{ id: a }]\n")), err}
			suites, ds := loadOpen(fsys, settings(), settings().Suites)
			if len(suites) != 0 || len(ds) != 1 || !strings.Contains(ds[0].Message, err.Error()) || ds[0].Path != "suites/s.yaml" {
				t.Errorf("suites %v, diagnostics %v", suites, lines(ds))
			}
		})
	}
}

func TestSchemasOfAnswersReadNothingElse(t *testing.T) {
	for rule, text := range map[string]string{
		"no other file":  `{"$ref": "file:///etc/passwd"}`,
		"no neighbour":   `{"$ref": "other.schema.json"}`,
		"no address":     `{"$ref": "https://example.com/schema.json"}`,
		"no meta schema": `{"$schema": "https://example.com/schema.json"}`,
	} {
		t.Run(rule, func(t *testing.T) {
			files := fullTree()
			files["suites/support/refund.schema.json"] = text
			files["suites/support/other.schema.json"] = `{}`
			_, ds := loaded(files)
			check(t, ds, []string{"suites/support/r.yaml:21:44 compile: expected_format, schema: …"})
		})
	}
	files := fullTree()
	files["suites/support/refund.schema.json"] = `{"$ref": "#/$defs/x", "$defs": {"x": {"type": "object"}}}`
	_, ds := loaded(files)
	check(t, ds, nil)
	files["suites/support/refund.schema.json"] = "{\n  \"type\": object\n}"
	_, ds = loaded(files)
	if len(ds) != 1 || ds[0].Path != "suites/support/refund.schema.json" {
		t.Errorf("a schema that is no JSON: %v", lines(ds))
	}
}

func TestLoadIsDeterministic(t *testing.T) {
	files := fullTree()
	files["suites/support/r.yaml"] = strings.ReplaceAll(full, "{ amount: 5, currency: EUR }", "{ u: 1, v: 2, w: 3, z: 4 }")
	_, first := loaded(files)
	if len(first) != 7 {
		t.Fatalf("too few diagnostics to compare: %v", lines(first))
	}
	for range 20 {
		if _, again := loaded(files); !cmp.Equal(first, again) {
			t.Fatalf("two loads differ (-first +again):\n%s", cmp.Diff(first, again))
		}
	}
}

func TestTheSchemaDescribesEveryProperty(t *testing.T) {
	root, ds := document.ParseJSON("suite.schema.json", string(schemas.Suite()), document.Position{Line: 1, Column: 1})
	if root == nil || len(ds) > 0 {
		t.Fatal(lines(ds))
	}
	defs, seen := root.Get("$defs"), 0
	describes := func(where string, n *document.Node) {
		props := n.Get("properties")
		for i, key := range keysOf(props) {
			seen++
			p := props.Values[i]
			if name, ok := strings.CutPrefix(p.Get("$ref").AsText(), "#/$defs/"); ok {
				p = defs.Get(name)
			}
			if p.Get("description").AsText() == "" {
				t.Errorf("%s.%s has no description", where, key)
			}
		}
		if props != nil && n.Get("additionalProperties") == nil {
			t.Errorf("%s allows unknown keys", where)
		}
	}
	describes("suite", root)
	for i, name := range keysOf(defs) {
		describes(name, defs.Values[i])
	}
	if seen < 50 {
		t.Errorf("only %d properties were looked at", seen)
	}
}

func keysOf(n *document.Node) []string {
	var out []string
	if n != nil {
		for _, k := range n.Keys {
			out = append(out, k.Text)
		}
	}
	return out
}

func TestTrialsAreTheCasesElseTheSuitesElseTheTargets(t *testing.T) {
	for _, c := range []struct {
		rule   string
		target int
		suite  string
		want   string
	}{
		{"one by default", 0, "", "1 1 2"},
		{"the target's", 4, "", "4 4 2"},
		{"the suite's before the target's", 4, "trials: 3\n", "3 3 2"},
		{"the defaults' before the suite's", 4, "trials: 3\ndefaults: { trials: 5 }\n", "3 5 2"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			cfg := settings()
			target := cfg.Targets["replay"]
			target.Trials = c.target
			cfg.Targets["replay"] = target
			suites, ds := loadOpen(tree(map[string]string{"suites/s.yaml": "version: 1\n" + c.suite +
				"messages: [{ role: user, content: Hello }]\ncases: [{ id: a, expected_response: x }, { id: b, expected_response: x, trials: 2 }]\n"}), cfg, cfg.Suites)
			check(t, ds, nil)
			s := suites[0]
			if got := fmt.Sprint(s.Trials, " ", s.Cases[0].Trials, " ", s.Cases[1].Trials); got != c.want {
				t.Errorf("trials of the suite and its cases are %s, want %s", got, c.want)
			}
		})
	}
}

func TestEachCaseComesWithItsSuite(t *testing.T) {
	all := []*Suite{{ID: "s", Cases: Cases{{ID: "a"}, {ID: "b"}}}, {ID: "none"}, {ID: "t", Cases: Cases{{ID: "a"}}}}
	names := func(last string) (out []string) {
		for s, c := range EachCase(all) {
			if out = append(out, s.ID+"/"+c.ID); out[len(out)-1] == last {
				break
			}
		}
		return out
	}
	if got := names(""); !slices.Equal(got, []string{"s/a", "s/b", "t/a"}) {
		t.Errorf("the cases are %v", got)
	}
	if got := names("s/b"); !slices.Equal(got, []string{"s/a", "s/b"}) {
		t.Errorf("up to s/b, the cases are %v", got)
	}
}
