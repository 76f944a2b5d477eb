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

// Severity tells a fault that stops the run from one that is only worth saying.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic is a fault in a user's file: data, with a place. Line and Column are 1-based; 0 means the whole file.
// Path and Message may quote the file and are printed by package render only.
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

// In returns path:line:column, or the path alone for the zero position, which stands for the whole file.
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

// Behind returns the end of a text that begins at p. Only LF ends a line.
func (p Position) Behind(text string) Position {
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		p, text = Position{p.Line + strings.Count(text, "\n"), 1}, text[at+1:]
	}
	p.Column += utf8.RuneCountInString(text)
	return p
}

// NewFault is an error at a place of a file, its message made one line.
func NewFault(path string, at Position, rule, format string, args ...any) Diagnostic {
	return Diagnostic{Error, path, at.Line, at.Column, rule, Line(fmt.Sprintf(format, args...))}
}

// NewWarning returns a warning about a place of a file, its message made one line.
func NewWarning(path string, at Position, rule, format string, args ...any) Diagnostic {
	d := NewFault(path, at, rule, format, args...)
	d.Severity = Warning
	return d
}

// At is where the fault is in its file.
func (d Diagnostic) At() Position { return Position{d.Line, d.Column} }

// Place is path:line:column, or the path alone for a fault of the whole file.
func (d Diagnostic) Place() string { return d.At().In(d.Path) }

// HasErrors reports whether any of ds stops the run.
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
	maxFaults  = 100 // that are listed of one file; a hostile one could hold a million
)

// faults collects what is wrong with one file.
type faults struct {
	path   string
	list   []Diagnostic
	unsaid int // beyond maxFaults
}

func (f *faults) errorAt(at Position, rule, format string, args ...any) {
	f.add(NewFault(f.path, at, rule, format, args...))
}

func (f *faults) add(d Diagnostic) {
	if len(f.list) >= maxFaults {
		f.unsaid++
		return
	}
	f.list = append(f.list, d)
}

// all returns the faults in file order without repetition, and a last one that counts those that are not listed.
func (f *faults) all() []Diagnostic {
	Sort(f.list)
	if f.unsaid == 0 {
		return f.list
	}
	return append(f.list, NewFault(f.path, Position{}, "too-many-faults", "%d more faults are not listed", f.unsaid))
}

// Faults collects what is wrong with one file that another package reads.
type Faults struct{ of faults }

// NewFaults returns those of a file without any.
func NewFaults(path string) *Faults { return &Faults{faults{path: path}} }

// Add adds one.
func (f *Faults) Add(d Diagnostic) { f.of.add(d) }

// All returns the first hundred faults in file order, and a last one that counts the rest.
func (f *Faults) All() []Diagnostic { return f.of.all() }

// Quote quotes at most 60 runes of a file's text, so that nothing in it is active.
func Quote(s string) string {
	s = redact.Keys(s) // whoever takes the name of a variable for the key itself must not read it in a comment
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
		return '\uFFFD' // a control, or what turns the writing direction
	}
	message = strings.Map(visible, strings.ToValidUTF8(redact.Keys(message), "\uFFFD"))
	return text.CutBytes(strings.Join(strings.Fields(message), " "), maxMessage)
}
