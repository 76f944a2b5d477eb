package document

import (
	"cmp"
	"fmt"
	"slices"
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

// Place is path:line:column, or the path alone for a fault of the whole file.
func (d Diagnostic) Place() string {
	if d.Line == 0 {
		return d.Path
	}
	return fmt.Sprintf("%s:%d:%d", d.Path, d.Line, d.Column)
}

// HasErrors reports whether any of ds stops the run.
func HasErrors(ds []Diagnostic) bool {
	for _, d := range ds {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Sort orders ds by path, line, column and rule. Equal ones keep their order.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
}
