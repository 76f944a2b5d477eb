package skilleval_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/failproof/failproof/internal/skilleval"
)

func TestFind(t *testing.T) {
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		"SKILL.md": "", "evals/evals.json": `{"skill_name": "root", "evals": [{"id": 1, "prompt": "x"}]}`,
		"skills/a/SKILL.md": "", "skills/a/evals.json": `{"skill_name": "a", "evals": [{"id": 1, "prompt": "x", "expected_output": "y", "expectations": ["1", "2"]},
			{"id": 2, "prompt": "x", "expected_output": "y"}, {"id": 3, "prompt": "x", "files": ["gone.txt"], "assertions": ["1"]}]}`,
		".claude/skills/bare/SKILL.md": "", ".hidden/SKILL.md": "", "node_modules/x/SKILL.md": "",
		"lost/evals/evals.json": `{"skill_name": "lost", "evals": [{"id": 1, "prompt": "x", "assertions": [{"text": "1"}]}]}`,
		"skills/v/SKILL.md":     "", "skills/w/SKILL.md": "", "vally/eval.yaml": "stimuli:\n  - { name: a, prompt: x, rubric: [y], environment: { skills: [../skills/v] } }\n" +
			"  - { name: b, prompt: x, environment: { skills: [../skills/w] }, graders: [{ type: file-exists, config: { path: x } }] }\n",
		"a/evals.json": `[]`, "b/evals.json": `{"evals": [{"id": 1}]}`, "c/evals.json": `{`, "d/evals.json": "\xff", "e/eval.yaml": "stimuli: 1",
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	found := skilleval.Find(tree)
	for what, c := range map[string]struct{ got, want any }{
		"skills": {found.Skills, []string{".claude/skills/bare/SKILL.md", "SKILL.md", "skills/a/SKILL.md", "skills/v/SKILL.md", "skills/w/SKILL.md"}},
		"evals": {found.Evals, []skilleval.Evals{{"evals/evals.json", []string{"."}, 1, 0, 0}, {"lost/evals/evals.json", nil, 0, 0, 0},
			{"skills/a/evals.json", []string{"skills/a"}, 3, 3, 1}, {"vally/eval.yaml", []string{"skills/v", "skills/w"}, 2, 1, 1}}},
		"bare":    {found.SkillsWithoutEvals(), []string{".claude/skills/bare/SKILL.md"}},
		"orphans": {found.EvalsWithoutSkill(), []string{"lost/evals/evals.json"}},
	} {
		if got, want := fmt.Sprint(c.got), fmt.Sprint(c.want); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}
