package promptfoo

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Level says what a finding means to the user who imports.
type Level string

const (
	ToDo    Level = "to do"   // not converted; the user has to write it
	Changed Level = "changed" // converted with a difference in behavior
	LeftOut Level = "left"    // not converted; it judges no answer
)

// Finding is a part of the source that is missing or different in the result. Its texts may quote the source.
type Finding struct {
	Level   Level
	Path    string
	At      document.Position
	What    string // the part of the source that it is about
	Why     string
	Instead string // the nearest equivalent in failproof, or ""
}

// Place returns path:line:column, or only the path for a finding about a whole file.
func (f Finding) Place() string { return f.At.WithPath(f.Path) }

func (f Finding) isToDo() bool { return f.Level == ToDo }

// Group has findings that differ only in their places.
type Group struct {
	Finding // the first finding
	Others  []Finding
}

// Groups returns the findings in groups. The findings of a group differ only in their places.
func (r Result) Groups() (out []Group) {
	index := map[Finding]int{}
	for _, f := range r.Findings {
		key := f
		key.Path, key.At = "", document.Position{}
		if i, known := index[key]; known {
			out[i].Others = append(out[i].Others, f)
			continue
		}
		index[key] = len(out)
		out = append(out, Group{Finding: f})
	}
	return out
}

// String returns the group on one line, without the places.
func (g Group) String() string {
	if n := len(g.Others); n > 0 {
		return fmt.Sprintf("%d × %s", n+1, g.Finding)
	}
	return g.Finding.String()
}

// addFinding adds a finding about n. instead is the nearest equivalent in failproof, if there is one.
func addFinding(level Level, n node, what, why string, instead ...string) {
	n.src.findings = append(n.src.findings, Finding{level, n.path, n.Pos, what, why, strings.Join(instead, "")})
}

// conversionError says why something cannot be converted, and what its nearest equivalent is.
type conversionError struct{ why, instead string }

func (c conversionError) Error() string { return c.why }

// because returns a conversionError.
func because(why string, instead ...string) error {
	return conversionError{why, strings.Join(instead, "")}
}

// addError adds a ToDo for err, a conversionError.
func addError(n node, what string, err error) {
	why := err.(conversionError)
	addFinding(ToDo, n, what, why.why, why.instead)
}

// FindingsFile is the name of the file that lists the findings.
const FindingsFile = "promptfoo-import.md"

var headings = map[Level]struct{ title, says string }{
	ToDo:    {"To do", "Not converted. Write these yourself, or drop them."},
	Changed: {"Changed", "Converted, with a difference in behavior."},
	LeftOut: {"Left out", "These judge no answer."},
}

// findingsMarkdown returns the findings of r as Markdown. config is the path of the configuration that was converted.
func findingsMarkdown(config string, r Result) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Converted from %s\n\n", markdownCode(config))
	fmt.Fprintf(&b, "%s, %s: converted %s. Delete this file when you have read it.\n", text.Count(r.Suites, "suite"),
		text.Count(r.Cases, "case"), r.Extent())
	level := Level("")
	for _, g := range r.Groups() { // in the order of the levels
		if h := headings[g.Level]; g.Level != level {
			level = g.Level
			fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", h.title, h.says)
		}
		fmt.Fprintf(&b, "- %s %s\n", markdownCode(g.Place()), g.sentence(escapeMarkdown))
		if len(g.Others) > 0 {
			var places []string
			for _, f := range g.Others {
				places = append(places, markdownCode(f.Place()))
			}
			fmt.Fprintf(&b, "  Likewise at %s.\n", strings.Join(places, ", "))
		}
	}
	return []byte(b.String())
}

// String returns the finding on one line, without its place.
func (f Finding) String() string { return f.sentence(func(s string) string { return s }) }

func (f Finding) sentence(escape func(string) string) string {
	out := escape(document.Line(f.What)) + ": " + escape(document.Line(f.Why))
	if f.Instead != "" {
		out += ". Nearest: " + escape(document.Line(f.Instead))
	}
	return out
}

// markdownCode returns s as code in Markdown. It replaces backticks, which would end the code.
func markdownCode(s string) string { return "`" + strings.ReplaceAll(document.Line(s), "`", "'") + "`" }

// escapeMarkdown returns s with its Markdown escaped, except for code in backticks.
func escapeMarkdown(s string) string {
	if strings.Count(s, "`")%2 == 1 { // an unpaired one
		s = strings.ReplaceAll(s, "`", "'")
	}
	parts := strings.Split(s, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", "&lt;", "[", `\[`, "*", `\*`, "_", `\_`, "@", "&#64;").Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
