package document

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/text"
)

// Severity is the kind of a diagnostic. An error stops the run, and a warning does not.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is an error or a warning about a user's file. Line and Column begin at 1. Both are 0 if the diagnostic is
// about the whole file. Path and Message may quote the file, so only package render prints them.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Rule     string   `json:"rule"`    // kebab-case name of the rule: unknown-key, duplicate-key, not-a-number, …
	Message  string   `json:"message"` // what is wrong, what was expected, what to do; one line
}

// Position is a position in a file. Line and Column begin at 1, and Column counts runes. The zero Position means the
// whole file.
type Position struct {
	Line   int
	Column int
}

var fileStart = Position{Line: 1, Column: 1}

// WithPath returns path:line:column. For the zero Position, it returns only the path.
func (p Position) WithPath(path string) string {
	if p.Line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d:%d", path, p.Line, p.Column)
}

// compare compares p and other by line, then by column. The result is negative if p comes first.
func (p Position) compare(other Position) int {
	return cmp.Or(cmp.Compare(p.Line, other.Line), cmp.Compare(p.Column, other.Column))
}

// Behind returns the position right after text, which begins at p. Only LF ends a line.
func (p Position) Behind(text string) Position {
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		p, text = Position{p.Line + strings.Count(text, "\n"), 1}, text[at+1:]
	}
	p.Column += utf8.RuneCountInString(text)
	return p
}

// NewError returns an error at the given position in the file at path. The formatted message is made one line by Line.
func NewError(path string, at Position, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Error, path, at.Line, at.Column, rule, Line(fmt.Sprintf(format, args...))}
}

// NewWarning returns a warning at the given position in the file at path. The formatted message is made one line by
// Line.
func NewWarning(path string, at Position, rule, format string, args ...any) Diagnostic {
	d := NewError(path, at, rule, format, args...)
	d.Severity = Warning
	return d
}

// Pos returns the position of the diagnostic in its file.
func (d Diagnostic) Pos() Position { return Position{d.Line, d.Column} }

// Location returns path:line:column, or only the path if the diagnostic is about the whole file.
func (d Diagnostic) Location() string { return d.Pos().WithPath(d.Path) }

// HasErrors reports whether any of ds is an error.
func HasErrors(ds []Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Faults are the diagnostics of files, of which one is an error.
type Faults []Diagnostic

// Error returns the first error with its place.
func (f Faults) Error() string {
	first := f[slices.IndexFunc(f, func(d Diagnostic) bool { return d.Severity == Error })]
	return first.Location() + ": " + first.Message
}

// AsError returns ds as Faults, or nil if none of ds is an error.
func AsError(ds []Diagnostic) error {
	if HasErrors(ds) {
		return Faults(ds)
	}
	return nil
}

// Sort sorts ds by path, line, column and rule. Diagnostics that are equal in these keep their order.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Pos().compare(b.Pos()), cmp.Compare(a.Rule, b.Rule))
	})
}

const (
	maxMessage = 300 // largest length of a message in bytes
	maxShown   = 60  // largest number of runes of a value that a message repeats
	maxListed  = 100 // diagnostics that are listed for one file; a hostile file could have a million
)

// Diagnostics collects the diagnostics of one file. It drops repeated ones.
type Diagnostics struct {
	Path  string
	Limit int // the largest number of diagnostics that are listed; 0 means no limit

	list     []Diagnostic
	seen     map[Diagnostic]bool
	unlisted int      // number of diagnostics beyond Limit
	severity Severity // the worst severity of those
}

// NewDiagnostics returns an empty collection for the file at path. Its limit is maxListed.
func NewDiagnostics(path string) *Diagnostics { return &Diagnostics{Path: path, Limit: maxListed} }

// ErrorAt adds an error at the given position in the file.
func (f *Diagnostics) ErrorAt(at Position, rule, format string, args ...any) {
	f.Add(NewError(f.Path, at, rule, format, args...))
}

// WarnAt adds a warning at the given position in the file.
func (f *Diagnostics) WarnAt(at Position, rule, format string, args ...any) {
	f.Add(NewWarning(f.Path, at, rule, format, args...))
}

// Add adds the diagnostics ds. Once Limit is reached, Add only counts further diagnostics.
func (f *Diagnostics) Add(ds ...Diagnostic) {
	for _, d := range ds {
		switch {
		case f.seen[d]:
		case f.Limit > 0 && len(f.list) >= f.Limit:
			if f.unlisted++; f.severity != Error {
				f.severity = d.Severity
			}
		default:
			if f.seen == nil {
				f.seen = map[Diagnostic]bool{}
			}
			f.seen[d] = true
			f.list = append(f.list, d)
		}
	}
}

// HasErrors reports whether an error was added.
func (f *Diagnostics) HasErrors() bool { return f.severity == Error || HasErrors(f.list) }

// All returns the diagnostics in file order. If the limit was exceeded, a last one says how many are not listed. It is
// an error if one of them is.
func (f *Diagnostics) All() []Diagnostic {
	Sort(f.list)
	if f.unlisted == 0 {
		return f.list
	}
	return append(f.list, Diagnostic{f.severity, f.Path, 0, 0, "too-many-faults",
		fmt.Sprintf("%d more faults are not listed", f.unlisted)})
}

// Quote returns at most 60 runes of s, a text from a file, in quotes and in a form that is safe to print.
func Quote(s string) string {
	s = redact.RedactKeys(s) // a user may write the key itself in place of its variable's name
	if head := text.FirstRunes(s, maxShown); head != s {
		return strings.TrimSuffix(strconv.Quote(head), `"`) + `…"`
	}
	return strconv.Quote(s)
}

// Line returns message as one line of valid UTF-8 of at most 300 bytes without control characters.
func Line(message string) string {
	visible := func(r rune) rune {
		if strconv.IsPrint(r) || strings.ContainsRune("\n\t\r", r) {
			return r
		}
		return '\uFFFD' // a control character, or one that changes the writing direction
	}
	message = strings.Map(visible, strings.ToValidUTF8(redact.RedactKeys(message), "\uFFFD"))
	return text.TruncateBytes(strings.Join(strings.Fields(message), " "), maxMessage)
}
