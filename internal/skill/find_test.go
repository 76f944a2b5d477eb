package skill_test

import (
	"slices"
	"testing"

	"github.com/failproof/failproof/internal/skill"
)

func TestFind(t *testing.T) {
	const evals = `{"skill_name": "a", "evals": [{"prompt": "x", "expected_output": "y", "expectations": ["1", "2"]}, {"prompt": "x", "expected_output": "y"}]}`
	found := skill.Find(tree(map[string]string{
		"SKILL.md": head, "evals/evals.json": `{"evals": [{"prompt": "x"}]}`,
		"skills/a/SKILL.md": head, "tests/evals.json": evals,
		".claude/skills/bare/SKILL.md": head, ".hidden/SKILL.md": head, "node_modules/x/SKILL.md": head,
		"lost/evals/evals.json": `{"skill_name": "lost", "evals": [{"prompt": "x", "assertions": [{"text": "1"}]}]}`,
		"a/evals.json":          `[]`, "b/evals.json": `{"evals": [{"id": 1}]}`, "c/evals.json": `{`, "d/evals.json": "\xff",
	}))
	if beside := (skill.Evals{Path: "x/evals.json"}); !beside.Of("x/SKILL.md") {
		t.Error("cases beside SKILL.md are of another skill")
	}
	if want := []string{".claude/skills/bare/SKILL.md", "SKILL.md", "skills/a/SKILL.md"}; !slices.Equal(found.Skills, want) {
		t.Errorf("skills %q", found.Skills)
	}
	want := []skill.Evals{{"evals/evals.json", "", 1, 0}, {"lost/evals/evals.json", "lost", 1, 1}, {"tests/evals.json", "a", 2, 3}}
	if !slices.Equal(found.Evals, want) {
		t.Errorf("evals %v", found.Evals)
	}
	if got := found.Bare(); !slices.Equal(got, []string{".claude/skills/bare/SKILL.md"}) {
		t.Errorf("bare %q", got)
	}
	if got := found.Orphans(); !slices.Equal(got, []string{"lost/evals/evals.json"}) {
		t.Errorf("orphans %q", got)
	}
}
