package promptfoo

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// ListName is the file that says what was not taken over.
const ListName = "promptfoo-import.md"

var headings = map[Level]struct{ title, says string }{
	Lost:    {"To do", "These are not in the result. Somebody has to write them, or to decide that they go."},
	Changed: {"Changed", "These are in the result, and mean something a little else."},
	Left:    {"Left out", "These judge no answer."},
}

// list is what was and was not taken over, as Markdown.
func list(config string, r Result) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Taken over from %s\n\n", code(config))
	fmt.Fprintf(&b, "%s, %s: taken over %s. Delete this file when you have read it.\n", text.Count(r.Suites, "suite"), text.Count(r.Cases, "case"), r.Extent())
	for i, f := range r.Findings { // which are in the order of the levels
		if h := headings[f.Level]; i == 0 || f.Level != r.Findings[i-1].Level {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", h.title, h.says)
		}
		fmt.Fprintf(&b, "- %s %s\n", code(f.Place()), f.says(mdInert))
	}
	return []byte(b.String())
}

// String is the finding on one line, without its place.
func (f Finding) String() string { return f.says(func(s string) string { return s }) }

func (f Finding) says(inert func(string) string) string {
	out := inert(document.Line(f.What)) + ": " + inert(document.Line(f.Why))
	if f.Instead != "" {
		out += ". Nearest: " + inert(document.Line(f.Instead))
	}
	return out
}

// code is a text as code of Markdown, which nothing in it ends.
func code(s string) string { return "`" + strings.ReplaceAll(document.Line(s), "`", "'") + "`" }

// mdInert keeps code in backticks, and takes the meaning from what would be markup elsewhere.
func mdInert(s string) string {
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 { // a backtick without its like
		return strings.NewReplacer("<", "&lt;", "[", `\[`, "`", "'").Replace(s)
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", "&lt;", "[", `\[`, "*", `\*`, "_", `\_`, "@", "&#64;").Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
