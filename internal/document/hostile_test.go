package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
)

// filled repeats a numbered text up to an eighth of the limit of a YAML file, or a fortieth in a short run.
func filled(begin, format string) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := 0; b.Len() < MaxYAML/fulltest.Count(40, 8); i++ {
		if strings.Contains(format, "%") {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}

// TestFilesThatAreMadeToBeSlow would time out if any step took quadratic time.
func TestFilesThatAreMadeToBeSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("large files are for the run in full")
	}
	schema := wideSchemaOf(t)
	for rule, text := range map[string]string{
		"faults in a large map":      filled("names:\n", "  k%d: 1\n"),
		"keys that do not fit":       filled("names:\n", "  K%d: {value: 1}\n"),
		"unknown keys":               filled("", "mach%d: 1\n"),
		"words":                      filled("list:\n", "- no\n"),
		"words in a map":             filled("names:\n", "  a%d: off\n"),
		"words that are listed":      filled("gate: off\nlist:\n", "- off\n"),
		"equal items":                filled("list:\n", "- a\n"),
		"keys that stand twice":      filled("", "a: 1\n"),
		"aliases":                    filled("a: &a 1\nb:\n", "- *a\n"),
		"tags":                       filled("b:\n", "- !a b\n"),
		"numbers":                    filled("b:\n", "- 010\n"),
		"comments":                   filled("a: 1\n", "# x\n"),
		"comments between items":     filled("a:\n", "- b\n# x\n"),
		"comments at all depths":     filled("a:\n", "  b%d:\n    # x\n   # y\n  # z\n# u\n"),
		"comments behind values":     filled("a:\n", "- b # x\n"),
		"blank lines":                filled("a: 1\n", "\n"),
		"empty items":                filled("a:\n", "-\n"),
		"flow maps":                  filled("a: [", "{b: c},"),
		"quotes that do not end":     filled("a: \"", "x "),
		"plain text of many lines":   filled("a: b\n", "  c\n"),
		"folded text":                filled("a: >\n", "  c\n\n"),
		"keys of questions":          filled("", "? a%d\n"),
		"questions in flow":          filled("[", "? a,"),
		"colons":                     filled("a", ":"),
		"open braces of one line":    filled("a: ", "{"),
		"brackets that open and end": filled("a: [", "[],"),
		"one long key":               filled("", "k"),
		"second documents":           filled("a: 1\n", "---\n"),
		"conflict markers":           filled("a: 1\n", "<<<<<<< a\n"),
		"control characters":         filled("a: ", "\x1b\n"),
		"JSON that is none":          filled("[", "1,"),
		"JSON with escapes":          filled(`["`, `\u0041`),
		"digits":                     filled("a: ", "1"),
	} {
		t.Run(rule, func(t *testing.T) {
			root, ds := Parse("f.yaml", []byte(text))
			all := NewDiagnostics("f.yaml")
			all.Add(append(ds, schema.Check("f.yaml", root)...)...)
			if len(all.All()) > maxListed+1 {
				t.Errorf("%d diagnostics", len(all.All()))
			}
			for _, d := range all.All() {
				wellFormed(t, d)
			}
		})
	}
}
