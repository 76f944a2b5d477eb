package coverage_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/checks/coverage"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

const suiteOf = "version: 1\nid: s\ncases: [{ id: a, expected_response: open, match: contains }]\nprompt: "

var before = runtest.Files{
	"failproof.yml":       "version: 1\nsuites: [suites/*.yaml]\ntargets: { kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n",
	"suites/s.yaml":       suiteOf + "../prompts/a.md\n",
	"prompts/a.md":        "Is it open?\n",
	"prompts/old.md":      "Is it closed?\n",
	"app/prompts/x.md":    "Hello\n",
	"recordings/s.jsonl":  `{"suite_id": "s", "case_id": "a", "raw_response": "it is open"}` + "\n",
	"other/failproof.yml": "version: 1\nsuites: [x.yaml]\n",
}

// skills are files of skills.
func skills(names ...string) runtest.Files {
	out := runtest.Files{}
	for _, name := range names {
		out[name] = "---\nname: n\ndescription: d\n---\n"
	}
	return out
}

func TestPromptsThatNobodyTestsAreNamed(t *testing.T) {
	edited := runtest.Files{"prompts/a.md": "Is it open now?\n"}
	for _, c := range []struct {
		rule     string
		change   runtest.Files
		suites   []string // of the command line
		bypassed []string // edited prompts that a case of the base used, and of the head does not
		untested []string // edited prompts that no suite uses
		deserted []string // unchanged prompts that lost their last suite
	}{
		{"nothing changes", nil, nil, nil, nil, nil},
		{"a prompt that its suite tests", edited, nil, nil, nil, nil},
		{"a new prompt beside one that is tested", runtest.Files{"prompts/b.md": "New.\n"}, nil, nil, []string{"prompts/b.md"}, nil},
		{"a document beside it", runtest.Files{"prompts/README.md": "New.\n"}, nil, nil, nil, nil},
		{"a prompt of another configuration", runtest.Files{"other/prompts/b.md": "New.\n"}, nil, nil, nil, nil},
		{"one that the configuration leaves out", runtest.Files{"prompts/b.md": "New.\n",
			"failproof.yml": "version: 1\nsuites: [suites/*.yaml, \"!prompts/b.md\"]\ntargets: { kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n"},
			nil, nil, nil, nil},
		{"skills, where suites ask one", skills("skills/a/SKILL.md", "skills/b/SKILL.md", ".claude/skills/c/SKILL.md", ".claude/notes.md").Merge(runtest.Files{
			"suites/t.yaml": strings.Replace(suiteOf, "id: s", "id: t", 1) + "{ skill: ../skills/a }\nmessages: [{ role: user, content: Hi }]\n", "recordings/t.jsonl": `{"suite_id": "t", "case_id": "a", "raw_response": "it is open"}` + "\n"}),
			nil, nil, []string{".claude/skills/c/SKILL.md", "skills/b/SKILL.md"}, nil},
		{"a reference beside one that a skill sends: unjudged_files names it", skills("skills/a/SKILL.md").Merge(runtest.Files{
			"skills/a/references/one.md": "One.\n", "skills/a/references/two.md": "Two.\n", "recordings/t.jsonl": `{"suite_id": "t", "case_id": "a", "raw_response": "it is open"}` + "\n",
			"suites/t.yaml": strings.Replace(suiteOf, "id: s", "id: t", 1) + "{ skill: ../skills/a }\nmessages: [{ role: user, content: Hi }]\n"}).Merge(runtest.Files{
			"skills/a/SKILL.md": "---\nname: n\ndescription: d\n---\nSee `references/one.md`.\n"}), nil, nil, nil, nil},
		{"skills, where none asks any", skills("skills/b/SKILL.md"), nil, nil, nil, nil},
		{"a run of some suites cannot tell", runtest.Files{"prompts/b.md": "New.\n"}, []string{"suites/s.yaml"}, nil, nil, nil},
		{"a run of some suites says which others the change touches", edited.Merge(runtest.Files{
			"suites/t.yaml": strings.Replace(suiteOf, "id: s", "id: t", 1) + "../prompts/a.md\n"}),
			[]string{"suites/s.yaml"}, nil, nil, nil},
		{"the case uses a copy, and the prompt stays", runtest.Files{"suites/s.yaml": suiteOf + "../prompts/copy.md\n", "prompts/copy.md": "Is it open?\n"},
			nil, nil, nil, []string{"prompts/a.md"}},
		{"a link in place of a prompt that nobody tests", runtest.Files{"prompts/old.md@": "../a.txt"}, nil, nil, []string{"prompts/old.md"}, nil},
		{"a new link", runtest.Files{"prompts/b.md@": "../a.txt"}, nil, nil, []string{"prompts/b.md"}, nil},
		{"a link in place of a folder of prompts", runtest.Files{"app/prompts@": "../x"}, nil, nil, []string{"app/prompts"}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := inputs(t, c.change)
			in.Suites = c.suites
			s, err := sides.Read(in)
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			found, check := gate.Run{}, coverage.New(s)
			check.Static(&found)
			if strings.Contains(c.rule, "which others") && (len(check.Warnings) != 1 || check.Warnings[0].Path != "suites/t.yaml") {
				t.Errorf("warnings %v, want one of suites/t.yaml", check.Warnings)
			}
			if !slices.Equal(found.BypassedPrompts, c.bypassed) || !slices.Equal(found.UntestedPrompts, c.untested) || !slices.Equal(found.DesertedPrompts, c.deserted) {
				t.Errorf("bypassed %v, untested %v, deserted %v; want %v, %v and %v", found.BypassedPrompts, found.UntestedPrompts, found.DesertedPrompts, c.bypassed, c.untested, c.deserted)
			}
			if len(found.PolicyChanges) > 0 {
				t.Errorf("changes of the rules: %v", found.PolicyChanges)
			}
		})
	}
}

func TestAnEditedPromptWhoseCasesLeaveItIsNamed(t *testing.T) {
	copied := runtest.Files{"prompts/a.md": "Is it open now?\n", "suites/s.yaml": suiteOf + "../prompts/copy.md\n",
		"prompts/copy.md": "Is it open?\n"}
	suiteT := func(prompt string) runtest.Files {
		return runtest.Files{"suites/t.yaml": strings.Replace(suiteOf, "id: s", "id: t", 1) + prompt + "\n",
			"recordings/t.jsonl": `{"suite_id": "t", "case_id": "a", "raw_response": "it is open"}` + "\n"}
	}
	for _, c := range []struct {
		rule                string
		change              runtest.Files
		removed             string   // a file of the base that the head lacks
		suites              []string // of the command line
		bypassed, abandoned bool     // how prompts/a.md is named
	}{
		{rule: "the case uses a copy", change: copied, abandoned: true},
		{rule: "the case uses a copy, and another suite asks the prompt", bypassed: true,
			change: copied.Merge(suiteT("../prompts/a.md"))},
		{rule: "other cases use a copy, and another suite asks the prompt", bypassed: true,
			change: copied.Merge(suiteT("../prompts/a.md")).Merge(runtest.Files{
				"suites/s.yaml":      "version: 1\nid: s\nprompt: ../prompts/copy.md\ncases: [{ id: z, vars: { q: x }, expected_response: open }]\n",
				"recordings/s.jsonl": `{"suite_id": "s", "case_id": "z", "raw_response": "open"}` + "\n"})},
		{rule: "the case uses a copy, and only a case without checks asks the prompt", abandoned: true,
			change: copied.Merge(suiteT("../prompts/a.md")).Merge(runtest.Files{
				"suites/t.yaml": "version: 1\nid: t\ncases: [{ id: a }]\nprompt: ../prompts/a.md\n"})},
		{rule: "the case uses a copy, and another suite sends the prompt as an earlier answer", abandoned: true,
			change: copied.Merge(suiteT("")).Merge(runtest.Files{"suites/t.yaml": "version: 1\nid: t\n" +
				"messages: [{ role: assistant, file: ../prompts/a.md }, { role: user, content: Hi }]\n" +
				"cases: [{ id: a, expected_response: open, match: contains }]\n"})},
		{rule: "a run of some suites cannot tell", change: copied, suites: []string{"suites/s.yaml"}, bypassed: true},
		{rule: "the suite gets a name that no pattern has", removed: "suites/s.yaml", abandoned: true,
			change: runtest.Files{"prompts/a.md": "Is it open now?\n",
				"suites/s.yml": suiteOf + "../prompts/a.md\n"}.Merge(suiteT("../prompts/old.md"))},
		{rule: "the suite goes, and the prompt stays as it is", removed: "suites/s.yaml", change: suiteT("../prompts/old.md")},
		{rule: "the prompt goes, too", change: copied, removed: "prompts/a.md"},
	} {
		in := inputs(t, c.change)
		in.Suites = c.suites
		if c.removed != "" {
			if err := os.Remove(filepath.Join(in.Dir, c.removed)); err != nil {
				t.Fatal(err)
			}
		}
		s, err := sides.Read(in)
		if err != nil || s.Selected == nil {
			t.Fatalf("%s: %v, faults %v", c.rule, err, s.Faults)
		}
		found := gate.Run{}
		coverage.New(s).Static(&found)
		for what, got := range map[string][]string{"bypassed": found.BypassedPrompts, "abandoned": found.AbandonedPrompts} {
			want := []string(nil)
			if what == "bypassed" && c.bypassed || what == "abandoned" && c.abandoned {
				want = []string{"prompts/a.md"}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s %v, want %v", c.rule, what, got, want)
			}
		}
	}
}

// inputs returns the inputs of a change of before. A name that ends in @ becomes a link, in place of what has its name.
func inputs(t *testing.T, change runtest.Files) sides.Inputs {
	in := runtest.Inputs(t, before.Merge(change), before, nil)
	for name, target := range change {
		name, isLink := strings.CutSuffix(filepath.Join(in.Dir, name), "@")
		if !isLink {
			continue
		}
		if err := errors.Join(os.Remove(name+"@"), os.RemoveAll(name), os.Symlink(target, name)); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

func TestANewConfigurationOverPromptsIsAChangeOfTheRules(t *testing.T) {
	const own = "version: 1\nsuites: [t/*.yaml]\n"
	for _, c := range []struct {
		rule     string
		change   runtest.Files
		untested []string
		changes  []string // of the rules
	}{
		{"over a tested prompt", runtest.Files{"prompts/failproof.yml": own}, nil, []string{"configuration of prompts/"}},
		{"over one that nobody tests, which changes too", runtest.Files{"app/.github/failproof.yml": own, "app/prompts/x.md": "New.\n"},
			[]string{"app/prompts/x.md"}, []string{"configuration of app/"}},
		{"in a new folder, with its prompts", runtest.Files{"more/failproof.yml": own, "more/prompts/x.md": "New.\n"}, nil, nil},
		{"in a folder without prompts", runtest.Files{"recordings/failproof.yml": own}, nil, nil},
		{"in a folder that has one", runtest.Files{"other/.github/failproof.yml": own}, nil, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			s, err := sides.Read(inputs(t, c.change))
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			found, changes := gate.Run{}, []string(nil)
			coverage.New(s).Static(&found)
			for _, change := range found.PolicyChanges {
				changes = append(changes, change.Key)
			}
			if !slices.Equal(changes, c.changes) || !slices.Equal(found.UntestedPrompts, c.untested) {
				t.Errorf("changes %v, untested %v; want %v and %v", changes, found.UntestedPrompts, c.changes, c.untested)
			}
		})
	}
}

func TestAPromptBehindManyOthersIsNamed(t *testing.T) {
	many := runtest.Files{}
	for i := range 1_100 {
		many[fmt.Sprintf("prompts/m%d.md", i)] = "Same.\n"
	}
	in := runtest.Inputs(t, before.Merge(many).Merge(runtest.Files{"prompts/z.md": "New.\n"}), before.Merge(many), nil)
	s, err := sides.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	found := gate.Run{}
	if coverage.New(s).Static(&found); !slices.Equal(found.UntestedPrompts, []string{"prompts/z.md"}) {
		t.Errorf("untested %v", found.UntestedPrompts)
	}
}

// What looks like a prompt is one, also if no suite has its like. If the caller names the configuration, others may
// have their own, and only what is beside a used prompt counts.
func TestWhatLooksLikeAPrompt(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		more       runtest.Files // that both sides have
		anywhere   bool
		beside     bool
	}{
		{"beside a used one", "prompts/b.md", nil, true, true},
		{"beside a used one, of another kind", "prompts/b.txt", nil, true, false},
		{"in a folder of prompts", "web/prompts/b.md", nil, true, false},
		{"no text in a folder of prompts", "web/prompts/b.png", nil, false, false},
		{"by its name", "web/system_prompt.txt", nil, true, false},
		{"a prompt file", "web/b.prompt.json", nil, false, false},
		{"a document", "prompts/README.md", nil, false, false},
		{"a text elsewhere", "web/b.md", nil, false, false},
		{"a text at the top", "b.md", nil, false, false},
		{"what an import wrote", "web/promptfooconfig.yaml", runtest.Files{"web/" + promptfoo.FindingsFile: "{}"}, true, false},
		{"the same without an import", "web/promptfooconfig.yaml", nil, false, false},
		{"a test of a prompt", "tests/prompts/b.md", nil, false, false},
		{"a skill, where no suite sends any", "skills/b/SKILL.md", nil, false, false},
	} {
		for _, named := range []bool{false, true} {
			base := before.Merge(c.more)
			in := runtest.Inputs(t, base.Merge(runtest.Files{c.name: "New.\n"}), base, nil)
			want := c.anywhere
			if named {
				in.Config, want = "failproof.yml", c.beside
			}
			s, err := sides.Read(in)
			if err != nil || s.Selected == nil {
				t.Fatalf("%s: %v, faults %v", c.rule, err, s.Faults)
			}
			found := gate.Run{}
			coverage.New(s).Static(&found)
			if got := slices.Contains(found.UntestedPrompts, c.name); got != want || len(found.UntestedPrompts) > 1 {
				t.Errorf("%s, named configuration %v: untested %q", c.rule, named, found.UntestedPrompts)
			}
		}
	}
}

// Without a base nothing was edited. A configuration that does not ask for it hears of no untested prompt.
func TestWhereUntestedPromptsAreNotLookedFor(t *testing.T) {
	off := runtest.Files{"failproof.yml": before["failproof.yml"] + "gate: { on_untested_prompt: off }\n"}
	change := runtest.Files{"prompts/b.md": "New.\n"}
	for rule, in := range map[string]sides.Inputs{
		"no base":      runtest.Inputs(t, before.Merge(change), nil, nil),
		"switched off": runtest.Inputs(t, before.Merge(off).Merge(change), before.Merge(off), nil),
	} {
		s, err := sides.Read(in)
		if err != nil || s.Selected == nil {
			t.Fatalf("%s: %v, faults %v", rule, err, s.Faults)
		}
		found, check := gate.Run{}, coverage.New(s)
		if check.Static(&found); len(found.UntestedPrompts)+len(check.Warnings) > 0 {
			t.Errorf("%s: untested %q, warnings %v", rule, found.UntestedPrompts, check.Warnings)
		}
	}
}
