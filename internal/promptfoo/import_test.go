package promptfoo_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/sharedtest"
	"github.com/failproof/failproof/internal/suite"
)

// asTree is a result as the folder that it is written to, with what stands there.
func asTree(t *testing.T, r promptfoo.Result, there fs.FS) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	if there != nil {
		_ = fs.WalkDir(there, ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				data, _ := fs.ReadFile(there, name)
				out[name] = &fstest.MapFile{Data: data}
			}
			return nil
		})
	}
	for _, f := range r.Files {
		out[f.Name] = &fstest.MapFile{Data: f.Text}
	}
	return out
}

// faults are what failproof finds wrong in a result.
func faults(t *testing.T, tree fs.FS) ([]*suite.Suite, []document.Diagnostic) {
	t.Helper()
	name, ok := config.Find(tree)
	if !ok {
		t.Fatal("the result has no configuration")
	}
	own, ds := config.Load(tree, name)
	if own == nil {
		return nil, ds
	}
	c := config.ResolveAlone(own, config.CallNew)
	suites, more := suite.Load(tree, c, c.Suites)
	return suites, append(ds, more...)
}

// examples are the public example configurations, by path.
func examples(t *testing.T) (fs.FS, []string) {
	t.Helper()
	tree := os.DirFS(sharedtest.Path(t, "data/promptfoo-examples"))
	var found []string
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if base := path.Base(name); strings.HasSuffix(base, ".yaml") && err == nil && entry.Type().IsRegular() {
			data, _ := fs.ReadFile(tree, name)
			if strings.HasPrefix(base, "promptfooconfig") || strings.Contains(string(data), "\nproviders:") && strings.Contains(string(data), "\nprompts:") {
				found = append(found, name)
			}
		}
		return err
	})
	if err != nil || len(found) < 100 {
		t.Fatalf("%d examples found: %v", len(found), err)
	}
	slices.Sort(found)
	return tree, found
}

func TestEveryExampleThatIsTakenOverIsValid(t *testing.T) {
	tree, names := examples(t)
	count := map[promptfoo.Extent]int{}
	asks := 0
	for _, name := range names {
		r := promptfoo.Import(promptfoo.Input{Tree: tree, Config: name})
		count[r.Extent()]++
		if r.Extent() == promptfoo.ExtentPart && !slices.ContainsFunc(r.Findings, func(f promptfoo.Finding) bool {
			return f.Level == promptfoo.ToDo && !strings.Contains(f.What, "provider")
		}) {
			asks++
		}
		t.Logf("%s: %s", name, r.Extent())
		if r.Extent() == promptfoo.ExtentNone {
			continue
		}
		_, ds := faults(t, asTree(t, r, nil))
		for _, d := range ds {
			if d.Severity == document.Error {
				t.Errorf("%s: %s: %s", name, d.Location(), d.Message)
			}
		}
	}
	t.Logf("of %d: %d whole, %d in part, of which %d lack nothing but providers, %d not at all", len(names), count[promptfoo.ExtentFull], count[promptfoo.ExtentPart], asks, count[promptfoo.ExtentNone])
	if count[promptfoo.ExtentFull] < 34 || asks < 52 || count[promptfoo.ExtentNone] > 17 {
		t.Error("fewer examples are taken over than before; docs/promptfoo.md has the numbers")
	}
}

// What is asked of an answer beside a refusal has no place in a suite, and is told instead: the suite stays valid.
func TestNothingIsAskedBesideARefusal(t *testing.T) {
	for _, c := range []struct{ rule, config, want, told string }{
		{"of the test itself", "tests:\n  - { vars: { q: a }, assert: [{ type: is-refusal }, { type: llm-rubric, value: is polite }, { type: contains, value: sorry }] }",
			"expected_classification: refusal", "to do `llm-rubric`, to do `contains`"},
		{"of all", "defaultTest: { assert: [{ type: is-refusal }, { type: is-json }] }\ntests:\n  - { vars: { q: a }, assert: [{ type: contains, value: sorry }] }",
			"expected_classification: refusal", "to do `is-json`, to do `contains`"},
		{"of all the others", "defaultTest: { assert: [{ type: contains, value: sorry }] }\ntests:\n  - { vars: { q: a }, assert: [{ type: is-refusal }] }\n  - { vars: { q: b } }",
			"expected_classification: refusal", "changed the assertions of `defaultTest`"},
		{"of a set", "tests:\n  - { vars: { q: a }, assert: [{ type: is-refusal }, { type: assert-set, threshold: 0.5, assert: [{ type: contains, value: a }, { type: contains, value: b }] }] }",
			"expected_classification: refusal", "to do `assert-set`"},
		{"nothing", "tests:\n  - { vars: { q: a }, assert: [{ type: is-refusal }] }", "expected_classification: refusal", ""},
		{"no test at all", "tests: []", "messages:", ""},
	} {
		text := "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\n" + c.config + "\n"
		r := promptfoo.Import(promptfoo.Input{Tree: fstest.MapFS{"p.yaml": {Data: []byte(text)}}, Config: "p.yaml"})
		var told []string
		for _, f := range r.Findings {
			told = append(told, string(f.Level)+" "+f.What)
		}
		suites, ds := faults(t, asTree(t, r, nil))
		if document.HasErrors(ds) || len(suites) != 1 || strings.Join(told, ", ") != c.told || !strings.Contains(string(asTree(t, r, nil)["suites/"+suites[0].ID+".yaml"].Data), c.want) {
			t.Errorf("%s: %v, told %q, want %q", c.rule, ds, told, c.told)
		}
	}
}

func TestATypeThatIsMisspeltIsNamed(t *testing.T) {
	for kind, want := range map[string]string{"contians": "`contains`, if that was meant", "of-another-world": "an expression"} {
		text := "prompts: ['{{q}}']\nproviders: [openai:gpt-5-mini]\ntests:\n  - { vars: { q: a }, assert: [{ type: " + kind + ", value: b }] }\n"
		r := promptfoo.Import(promptfoo.Input{Tree: fstest.MapFS{"p.yaml": {Data: []byte(text)}}, Config: "p.yaml"})
		if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Instead, want) {
			t.Errorf("of %s it says %+v; want %q", kind, r.Findings, want)
		}
	}
}
