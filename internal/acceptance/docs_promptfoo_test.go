package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestThePromptfooPageShowsWhatTheImportWrites(t *testing.T) {
	page := shipped(t, "docs/promptfoo.md")
	source, shown := blocks(page, "yml"), blocks(page, "yaml")
	if len(source) != 1 || len(shown) != 2 {
		t.Fatalf("%d configurations of promptfoo and %d files are shown", len(source), len(shown))
	}
	dir := t.TempDir()
	lays(t, dir, map[string]string{"promptfooconfig.yaml": source[0], "prompts/support.txt": "Be kind. {{ question }}\n"})
	if code, _, errs := command(t, dir, "import", "promptfoo", "promptfooconfig.yaml"); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for i, name := range []string{"suites/support.yaml", ".github/failproof.yml"} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != shown[i] {
			t.Errorf("docs/promptfoo.md shows another %s than the command writes:\n%s", name, text)
		}
	}
	if code, out, errs := command(t, dir, "validate"); code != 0 || !strings.Contains(out, "1 suite, 2 cases, 1 criterion: valid") {
		t.Errorf("validate: %s%s", out, errs)
	}
}
