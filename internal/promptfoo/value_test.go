package promptfoo

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/document"
)

// texts that are easily something else in YAML.
var awkward = []string{"plain", "yes", "No", "null", "~", "1", "1e3", "0x1f", "010", "-5", "a: b", "a #b", "# a", "- a", "[a]", "{a}", "a, b", "'", `"`, `\`, "`a`", "@a", "%a", "&a", "*a", "!a", "|", ">",
	" a", "a ", "a\nb", "a\nb\n", "a\n\nb", "\na", "a\n\n", "  a\nb", "a\tb", "a\r\nb", "é", "日本", "🙂", "\u00a0", "\u2028", "\ufeff", "\u200b", "a:", "a?", "? a", "=", "<<", "{{ a }}", "{{ a }}: b", "---", "...",
	"2026-01-01", "1:30", ".5", ".nan", "", strings.Repeat("long ", 60), "tab\tin\nlines", "trailing \nspace", "\x7f", "\U000e0041"}

func TestATextIsReadAsItWasWritten(t *testing.T) {
	for _, text := range awkward {
		checkRoundTrip(t, text)
	}
}

func FuzzATextIsReadAsItWasWritten(f *testing.F) {
	for _, text := range awkward {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ToValidUTF8(text, "") == text && !strings.ContainsRune(text, 0) {
			checkRoundTrip(t, text)
		}
	})
}

func checkRoundTrip(t *testing.T, text string) {
	t.Helper()
	for _, v := range []*value{
		mapOf().set("k", str(text)).set("l", str("end")),
		mapOf().set("k", listOf(mapOf().set("a", str(text)).set("b", str("end")), str(text))),
		mapOf().set("k", mapOf().set("a", mapOf().set("b", str(text)))),
	} {
		yaml := v.yaml()
		root, ds := document.Parse("a.yaml", yaml)
		if document.HasErrors(ds) {
			if len(ds) == 1 && ds[0].Rule == "encoding" {
				return // characters that no file may hold
			}
			t.Fatalf("%q: %v\n%s", text, ds, yaml)
		}
		if got := convertNode(root).json(); got != v.json() {
			t.Errorf("%q was read as %s, of\n%s", text, got, yaml)
		}
	}
}
