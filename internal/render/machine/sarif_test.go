package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestSARIFOfEachState(t *testing.T) {
	eachGolden(t, func(t *testing.T, name string, r *report.Report) {
		rendertest.Golden(t, name+".sarif", string(sarif(t, r, rendertest.Links())))
	})
}

func sarif(_ rendertest.TB, r *report.Report, l show.Links) []byte { return SARIF(storyOf(r, l)) }

func readSARIF(t rendertest.TB, text []byte) sarifRun {
	t.Helper()
	var log sarifLog
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&log); err != nil || dec.More() {
		t.Fatalf("SARIF is not one JSON value: %v", err)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	return log.Runs[0]
}

// sarifGrammar maps the key of an object to the keys that we use in it. A ! marks those that the standard or code
// scanning requires.
var sarifGrammar = map[string]string{
	"":                           "$schema! version! runs!",
	"runs":                       "tool! invocations versionControlProvenance columnKind results!",
	"tool":                       "driver!",
	"driver":                     "name! version informationUri! rules!",
	"rules":                      "id! shortDescription! fullDescription! helpUri! help! defaultConfiguration!",
	"shortDescription":           "text!",
	"fullDescription":            "text!",
	"help":                       "text!",
	"defaultConfiguration":       "level!",
	"invocations":                "executionSuccessful! toolExecutionNotifications",
	"toolExecutionNotifications": "level! message!",
	"message":                    "text!",
	"versionControlProvenance":   "repositoryUri! revisionId",
	"results":                    "ruleId! ruleIndex! level! message! locations! partialFingerprints!",
	"partialFingerprints":        "failproofCase/v1!",
	"locations":                  "physicalLocation! logicalLocations",
	"physicalLocation":           "artifactLocation! region!",
	"artifactLocation":           "uri!",
	"region":                     "startLine! startColumn",
	"logicalLocations":           "name fullyQualifiedName",
}

func checkKeys(t rendertest.TB, key string, value any) {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			checkKeys(t, key, v)
		}
	case map[string]any:
		known := " " + strings.ReplaceAll(sarifGrammar[key], "!", "") + " "
		for name, v := range value {
			if !strings.Contains(known, " "+name+" ") {
				t.Errorf("an object of %q has the key %s", key, name)
			}
			checkKeys(t, name, v)
		}
		for _, want := range strings.Fields(sarifGrammar[key]) {
			if must, is := strings.CutSuffix(want, "!"); is && (value[must] == nil || value[must] == "") {
				t.Errorf("an object of %q lacks %s", key, must)
			}
		}
	}
}

func checkSARIF(t rendertest.TB, text []byte) {
	t.Helper()
	checkInert(t, text)
	var any any
	if err := json.Unmarshal(text, &any); err != nil {
		t.Fatalf("SARIF is no JSON: %v", err)
	}
	checkKeys(t, "", any)
	run := readSARIF(t, text)
	ids, prints := map[string]bool{}, map[string]bool{}
	for _, r := range run.Tool.Driver.Rules {
		if ids[r.ID] {
			t.Errorf("rule %s is there twice", r.ID)
		}
		ids[r.ID] = true
	}
	order, last := []string{sarifError, sarifWarning, sarifNote}, 0
	for _, r := range run.Results {
		if rules := run.Tool.Driver.Rules; r.RuleIndex < 0 || r.RuleIndex >= len(rules) || rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %s is not at %d", r.RuleID, r.RuleIndex)
		}
		rank := slices.Index(order, r.Level)
		if rank < last {
			t.Errorf("level %q after %q", r.Level, order[last])
		}
		last = max(last, rank)
		print := fmt.Sprint(r.Fingerprints)
		if prints[print] {
			t.Errorf("two results have the fingerprints %s", print)
		}
		prints[print] = true
		checkResult(t, r)
	}
}

func checkResult(t rendertest.TB, r sarifResult) {
	t.Helper()
	if strings.ContainsAny(r.Message.Text, "\n\r") || strings.Contains(r.Message.Text, "](") {
		t.Errorf("the message is not one plain line: %q", r.Message.Text)
	}
	physical := r.Locations[0].Physical
	uri := physical.Artifact.URI
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" || strings.HasPrefix(uri, "/") {
		t.Errorf("%q is no relative path: %v", uri, err)
	}
	root := url.URL{Scheme: "https", Host: "example.com", Path: "/root/"}
	if err == nil && root.ResolveReference(u).Path != "/root/"+u.Path {
		t.Errorf("%q leads to %s", uri, root.ResolveReference(u))
	}
	if physical.Region.Line < 1 || physical.Region.Column < 0 {
		t.Errorf("region %+v", physical.Region)
	}
}

func TestSARIFIsSoundInEveryState(t *testing.T) {
	for _, s := range rendertest.States {
		t.Run(s.Name, func(t *testing.T) {
			for _, l := range []show.Links{rendertest.Links(), {}} {
				text := sarif(t, s.Run(), l)
				checkSARIF(t, text)
				if again := sarif(t, s.Run(), l); !bytes.Equal(again, text) {
					t.Error("equal reports give unequal files")
				}
			}
		})
	}
}

func TestWhatASARIFResultSays(t *testing.T) {
	lacks := &report.Outcome{Primary: classify.Timeout, Trials: 1, Unscored: 1, Trial: 1}
	wobbly := &report.Outcome{Primary: classify.Fail, Passed: 4, Trials: 5, Trial: 3}
	fail, pass := rendertest.FailOutcome("yes", "no"), rendertest.PassOutcome("yes")
	under := func(c classify.Category) *report.Outcome {
		o := rendertest.PassOutcome("yes")
		o.UnderBase = &c
		return o
	}
	for _, c := range []struct {
		rule       string
		status     report.Status
		base, head *report.Outcome
		mustPass   bool
		reason     string // a code of level error
		want       string // level and rule
	}{
		{"a case that passes says nothing", report.StillPassing, pass, pass, false, "", ""},
		{"a regression that decided is an error", report.Regressed, pass, fail, false, "max_regressions", "error regressed"},
		{"a regression that the gate lets pass is a warning", report.Regressed, pass, fail, false, "", "warning regressed"},
		{"a regression of a must-pass case is an error", report.Regressed, pass, fail, true, "", "error regressed"},
		{"a must-pass case that fails is an error", report.StillFailing, fail, fail, true, "", "error must_pass"},
		{"a wrong answer of a new case is a warning", report.New, nil, fail, false, "", "warning failing"},
		{"a wrong answer that the base gave too is a note", report.StillFailing, fail, fail, false, "", "note failing"},
		{"a missing answer is a warning", report.Errored, pass, lacks, false, "", "warning no_answer"},
		{"missing answers beyond the gate's share are errors", report.Errored, pass, lacks, false, "max_unscored", "error no_answer"},
		{"a removed case that passed is a warning", report.Removed, pass, nil, false, "", "warning removed"},
		{"a removed case that blocks is an error", report.Removed, pass, nil, false, "on_removed", "error removed"},
		{"a removed case that failed is a note", report.Removed, fail, nil, false, "", "note removed"},
		{"an edit that hides a failure is a warning", report.Redefined, pass, under(classify.Fail), false, "", "warning redefined"},
		{"an edit that hides a failure and blocks is an error", report.Redefined, pass, under(classify.Fail), false, "on_redefined", "error redefined"},
		{"an edit that the base could not judge is a warning", report.Redefined, pass, pass, false, "", "warning redefined"},
		{"an edit that hides nothing is a note", report.Redefined, pass, under(classify.Pass), false, "", "note redefined"},
		{"a flaky case is a note", report.Flaky, pass, wobbly, false, "", "note flaky"},
		{"one of a suite that fell is a warning", report.Flaky, pass, wobbly, false, "max_drop", "error gate, warning fell"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.PassedRun()
			r.Changes = nil
			rendertest.AddChange(r, c.status, "one", c.base, c.head).MustPass = c.mustPass
			if c.reason != "" {
				r.Reasons = append(r.Reasons, rendertest.Reason(c.reason, "so it is"))
			}
			var got []string
			for _, x := range readSARIF(t, sarif(t, r, rendertest.Links())).Results {
				got = append(got, x.Level+" "+x.RuleID)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReasonsOfTheVerdictAreResultsAndWarningsNotifications(t *testing.T) {
	r := rendertest.FailedRun()
	r.Reasons = append(r.Reasons, rendertest.Warning("answer_leaked", "a column gives the answer away"))
	run := readSARIF(t, sarif(t, r, rendertest.Links()))
	var got []string
	for _, r := range run.Results {
		if r.RuleID == ruleMinScore || r.RuleID == ruleGate {
			got = append(got, r.Level+" "+r.Locations[0].Physical.Artifact.URI+": "+r.Message.Text)
		}
	}
	want := []string{
		"error suites/support/refund.yaml: run score 0.874 is below min_run_score 0.900",
		"error suites/support/refund.yaml: suite support/refund: score 0.810 is below min_score 0.850",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || n[0].Message.Text != "a column gives the answer away" {
		t.Errorf("notifications: %+v", n)
	}
	r.Suites, r.Changes, r.PolicyChanges = nil, nil, nil // nothing has a file
	if run = readSARIF(t, sarif(t, r, rendertest.Links())); len(run.Results) > 0 || len(run.Invocations[0].Notifications) != 4 {
		t.Errorf("without a suite: %d results, notifications %+v", len(run.Results), run.Invocations[0].Notifications)
	}
	if issues := string(GitLab(storyOf(r, show.Links{}))); strings.Count(issues, `"path": "failproof"`) != strings.Count(issues, "description") ||
		!strings.Contains(issues, "min_run_score") {
		t.Errorf("GitLab lacks findings without a file: %s", issues)
	}
}

func TestACaseThatIsNoLongerMustPassIsAResult(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	rendertest.AddChange(r, report.StillPassing, "one", rendertest.PassOutcome("yes"), rendertest.PassOutcome("yes"))
	r.Reasons = []report.Reason{{Code: "must_pass", Level: report.LevelWarn, SuiteID: "support/refund", CaseID: "one", Message: "must-pass case is no longer must_pass"}}
	got := readSARIF(t, sarif(t, r, rendertest.Links())).Results
	if len(got) != 1 || got[0].RuleID != ruleMustPass || got[0].Level != sarifWarning {
		t.Errorf("results: %+v", got)
	}
}

// TestFingerprintsHoldWhenLinesMove checks that a line inserted above a case does not change its fingerprint.
func TestFingerprintsHoldWhenLinesMove(t *testing.T) {
	r, moved := rendertest.FailedRun(), rendertest.FailedRun()
	r.Diagnostics, moved.Diagnostics = rendertest.InvalidRun().Diagnostics, rendertest.InvalidRun().Diagnostics
	rendertest.EditChanges(moved, func(_ int, c *report.Change) { c.Line += 40 })
	for i := range moved.Diagnostics {
		moved.Diagnostics[i].Line += 40
	}
	prints := func(r *report.Report) (out []string) {
		for _, x := range readSARIF(t, sarif(t, r, rendertest.Links())).Results {
			out = append(out, fmt.Sprint(x.Fingerprints))
		}
		return out
	}
	before := prints(r)
	if diff := cmp.Diff(before, prints(moved)); diff != "" || len(before) < 8 {
		t.Errorf("%d fingerprints (-before +after):\n%s", len(before), diff)
	}
}

func TestPathsInSARIF(t *testing.T) {
	for _, c := range []struct{ rule, dir, path, want string }{
		{"a plain path stays", "", "suites/a-b_c.1.yaml", "suites/a-b_c.1.yaml"},
		{"a path is given from the root of the repository", "team/x", "a.yaml", "team/x/a.yaml"},
		{"what is no plain character is percent-encoded", "", "s p/ü#?%:.yaml", "s%20p/%C3%BC%23%3F%25%3A.yaml"},
		{"bytes that are no UTF-8 are percent-encoded", "", "a\xff.yaml", "a%FF.yaml"},
		{"no path leads out of the repository", "", "../../a/./b//c.yaml", "a/b/c.yaml"},
		{"an absolute path is made relative", "", "/a.yaml", "a.yaml"},
		{"a fault of no file has no path", "team/x", "", ""},
		{"a path that is nothing but ways out is none", "", "../..", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := sarifURI(show.Links{Dir: c.dir}, c.path); got != c.want {
				t.Errorf("sarifURI(%q) = %q, want %q", c.path, got, c.want)
			}
		})
	}
}

func TestCodeScanningTakesTheLongestSARIF(t *testing.T) {
	r := rendertest.PassedRun()
	r.Changes = nil
	for i := range sarifResultsKept + 7 {
		rendertest.AddChange(r, report.Removed, fmt.Sprint(i), rendertest.FailOutcome("yes", "no"), nil)
	}
	rendertest.AddChange(r, report.Regressed, "worst", rendertest.PassOutcome("yes"), rendertest.FailOutcome("yes", "no"))
	run := readSARIF(t, sarif(t, r, rendertest.Links()))
	if n := len(run.Results); n != sarifResultsKept || run.Results[0].RuleID != ruleRegressed {
		t.Errorf("%d results, the first of rule %s", n, run.Results[0].RuleID)
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || !strings.HasPrefix(n[0].Message.Text, "8 more results left out") {
		t.Errorf("notifications: %+v", n)
	}
}
