package announced_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/record"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// repository has two suites of recorded cases, which say what the opening hours are. rules are more settings.
func repository(rules string) runtest.Files {
	suite := func(id string) string {
		return "version: 1\nid: " + id + "\nprompt: p.md\ncases:\n" +
			"  - { id: a, expected_response: open, match: contains }\n  - { id: b, expected_response: open, match: contains }\n"
	}
	line := func(suite, id, text string) string {
		return fmt.Sprintf(`{"suite_id": %q, "case_id": %q, "raw_response": %q}`+"\n", suite, id, text)
	}
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml, t.yaml]\ndefault_target: kept\ntargets:\n" +
			"  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" + rules,
		"s.yaml": suite("s"), "t.yaml": suite("t"), "p.md": "Is it open?\n",
		"s.jsonl": line("s", "a", "it is open, I promise") + line("s", "b", "it is shut"),
		"t.jsonl": line("t", "a", "it is open, I promise") + line("t", "b", "it is open"),
	}
}

// changes runs head against base, and returns the changes of the rules that the report has.
func changes(t *testing.T, head, base runtest.Files, edit func(*sides.Inputs)) []config.Change {
	t.Helper()
	in := runtest.Inputs(t, head, base, nil)
	if edit != nil {
		edit(&in)
	}
	done, err := runtest.Run(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return done.Report.PolicyChanges
}

// A proposed policy names the cases that it will fail, each once, whether the run has their suite or not.
func TestWhatAProposedPolicyWillCatch(t *testing.T) {
	const promises = "policies: { promises: { description: d, patterns: [promise], apply: all } }\n"
	for _, c := range []struct {
		rule string
		edit func(*sides.Inputs)
		want string
	}{
		{"all suites run", nil, "[s/a t/a]"},
		{"only one suite is selected", func(in *sides.Inputs) { in.Scope, in.Suites = sides.ScopeAll, []string{"s.yaml"} }, "[s/a]"},
		{"only the suites that the change touches", func(in *sides.Inputs) { in.Scope = sides.ScopeChanged }, "[s/a t/a]"},
		{"only some cases", func(in *sides.Inputs) { in.Filter.Cases = []string{"s/*"} }, "[s/a t/a]"},
		{"only a case that passes", func(in *sides.Inputs) { in.Filter.Cases = []string{"s/b"} }, "[s/a t/a]"},
	} {
		base := repository("")
		head := repository(promises)
		head["s.yaml"] = strings.Replace(head["s.yaml"], "id: b,", "id: b, tags: [x],", 1)
		var got []string
		for _, change := range changes(t, head, base, c.edit) {
			got = append(got, change.Key+fmt.Sprint(change.FailingCases))
		}
		if !slices.Contains(got, "policies.promises"+c.want) {
			t.Errorf("%s: %v, want %s", c.rule, got, c.want)
		}
	}
}

// A proposed threshold says the score of this run if it will miss it.
func TestWhatAProposedThresholdWillMiss(t *testing.T) {
	for _, c := range []struct {
		rule, base, head     string
		baseSuite, headSuite string
		key, want            string
	}{
		{"the run's", "", "gate: { min_run_score: 0.9 }\n", "", "", "gate.min_run_score", "0.750"},
		{"the run's, which it meets", "", "gate: { min_run_score: 0.1 }\n", "", "", "gate.min_run_score", ""},
		{"a suite's", "", "", "", "min_score: 0.9\n", "suites.s.min_score", "0.500"},
		{"a suite's weight", "", "", "", "weight: 1000\n", "suites.s.weight", ""},
		{"a suite's, which it meets", "", "", "", "min_score: 0.1\n", "suites.s.min_score", ""},
		{"a suite's of two targets", "", "", "targets: [kept, too]\n", "targets: [kept, too]\nmin_score: 0.9\n", "suites.s.min_score", "0.500"},
		{"a phase", "phase: baseline\n", "phase: deployment\n", "", "", "phase", "0.750"},
		{"a phase beside a threshold", "phase: baseline\ngate: { min_run_score: 0.1 }\n", "gate: { min_run_score: 0.1 }\n", "", "", "phase", ""},
		{"none", "gate: { min_run_score: 0.9 }\n", "", "", "", "gate.min_run_score", ""},
	} {
		side := func(rules, suite string) runtest.Files {
			files := repository("  too: { provider: recorded, path: \"{suite}-too.jsonl\" }\n" + rules)
			files["s.yaml"] = strings.Replace(files["s.yaml"], "id: s\n", "id: s\n"+suite, 1)
			files["s-too.jsonl"] = files["s.jsonl"]
			return files
		}
		all := changes(t, side(c.head, c.headSuite), side(c.base, c.baseSuite), nil)
		at := slices.IndexFunc(all, func(one config.Change) bool { return one.Key == c.key })
		if at < 0 || all[at].Missed != c.want {
			t.Errorf("%s: %+v, want %q", c.rule, all, c.want)
		}
	}
}

// judged is a suite of two cases, one of which the judge grades. The models answer and judge at the address.
func judged(address, answers, judges string) runtest.Files {
	return runtest.Files{
		"failproof.yml": "version: 1\nsuites: [s.yaml]\ndefault_target: kept\njudges: { default: { target: judge } }\ntargets:\n" +
			"  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
			"  live: { provider: openai, model: " + answers + ", base_url: \"" + address + "\" }\n" +
			"  judge: { provider: openai, model: " + judges + ", base_url: \"" + address + "\" }\n",
		"s.yaml": "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, expected_response: open, match: contains }\n" +
			"  - { id: b, rubric: [It says \"open\"] }\n",
		"p.md": "Is it open?\n",
	}
}

// recorded returns the recordings that files get.
func recorded(t *testing.T, files runtest.Files) string {
	t.Helper()
	in := record.Inputs{Inputs: runtest.Inputs(t, files, nil, nil), HeadRules: true}
	sinks := asking.Sinks{Say: func(string, ...any) {}, Bugs: &fault.Bugs{}}
	if _, err := record.Record(t.Context(), in, sinks); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(in.Inputs.Dir, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Of a target or judge that a fork proposes is told how many recorded answers or verdicts go stale with the merge, and
// how many count only from then on.
func TestWhatAProposedModelMakesStale(t *testing.T) {
	server := modeltest.Serve(t, modeltest.TextStep(func(question string) string {
		if strings.Contains(question, "[CRITERION") {
			return modeltest.ContainsVerdict(modeltest.ParseQuestion(question))
		}
		return "it is open"
	}))
	for _, c := range []struct {
		rule, answers, judges string   // the models of the head
		anew                  bool     // the head is recorded by its own models
		want                  []string // "key staleVerdicts earlyVerdicts staleAnswers earlyAnswers"
	}{
		{"nothing", "small", "strict", false, nil},
		{"a target", "large", "strict", false, []string{"targets.live.model 0 0 2 0"}},
		{"a target that is recorded", "large", "strict", true, []string{"targets.live.model 0 0 0 2"}},
		{"a judge", "small", "kind", false, []string{"targets.judge.model 1 0 0 0"}},
		{"a judge that is recorded", "small", "kind", true, []string{"targets.judge.model 0 1 0 0"}},
		{"both", "large", "kind", false, []string{"targets.judge.model 1 0 0 0", "targets.live.model 0 0 2 0"}},
	} {
		base, head := judged(server.URL, "small", "strict"), judged(server.URL, c.answers, c.judges)
		base["s.jsonl"] = recorded(t, base)
		if head["s.jsonl"] = base["s.jsonl"]; c.anew {
			delete(head, "s.jsonl")
			head["s.jsonl"] = recorded(t, head)
		}
		var got []string
		for _, one := range changes(t, head, base, func(in *sides.Inputs) { in.Fork = true }) {
			got = append(got, fmt.Sprint(one.Key, " ", one.StaleVerdicts, " ", one.EarlyVerdicts, " ", one.StaleAnswers, " ", one.EarlyAnswers))
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
	}
}
