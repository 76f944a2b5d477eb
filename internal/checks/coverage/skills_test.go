package coverage_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/checks/coverage"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run/runtest"
	"github.com/failproof/failproof/internal/sides"
)

// skillAt returns a repository with one skill in a folder, which its only suite sends. front is more front matter.
func skillAt(dir, front string) runtest.Files {
	return runtest.Files{
		"failproof.yml":            before["failproof.yml"],
		"recordings/s.jsonl":       before["recordings/s.jsonl"],
		"suites/s.yaml":            suiteOf + "{ skill: ../" + dir + " }\nmessages: [{ role: user, content: Hi }]\n",
		dir + "/SKILL.md":          "---\nname: n\ndescription: d\n" + front + "---\nSee `references/one.md`.\n",
		dir + "/references/one.md": "One.\n",
		dir + "/references/two.md": "Two.\n",
		dir + "/scripts/x.sh":      "echo\n",
	}
}

func without(files runtest.Files, name string) runtest.Files {
	files = files.Merge(nil)
	delete(files, name)
	return files
}

func TestWhatChangedInASkillAndNoAnswerShows(t *testing.T) {
	const tools = "allowed-tools: Bash(*)\n"
	was := skillAt("skills/a", "")
	for _, c := range []struct {
		rule               string
		base, head         runtest.Files
		unjudged, untested []string
		settings           string
	}{
		{"nothing", was, was, nil, nil, ""},
		{"a move", was, skillAt("skills/b", ""), nil, nil, ""},
		{"a move to another level", was, skillAt("b", ""), nil, nil, ""},
		{"a move with an edit", was, skillAt("skills/b", "").Merge(runtest.Files{"skills/b/scripts/x.sh": "rm\n"}),
			[]string{"skills/a/scripts/x.sh", "skills/b/scripts/x.sh"}, nil, ""},
		{"a move that drops a file", was, without(skillAt("skills/b", ""), "skills/b/scripts/x.sh"), []string{"skills/a/scripts/x.sh"}, nil, ""},
		{"a copy, and the old skill is kept", was, skillAt("skills/b", "").Merge(runtest.Files{"skills/a/SKILL.md": was["skills/a/SKILL.md"]}),
			[]string{"skills/a/references/two.md", "skills/a/scripts/x.sh", "skills/b/references/two.md", "skills/b/scripts/x.sh"}, nil, ""},
		{"a setting that is new", was, skillAt("skills/a", tools), nil, nil,
			`"allowed-tools" of the skill changed, which no model is sent: review what it allows`},
		{"a setting that is edited, and one that is removed", skillAt("skills/a", "allowed-tools: Read\nmodel: m\nlicense: MIT\n"), skillAt("skills/a", "license: MIT\n"+tools), nil, nil,
			`"allowed-tools" and "model" of the skill changed, which no model is sent: review what it allows`},
		{"a setting of a skill that moves", was, skillAt("skills/b", tools), nil, nil,
			`"allowed-tools" of the skill changed, which no model is sent: review what it allows`},
		{"the same list, written otherwise", skillAt("skills/a", "allowed-tools: [Read, Bash]\n"), skillAt("skills/a", "allowed-tools:\n  - Read\n  - Bash\n"), nil, nil, ""},
		{"the description alone, which is sent", was, was.Merge(runtest.Files{"skills/a/SKILL.md": "---\nname: n\ndescription: e\n---\nSee `references/one.md`.\n"}), nil, nil, ""},
		{"a new skill", without(before, "other/failproof.yml"), before.Merge(skillAt("skills/a", tools)), []string{"skills/a/references/two.md", "skills/a/scripts/x.sh"}, nil, ""},
	} {
		s, err := sides.Read(runtest.Inputs(t, c.head, c.base, nil))
		if err != nil || s.Selected == nil {
			t.Fatalf("%s: %v, faults %v", c.rule, err, s.Faults)
		}
		found, check := gate.Run{}, coverage.New(s)
		check.Static(&found)
		if !slices.Equal(found.UnjudgedFiles, c.unjudged) || !slices.Equal(found.UntestedPrompts, c.untested) {
			t.Errorf("%s: unjudged %q, untested %q", c.rule, found.UnjudgedFiles, found.UntestedPrompts)
		}
		var want []string
		if c.settings != "" {
			want = []string{c.settings}
		}
		var got []string
		for _, w := range check.Warnings {
			if got = append(got, w.Message); w.Code != report.WarnSkillSettings {
				t.Errorf("%s: %+v", c.rule, w)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: warnings %q, want %q", c.rule, got, want)
		}
	}
}
