package sides_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// shop is a tree with suite s of the recorded cases a and b and suite t of the case c, which a model answers.
var shop = runtest.Files{
	"failproof.yml": "version: 1\nsuites: [s.yaml, t.yaml]\ndefault_target: kept\ntargets:\n  kept: { provider: recorded, path: \"{suite}.jsonl\" }\n" +
		"  live: { provider: openai, model: m, base_url: \"http://127.0.0.1:1\", api_key_env: KEY }\n",
	"s.yaml":  "version: 1\nid: s\nprompt: p.md\ncases:\n  - { id: a, vars: { q: A }, expected_response: \"yes\" }\n  - { id: b, vars: { q: B }, expected_response: \"no\" }\n",
	"t.yaml":  "version: 1\nid: t\ntarget: live\nprompt: p.md\ncases:\n  - { id: c, vars: { q: C }, expected_response: \"yes\" }\n",
	"p.md":    "Is it {{ q }}?\n",
	"s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "yes"}` + "\n" + `{"suite_id": "s", "case_id": "b", "raw_response": "no"}` + "\n",
}

// shopWith returns the shop with these files. A file without a text is gone. A file that begins with + is added to.
func shopWith(changes runtest.Files) runtest.Files {
	out := shop.Merge(changes)
	maps.DeleteFunc(out, func(_, text string) bool { return text == "" })
	for name, text := range out {
		if more, added := strings.CutPrefix(text, "+"); added {
			out[name] = shop[name] + more
		}
	}
	return out
}

// state describes what was read, part by part: the base's state, the suites that run with their cases and trials, and
// what is said.
func state(s *sides.Sides) (out []string) {
	if out = append(out, s.BaseState); s.Rules != nil {
		from := map[*source.Tree]string{s.Inputs.Head: "head", s.Inputs.Base: "base"}[s.RulesTree]
		out[0] += fmt.Sprintf(" %s %v %s", s.Rules.Phase, s.Rules.Gate.Setting(config.MinRunScore).Value, from)
	}
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		for _, one := range s.Selected[at] {
			line := fmt.Sprint(at, " ", one.ID, ":")
			for _, c := range one.Cases {
				line += fmt.Sprint(" ", c.ID, c.Trials)
			}
			out = append(out, line)
		}
	}
	said := func(kind string, d document.Diagnostic) {
		out = append(out, fmt.Sprintf("%s %s: %s", kind, d.Path, d.Rule))
		if d.Rule == "no-configuration" {
			out = append(out, d.Message[strings.LastIndex(d.Message, ": ")+2:])
		}
	}
	for _, d := range s.Faults {
		said(string(d.Severity), d)
	}
	for _, f := range s.BaseFaults {
		said("base", f.Diagnostic)
	}
	for _, w := range s.Warnings {
		out = append(out, "warning "+w.Code)
	}
	for _, c := range s.Changes {
		out = append(out, map[bool]string{true: "now ", false: "later "}[c.Effective]+c.Key)
	}
	return out
}

func TestWhatIsReadOfBothSides(t *testing.T) {
	same := runtest.Files{}
	for _, c := range []struct {
		rule       string
		base, head runtest.Files // changes to the shop; nil: no base
		change     func(in *sides.Inputs)
		want       []string
	}{
		{"without a base all runs", nil, same, nil, []string{"none deployment 0.85 head", "head s: a1 b1", "head t: c1"}},
		{"only what changed runs", same, runtest.Files{"t.yaml": "+  - { id: d, vars: { q: D } }\n"}, nil, []string{"compared deployment 0.85 base", "base t: c1", "head t: c1 d1"}},
		{"if all is asked for, all runs", same, same, func(in *sides.Inputs) { in.Scope = sides.ScopeAll }, []string{"compared deployment 0.85 base", "base s: a1 b1", "base t: c1", "head s: a1 b1", "head t: c1"}},
		{"equal commits with trials measure noise", same, same, func(in *sides.Inputs) { in.Trials = 3; in.Base.Revision.SHA, in.Head.Revision.SHA = "x", "x" }, []string{"compared deployment 0.85 base", "base s: a1 b1", "base t: c3", "head s: a1 b1", "head t: c3"}},
		{"equal names of folders do too", same, same, func(in *sides.Inputs) { in.Trials = 3; in.Base.Revision = in.Head.Revision }, []string{"compared deployment 0.85 base", "base s: a1 b1", "base t: c3", "head s: a1 b1", "head t: c3"}},
		{"other commits do not", same, same, func(in *sides.Inputs) { in.Trials = 3; in.Base.Revision.SHA, in.Head.Revision.SHA = "x", "y" }, []string{"compared deployment 0.85 base", "warning trials_unused"}},
		{"nor do other folders", same, same, func(in *sides.Inputs) { in.Trials = 3; in.Base.Revision.Name, in.Head.Revision.Name = "x", "y" }, []string{"compared deployment 0.85 base", "warning trials_unused"}},
		{"nor does a folder with the name of the working tree", same, same, func(in *sides.Inputs) {
			in.Trials = 3
			in.Base.Revision = source.Revision{Kind: source.KindFolder, Name: in.Head.Revision.Name}
		}, []string{"compared deployment 0.85 base", "warning trials_unused"}},
		{"nor do equal commits without trials", same, same, func(in *sides.Inputs) { in.Base.Revision.SHA, in.Head.Revision.SHA = "x", "x" }, []string{"compared deployment 0.85 base"}},
		{"trials are for live cases, up to a limit", nil, same, func(in *sides.Inputs) { in.Trials, in.MaxTrials = 5, 4 }, []string{"none deployment 0.85 head", "head s: a1 b1", "head t: c4"}},
		{"and unused without any", nil, runtest.Files{"t.yaml": "", "failproof.yml": strings.Replace(shop["failproof.yml"], ", t.yaml", "", 1)}, func(in *sides.Inputs) { in.Trials = 1 }, []string{"none deployment 0.85 head", "head s: a1 b1", "warning trials_unused"}},
		{"cases by name", same, runtest.Files{"p.md": "Is it {{ q }}\n"}, func(in *sides.Inputs) { in.Filter.Cases = []string{"s/b", "c*"} }, []string{"compared deployment 0.85 base", "base s: b1", "base t: c1", "head s: b1", "head t: c1", "warning only_some_cases"}},
		{"cases by target", same, runtest.Files{"p.md": "Is it {{ q }}\n"}, func(in *sides.Inputs) { in.Filter.Targets = []string{"live"} }, []string{"compared deployment 0.85 base", "base t: c1", "head t: c1", "warning only_some_cases"}},
		{"cases that failed", same, runtest.Files{"p.md": "Is it {{ q }}\n"}, func(in *sides.Inputs) { in.Filter.Failed = map[suiteid.Name]bool{{Suite: "s", Case: "a"}: true} }, []string{"compared deployment 0.85 base", "base s: a1", "head s: a1", "warning only_some_cases"}},
		{"a changed answer", same, runtest.Files{"s.jsonl": strings.Replace(shop["s.jsonl"], `"no"`, `"nay"`, 1)}, nil, []string{"compared deployment 0.85 base", "base s: a1 b1", "head s: a1 b1"}},
		{"an answer that is gone", same, runtest.Files{"s.jsonl": strings.SplitAfter(shop["s.jsonl"], "\n")[0]}, nil, []string{"compared deployment 0.85 base", "base s: a1 b1", "head s: a1 b1"}},
		{"a target that an equal answer names now", same, runtest.Files{"s.jsonl": strings.Replace(shop["s.jsonl"], `"raw`, `"target": {"name": "live", "provider": "openai"}, "raw`, 1)}, nil, []string{"compared deployment 0.85 base"}},
		{"suites by name", same, same, func(in *sides.Inputs) { in.Suites, in.Scope = []string{"t.yaml"}, sides.ScopeAll }, []string{"compared deployment 0.85 base", "base t: c1", "head t: c1"}},
		{"a fork", same, runtest.Files{"p.md": "Is it {{ q }}\n"}, func(in *sides.Inputs) { in.Fork = true }, []string{"compared deployment 0.85 base", "base s: a1 b1", "base t: c1", "head s: a1 b1", "head t: c1"}},
		{"an echo in place of a model", same, runtest.Files{"t.yaml": "version: 1\nid: t\ntarget: own\nprompt: p.md\ncases:\n  - { id: c, vars: { q: C }, expected_response: \"yes\" }\n", "failproof.yml": "+  own: { provider: echo }\n"}, nil, []string{"compared deployment 0.85 base", "error t.yaml: target", "later targets.own"}},
		{"the caller's phase", nil, same, func(in *sides.Inputs) { in.Phase = "baseline" }, []string{"none baseline 0.15 head", "head s: a1 b1", "head t: c1"}},
		{"with a score that is set", nil, runtest.Files{"failproof.yml": "+gate: { min_run_score: 0.4 }\n"}, func(in *sides.Inputs) { in.Phase = "baseline" }, []string{"none baseline 0.4 head", "head s: a1 b1", "head t: c1"}},
		{"the caller's score", nil, same, func(in *sides.Inputs) { in.MinScore = new(0.3) }, []string{"none deployment 0.3 head", "head s: a1 b1", "head t: c1"}},
		{"a first run", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": "", "s.jsonl": ""}, same, nil, []string{"first_run deployment 0.85 head", "head s: a1 b1", "head t: c1"}},
		{"not from a fork", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": "", "s.jsonl": ""}, same, func(in *sides.Inputs) { in.Fork = true }, []string{"missing deployment 0.85 head", "error t.yaml: unmerged", "later configuration"}},
		{"a base with a configuration and no suites", runtest.Files{"s.yaml": "", "t.yaml": "", "s.jsonl": ""}, same, nil, []string{"missing deployment 0.85 base", "head s: a1 b1", "head t: c1"}},
		{"a base without a configuration and with suites", runtest.Files{"failproof.yml": ""}, same, nil, []string{"compared deployment 0.85 head", "later configuration"}},
		{"with suites in the usual places", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": "", "suites/s.yaml": shop["s.yaml"], "suites/p.md": "Who is {{ q }}?\n"}, same, nil, []string{"compared deployment 0.85 head", "base s: a1 b1", "head s: a1 b1", "head t: c1", "later configuration"}},
		{"in both places", runtest.Files{"failproof.yml": "", "t.yaml": "", "p.md": "Who is {{ q }}?\n", "suites/u.yaml": strings.Replace(shop["s.yaml"], "id: s", "id: u", 1), "suites/p.md": shop["p.md"]}, same, nil, []string{"compared deployment 0.85 head", "base s: a1 b1", "base u: a1 b1", "head s: a1 b1", "head t: c1", "later configuration"}},
		{"in the usual places, and the caller names others", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": "", "suites/s.yaml": shop["s.yaml"], "suites/p.md": shop["p.md"]}, same, func(in *sides.Inputs) { in.Suites = []string{"s.yaml"} }, []string{"missing deployment 0.85 head", "head s: a1 b1", "later configuration"}},
		{"a head without a configuration", same, runtest.Files{"failproof.yml": ""}, nil, []string{"compared", "error failproof.yml: no-configuration", "put the file back"}},
		{"nor a suite, and the rules are of an older branch", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": ""}, runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": ""}, func(in *sides.Inputs) {
			in.Rules = folder(t, with(shop, "failproof.yml", "[s.yaml, t.yaml]", "[\"*.yaml\"]"))
			in.Rules.Revision.Name = "main"
		}, []string{"missing deployment 0.85 ", "error failproof.yml: no-configuration", "merge main into the branch"}},
		{"neither has one", runtest.Files{"failproof.yml": ""}, runtest.Files{"failproof.yml": ""}, nil, []string{"compared", "error .github/failproof.yml: no-configuration", "write one with `failproof init`, or name it with --config"}},
		{"nor a suite", nil, runtest.Files{"failproof.yml": ""}, nil, []string{"none", "error .github/failproof.yml: no-configuration", "write one with `failproof init`, or name it with --config"}},
		{"a configuration of another name", same, same, func(in *sides.Inputs) { in.Config = "other.yml" }, []string{"compared", "error other.yml: unreadable"}},
		{"a misnamed configuration", nil, runtest.Files{"failproof.yml": "", "failproof.yaml": shop["failproof.yml"]}, nil, []string{"none", "error failproof.yaml: no-configuration", "name it failproof.yml, or name it with --config"}},
		{"a configuration in a folder below", nil, runtest.Files{"failproof.yml": "", "web/failproof.yml": shop["failproof.yml"]}, nil, []string{"none", "error .github/failproof.yml: no-configuration", "run this there, or in a workflow, with `working-directory`"}},
		{"a configuration that hides the base's", same, runtest.Files{".github/failproof.yml": shop["failproof.yml"]}, nil, []string{"compared", "warning .github/failproof.yml: two-configurations", "error .github/failproof.yml: two-configurations"}},
		{"the default branch's configuration", runtest.Files{"failproof.yml": ""}, runtest.Files{"failproof.yml": ""}, func(in *sides.Inputs) { in.Fallback = folder(t, shop) }, []string{"compared deployment 0.85 "}},
		{"rules that changed since the merge base", same, same, func(in *sides.Inputs) {
			in.Rules = folder(t, shopWith(runtest.Files{"failproof.yml": "+phase: baseline\n", "t.yaml": "+trials: 2\n"}))
		}, []string{"compared baseline 0.15 ", "warning rules_differ"}},
		{"rules that are gone since the merge base", same, same, func(in *sides.Inputs) { in.Rules = folder(t, runtest.Files{}) }, []string{"compared deployment 0.85 head", "later configuration"}},
		{"rules that are mended since the merge base", runtest.Files{"failproof.yml": "{\n"}, same, func(in *sides.Inputs) { in.Rules = folder(t, shop) }, []string{"compared deployment 0.85 ", "base failproof.yml: syntax", "warning rules_differ"}},
		{"rules that the head changes apply later", same, runtest.Files{"failproof.yml": "+phase: baseline\n"}, nil, []string{"compared deployment 0.85 base", "later phase"}},
		{"and in a first run now", runtest.Files{"failproof.yml": "", "s.yaml": "", "t.yaml": "", "s.jsonl": ""}, runtest.Files{"failproof.yml": "+phase: baseline\n"}, nil, []string{"first_run baseline 0.15 head", "head s: a1 b1", "head t: c1"}},
		{"an error in the head", same, runtest.Files{"s.yaml": "cases: 1\n"}, nil, []string{"compared deployment 0.85 base", "error s.yaml: missing-key", "error s.yaml: prompt", "error s.yaml: type"}},
		{"an error in the base", runtest.Files{"s.yaml": "cases: 1\n"}, same, nil, []string{"compared deployment 0.85 base", "head s: a1 b1", "base s.yaml: missing-key", "base s.yaml: prompt", "base s.yaml: type"}},
		{"an error in the base's configuration", runtest.Files{"failproof.yml": "+gate: { max_drop: no }\n"}, runtest.Files{"failproof.yml": "+gate: { max_drop: 0.01 }\n"}, nil, []string{"compared deployment 0.85 base", "base failproof.yml: type", "now gate.max_drop"}},
		{"an error in the base's recordings drops what it has no answer to", runtest.Files{"s.jsonl": `{"suite_id": "s", "case_id": "a", "raw_response": "yes"}` + "\n{\n"}, runtest.Files{"p.md": "Is it {{ q }}\n"}, nil, []string{"compared deployment 0.85 base", "base s: a1", "base t: c1", "head s: a1 b1", "head t: c1", "base s.jsonl: recording"}},
		{"an answer to no case", nil, runtest.Files{"s.jsonl": "+" + `{"suite_id": "s", "case_id": "z", "raw_response": "yes"}` + "\n"}, nil, []string{"none deployment 0.85 head", "head s: a1 b1", "head t: c1", "warning s.jsonl: recording"}},
		{"an expired quarantine", runtest.Files{"failproof.yml": "+gate: { quarantine: [{ id: s/a, reason: x, expires: \"2020-01-01\" }, { id: s/b, reason: x, expires: \"2120-01-01\" }] }\n"}, same, nil, []string{"compared deployment 0.85 base", "warning quarantine_expired", "later gate.quarantine"}},
		{"another tool's results", nil, runtest.Files{"failproof.yml": "version: 1\nresults: { skills: { format: jsonl, head: x.jsonl } }\n"}, nil, []string{"none deployment 0.85 head", "error failproof.yml: results"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var base runtest.Files
			if c.base != nil {
				base = shopWith(c.base)
			}
			in := runtest.Inputs(t, shopWith(c.head), base, nil)
			in.Scope = sides.ScopeChanged
			if in.Now = func() time.Time { return time.Unix(1767600000, 0) }; c.change != nil {
				c.change(&in)
			}
			s, err := sides.Read(in)
			if got := state(s); err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func folder(t *testing.T, files runtest.Files) *source.Tree {
	t.Helper()
	tree, err := source.Worktree(runtest.Folder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
