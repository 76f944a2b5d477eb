package suite

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/suiteid"
)

const refunds = "---\nname: refunds\ndescription: Decides refunds.\n---\nSee `days.md`. {{ name }} ${HOME}\n"

// skilled returns the files of a tree whose suite tests a skill.
func skilled(text string, more map[string]string) map[string]string {
	files := one(text)
	files["skills/refunds/SKILL.md"], files["skills/refunds/days.md"], files["skills/refunds/scripts/run.py"] = refunds, "30 days.\n", "x"
	maps.Copy(files, more)
	return files
}

func TestASkillIsTheSystemMessageOfASuite(t *testing.T) {
	system := model.Message{Role: "system", Content: "Skill refunds: Decides refunds.\n\nSee `days.md`. {{ name }} ${HOME}\n\n<file path=\"days.md\">\n30 days.\n</file>"}
	tests := []struct {
		name, text string
		want       []model.Message
	}{
		{"the user says the task", "prompt: { skill: ../skills/refunds }\ncases: [{ id: a, vars: { task: Refund? } }]\n",
			[]model.Message{system, {Role: "user", Content: "Refund?"}}},
		{"SKILL.md itself may be named", "prompt: { skill: ../skills/refunds/SKILL.md }\ncases: [{ id: a, vars: { task: Refund? } }]\n",
			[]model.Message{system, {Role: "user", Content: "Refund?"}}},
		{"the suite has messages", "prompt: { skill: ../skills/refunds }\nmessages: [{ role: user, content: \"Q: {{ q }}\" }]\ncases: [{ id: a, vars: { q: Refund? } }]\n",
			[]model.Message{system, {Role: "user", Content: "Q: Refund?"}}},
		{"each case has messages", "prompt: { skill: ../skills/refunds }\ncases: [{ id: a, messages: [{ role: user, content: Hi }] }]\n",
			[]model.Message{system, {Role: "user", Content: "Hi"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			suites, ds := loaded(skilled(test.text, nil))
			check(t, ds, nil)
			if diff := cmp.Diff(test.want, suites[0].Cases[0].Prompt.Messages); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := suites[0].PromptPaths(); !cmp.Equal(got, []string{"skills/refunds/SKILL.md", "skills/refunds/days.md"}) {
				t.Errorf("sends %q", got)
			}
			if got := suites[0].AgentSource; got != "SKILL.md and 1 reference, 95 bytes" {
				t.Errorf("sent: %s", got)
			}
			if got := suites[0].CaseFileRole(suites[0].Cases[0], "skills/refunds/days.md"); got != PromptText {
				t.Errorf("the reference is %v", got)
			}
		})
	}
}

func TestWhatOfASkillBringsItsSuiteIntoScope(t *testing.T) {
	const text = "prompt: { skill: ../skills/refunds }\ncases: [{ id: a, vars: { task: Refund? } }]\n"
	tests := []struct {
		name   string
		change map[string]string
		files  []string // files that are reported as changed
		touch  bool
	}{
		{"nothing", nil, nil, false},
		{"its text", map[string]string{"skills/refunds/SKILL.md": refunds + "Always."}, []string{"skills/refunds/SKILL.md"}, true},
		{"a reference", map[string]string{"skills/refunds/days.md": "40 days.\n"}, []string{"skills/refunds/days.md"}, true},
		{"which references are sent", map[string]string{"suites/s.yaml": "version: 1\nprompt: { skill: ../skills/refunds, references: none }\ncases: [{ id: a, vars: { task: Refund? } }]\n"}, nil, true},
		{"a script", map[string]string{"skills/refunds/scripts/run.py": "y"}, nil, false},
		{"another setting of the front matter", map[string]string{"skills/refunds/SKILL.md": "---\nlicense: MIT\n" + refunds[4:]}, []string{"skills/refunds/SKILL.md"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, _ := loaded(skilled(text, nil))
			head, ds := loaded(skilled(text, test.change))
			check(t, ds, nil)
			if touched := len(Scope(Join(base, head), Recordings{}).Suites) == 1; touched != test.touch {
				t.Errorf("touched: %t", touched)
			}
			var files []string
			for _, p := range ChangedFiles(base[0], head[0]) {
				files = append(files, p.Head.Path)
			}
			if !cmp.Equal(files, test.files) {
				t.Errorf("changed files %q, want %q", files, test.files)
			}
			if said := ChangedMessages(suiteid.Matches{}, base[0], head[0], 9); (len(said) == 1) != (test.touch && files == nil) {
				t.Errorf("said: %v", said)
			}
		})
	}
}

func TestFaultsOfSkillsInSuites(t *testing.T) {
	const cases = "cases: [{ id: a, vars: { task: Refund? } }]\n"
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"no folder", skilled("prompt: { skill: skills/refunds }\n"+cases, nil), []string{`suites/s.yaml:2:18 path: skill "skills/refunds/SKILL.md" does not exist; …write "../skills/refunds/SKILL.md"`}},
		{"a path that leads out", skilled("prompt: { skill: ../../x }\n"+cases, nil), []string{"suites/s.yaml:2:18 path: …leads out"}},
		{"no skill is named", skilled("prompt: { references: all }\n"+cases, nil), []string{"suites/s.yaml:2:9 prompt: a prompt that is a map names a `skill` or `instructions`"}},
		{"unknown references", skilled("prompt: { skill: ../skills/refunds, references: some }\n"+cases, nil), []string{"suites/s.yaml:2:49 enum: "}},
		{"a fault of the skill", skilled("prompt: { skill: ../skills/refunds }\n"+cases, map[string]string{"skills/refunds/SKILL.md": "x"}), []string{"skills/refunds/SKILL.md:1:1 front-matter: "}},
		{"a reference in conflict", skilled("prompt: { skill: ../skills/refunds }\n"+cases, map[string]string{"skills/refunds/days.md": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"}),
			[]string{"skills/refunds/days.md:1:1 merge-conflict: merge conflict marker `<<<<<<<`; resolve"}},
		{"no task", skilled("prompt: { skill: ../skills/refunds }\ncases: [{ id: a }]\n", nil), []string{`suites/s.yaml:2:9 undefined-variable: variable "task" is not defined in case a`}},
		{"a case asks nothing", skilled("prompt: { skill: ../skills/refunds }\ncases: [{ id: a, messages: [{ role: user, content: Hi }] }, { id: b }]\n", nil), []string{"suites/s.yaml:3:61 prompt: the case has no `messages`"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, ds := loaded(test.files)
			check(t, ds, test.want)
		})
	}
}

func TestInstructionsAreTheSystemMessageOfASuite(t *testing.T) {
	const cases = "cases: [{ id: a, vars: { task: Go. } }]\n"
	files := func(prompt string) map[string]string {
		out := one("prompt: " + prompt + "\n" + cases)
		out["AGENTS.md"], out["src/AGENTS.md"], out[".cursor/rules/go.mdc"] = "Root {{ x }}.", "Sources.", "---\nglobs: *.go\n---\nGo."
		return out
	}
	tests := []struct {
		prompt string
		sends  []string
		says   []string
	}{
		{"{ instructions: ../AGENTS.md }", []string{"AGENTS.md"}, nil},
		{"{ instructions: ../AGENTS.md, for: src/a.go }", []string{"AGENTS.md", "src/AGENTS.md"}, nil},
		{"{ instructions: [.., ../src], for: ./src/a.go }", []string{"AGENTS.md", "src/AGENTS.md", ".cursor/rules/go.mdc"}, nil},
		{"{ instructions: ../../AGENTS.md }", nil, []string{"suites/s.yaml:2:25 path: …leads out"}},
		{"{ instructions: AGENTS.md }", nil, []string{`suites/s.yaml:2:25 path: instructions "AGENTS.md" does not exist; …write "../AGENTS.md"`}},
		{"{ instructions: ../AGENTS.md, for: /a.go }", nil, []string{`suites/s.yaml:2:44 path: for "/a.go" is absolute; write it from the folder of the configuration`}},
		{"{ instructions: ../AGENTS.md, for: ../a.go }", nil, []string{`suites/s.yaml:2:44 path: for "../a.go" leads out`}},
		{"{ instructions: ../AGENTS.md, references: all }", nil, []string{"suites/s.yaml:2:39 prompt: `references` go with a `skill`"}},
		{"{ skill: ../s, for: a.go }", nil, []string{"suites/s.yaml:2:24 prompt: `for` goes with `instructions`"}},
		{"{ skill: ../s, instructions: ../AGENTS.md }", nil, []string{"suites/s.yaml:2:9 prompt: a prompt that is a map names a `skill` or `instructions`, and not both"}},
		{"{ instructions: [] }", nil, []string{"suites/s.yaml:2:25 "}},
		{"{ instructions: 3 }", nil, []string{"suites/s.yaml:2:25 "}},
		{"{}", nil, []string{"suites/s.yaml:2:9 prompt: "}},
	}
	for _, test := range tests {
		t.Run(test.prompt, func(t *testing.T) {
			suites, ds := loaded(files(test.prompt))
			check(t, ds, test.says)
			if test.says == nil && !cmp.Equal(suites[0].PromptPaths(), test.sends) {
				t.Errorf("sends %q", suites[0].PromptPaths())
			}
		})
	}
}
