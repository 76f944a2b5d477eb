package skill_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/skill"
)

// What nests deeply or is never closed must not take more than a moment, however long a SKILL.md may be.
func TestHostileMarkdownIsRead(t *testing.T) {
	for _, unit := range []string{"[", "![", "[a](", "`", "``` ", "<", "*a ", "_*", "> ", "- ", "[a]: b\n", "[a][b]", "&", "\\", "[a](<", "(", "`a`", "[ `a` ", "`a` ](", "[a]: "} {
		text := head + strings.Repeat(unit, (200<<10)/len(unit))
		if s, _ := skill.Read(tree(map[string]string{"s/SKILL.md": text}), "s", skill.ReferencesLinked); s == nil || len(s.Files) != 1 {
			t.Errorf("%q: %v", unit, s)
		}
	}
}

func TestHostileImportsAreRead(t *testing.T) {
	for _, unit := range []string{"@", " @a", "`", "` @a.md ", "@CLAUDE.md ", " @../", "```\n@a.md\n"} {
		text := strings.Repeat(unit, (200<<10)/len(unit))
		files := tree(map[string]string{"CLAUDE.md": text, "a.md": "x"})
		if i, ds := skill.ReadInstructions(files, []string{"CLAUDE.md"}, ""); i == nil && len(ds) == 0 {
			t.Errorf("%q: nothing is read and nothing said", unit)
		}
	}
}
