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

// Severity separates errors, which stop the run, from warnings.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is an error or a warning about a user's file. Line and Column are 1-based; 0 means the whole file. Path
// and Message may quote the file, so only package render prints them.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Rule     string   `json:"rule"`    // kebab-case name of the rule: unknown-key, duplicate-key, not-a-number, …
	Message  string   `json:"message"` // what is wrong, what was expected, what to do; one line
}

// Position is a place in a file, 1-based; the column counts runes.
type Position struct {
	Line   int
	Column int
}

var fileStart = Position{Line: 1, Column: 1}

// In returns path:line:column, or the path alone for the zero position, which means the whole file.
func (p Position) In(path string) string {
	if p.Line == 0 {
		return path
	}
	return fmt.Sprintf("%s:%d:%d", path, p.Line, p.Column)
}

// compare orders places by line, then column.
func (p Position) compare(other Position) int {
	return cmp.Or(cmp.Compare(p.Line, other.Line), cmp.Compare(p.Column, other.Column))
}

// Behind returns the position right after a text that begins at p. Only LF ends a line.
func (p Position) Behind(text string) Position {
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		p, text = Position{p.Line + strings.Count(text, "\n"), 1}, text[at+1:]
	}
	p.Column += utf8.RuneCountInString(text)
	return p
}

// NewFault returns an error at a place of a file. It makes the message one line.
func NewFault(path string, at Position, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Error, path, at.Line, at.Column, rule, Line(fmt.Sprintf(format, args...))}
}

// NewWarning returns a warning about a place of a file. It makes the message one line.
func NewWarning(path string, at Position, rule, format string, args ...any) Diagnostic {
	d := NewFault(path, at, rule, format, args...)
	d.Severity = Warning
	return d
}

// At returns the position in the file.
func (d Diagnostic) At() Position { return Position{d.Line, d.Column} }

// Place returns path:line:column, or the path alone for the whole file.
func (d Diagnostic) Place() string { return d.At().In(d.Path) }

// HasErrors reports whether any of ds is an error.
func HasErrors(ds []Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Sort orders ds by path, line, column and rule. Equal ones keep their order.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.At().compare(b.At()), cmp.Compare(a.Rule, b.Rule))
	})
}

const (
	maxMessage = 300 // bytes of a message
	maxShown   = 60  // runes of a value that a message repeats
	maxFaults  = 100 // listed for one file; a hostile one could have a million
)

// Faults collects the diagnostics of one file, each once.
type Faults struct {
	Path  string
	Limit int // the largest number of diagnostics that are listed; 0 means no limit

	list     []Diagnostic
	known    map[Diagnostic]bool
	unlisted int // number of diagnostics beyond Limit
}

// NewFaults returns an empty collection for the file at a path. It lists a hundred diagnostics.
func NewFaults(path string) *Faults { return &Faults{Path: path, Limit: maxFaults} }

// ErrorAt adds an error at a place of the file.
func (f *Faults) ErrorAt(at Position, rule, format string, args ...any) {
	f.Add(NewFault(f.Path, at, rule, format, args...))
}

// WarnAt adds a warning about a place of the file.
func (f *Faults) WarnAt(at Position, rule, format string, args ...any) {
	f.Add(NewWarning(f.Path, at, rule, format, args...))
}

// Add adds diagnostics. Beyond the limit it only counts them.
func (f *Faults) Add(ds ...Diagnostic) {
	for _, d := range ds {
		switch {
		case f.known[d]:
		case f.Limit > 0 && len(f.list) >= f.Limit:
			f.unlisted++
		default:
			if f.known == nil {
				f.known = map[Diagnostic]bool{}
			}
			f.known[d] = true
			f.list = append(f.list, d)
		}
	}
}

// Broken reports whether there is an error.
func (f *Faults) Broken() bool { return f.unlisted > 0 || HasErrors(f.list) }

// All returns the diagnostics in file order. The last one counts those that are not listed.
func (f *Faults) All() []Diagnostic {
	Sort(f.list)
	if f.unlisted == 0 {
		return f.list
	}
	return append(f.list, NewFault(f.Path, Position{}, "too-many-faults", "%d more faults are not listed", f.unlisted))
}

// Quote quotes at most 60 runes of a file's text in a form that is safe to print.
func Quote(s string) string {
	s = redact.Keys(s) // a user may write the key itself in place of its variable's name
	if head := text.First(s, maxShown); head != s {
		return strings.TrimSuffix(strconv.Quote(head), `"`) + `…"`
	}
	return strconv.Quote(s)
}

// Line makes a message one line of valid UTF-8 that is at most 300 bytes long and holds no control characters.
func Line(message string) string {
	visible := func(r rune) rune {
		if strconv.IsPrint(r) || strings.ContainsRune("\n\t\r", r) {
			return r
		}
		return '\uFFFD' // a control character, or one that changes the writing direction
	}
	message = strings.Map(visible, strings.ToValidUTF8(redact.Keys(message), "\uFFFD"))
	return text.CutBytes(strings.Join(strings.Fields(message), " "), maxMessage)
}
