package coverage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/checks/coverage"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

const suiteOf = "version: 1\nid: s\ncases: [{ id: a, expected_response: open, match: contains }]\nprompt: "

var before = runtest.Files{
	"failproof.yml":       "version: 1\nsuites: [suites/*.yaml]\ntargets: { kept: { provider: recorded, path: \"recordings/{suite}.jsonl\" } }\n",
	"suites/s.yaml":       suiteOf + "../prompts/a.md\n",
	"prompts/a.md":        "Is it open?\n",
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
		warns    []string // prompts that are left behind
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
		{"skills, where none asks any", skills("skills/b/SKILL.md"), nil, nil, nil, nil},
		{"a run of some suites cannot tell", runtest.Files{"prompts/b.md": "New.\n"}, []string{"suites/s.yaml"}, nil, nil, nil},
		{"a run of some suites says which others the change touches", edited.Merge(runtest.Files{
			"suites/t.yaml": strings.Replace(suiteOf, "id: s", "id: t", 1) + "../prompts/a.md\n"}),
			[]string{"suites/s.yaml"}, nil, nil, []string{"suites/t.yaml"}},
		{"the case uses a copy, and the prompt becomes another", edited.Merge(runtest.Files{"suites/s.yaml": suiteOf + "../prompts/copy.md\n", "prompts/copy.md": "Is it open?\n"}),
			nil, []string{"prompts/a.md"}, nil, nil},
		{"the case uses a copy, and the prompt stays", runtest.Files{"suites/s.yaml": suiteOf + "../prompts/copy.md\n", "prompts/copy.md": "Is it open?\n"},
			nil, nil, nil, []string{"prompts/a.md"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			in := runtest.Inputs(t, before.Merge(c.change), before, nil)
			in.Suites = c.suites
			s, err := sides.Read(in)
			if err != nil || s.Selected == nil {
				t.Fatalf("%v, faults %v", err, s.Faults)
			}
			check, found, warns := coverage.New(s), gate.Run{}, []string(nil)
			check.Static(&found)
			for _, w := range check.Warnings {
				warns = append(warns, w.Path)
			}
			if !slices.Equal(found.BypassedPrompts, c.bypassed) || !slices.Equal(found.UntestedPrompts, c.untested) || !slices.Equal(warns, c.warns) {
				t.Errorf("bypassed %v, untested %v, left behind %v; want %v, %v and %v", found.BypassedPrompts, found.UntestedPrompts, warns, c.bypassed, c.untested, c.warns)
			}
		})
	}
}
