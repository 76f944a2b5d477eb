package promptname_test

import (
	"path"
	"testing"

	"github.com/failproof/failproof/internal/promptname"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		name                               string
		text, inFolder, called, isDocument bool
	}{
		{"prompts/refund.md", true, true, false, false},
		{"app/System_Prompts/en/refund.j2", true, true, false, false},
		{"app/prompt-templates/refund.hbs", true, true, false, false},
		{"app/promptness/refund.md", true, false, false, false},
		{"system_prompt.md", true, false, true, false},
		{"refund.prompt", true, false, true, false},
		{"refund.prompt.yml", false, false, true, false},
		{"lib/refund.prompty", true, false, true, false},
		{"impromptu.md", true, false, false, false},
		{"prompts/README.md", true, true, false, true},
		{"prompts/requirements-dev.txt", true, true, false, true},
		{"prompts/render.py", false, true, false, false},
	} {
		if got := promptname.IsText(c.name); got != c.text {
			t.Errorf("IsText(%q) = %v", c.name, got)
		}
		if got := promptname.InPromptFolder(c.name); got != c.inFolder {
			t.Errorf("InPromptFolder(%q) = %v", c.name, got)
		}
		if got := promptname.IsPrompt(c.name); got != c.called {
			t.Errorf("IsPrompt(%q) = %v", c.name, got)
		}
		if got := promptname.IsDocument(c.name); got != c.isDocument {
			t.Errorf("IsDocument(%q) = %v", c.name, got)
		}
	}
	for name, want := range map[string]bool{".": false, ".github": true, "vendor": true, "Docs": true, "tests": true, "app": false, path.Base("a/prompts"): false} {
		if got := promptname.IsOtherFolder(name); got != want {
			t.Errorf("IsOtherFolder(%q) = %v", name, got)
		}
	}
}
