package render

import (
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
)

// Levels of an annotation, as GitHub's check runs and workflow commands know them.
const (
	levelFailure = "failure"
	levelWarning = "warning"
)

// Annotation is a remark at a line of a file. Path is the report's; Links.Path gives it from the root of the repository.
// Title and Message are plain text of one line, and short: GitHub cuts at 255 and 4,096 characters.
type Annotation struct {
	Path    string
	Line    int    // 1 for the whole file
	Level   string // failure, warning or notice
	Title   string
	Message string
}

// Annotations returns a remark for every fault, regression and failing case, most severe first.
func Annotations(r *report.Report) []Annotation {
	v := newView(r, Links{})
	var failures, warnings []Annotation
	add := func(a Annotation) {
		if a.Level == levelFailure {
			failures = append(failures, a)
			return
		}
		warnings = append(warnings, a)
	}
	for _, d := range r.Diagnostics {
		add(ofDiagnostic(d))
	}
	for _, list := range [][]report.Change{v.regressed, v.failing, v.disguised, v.dropped, v.missing} {
		for _, c := range list {
			if c.Path != "" && c.Head != nil { // a removed case has no line to stand at
				add(v.ofChange(c))
			}
		}
	}
	return append(failures, warnings...)
}

func ofDiagnostic(d document.Diagnostic) Annotation {
	level := levelFailure
	if d.Severity == document.Warning {
		level = levelWarning
	}
	return Annotation{Path: d.Path, Line: max(d.Line, 1), Level: level,
		Title: plainText("failproof: "+d.Rule, 200), Message: plainText(d.Message, 2_000)}
}

func (v *view) ofChange(c report.Change) Annotation {
	a := Annotation{Path: c.Path, Line: max(c.Line, 1), Level: levelWarning}
	what := happened(c.Head).plain(quoteRunes)
	switch {
	case c.Head.Unscored > 0 && !fails(c.Head):
		a.Title = "No answer: " + c.CaseID
	case v.compared && c.Change == report.Regressed:
		a.Title, a.Level = "Regression: "+c.CaseID, v.levelOf("max_regressions")
	case disguised(c):
		a.Title, what = "Redefined: "+c.CaseID, "passes the new expectation, fails the old one"
	default:
		a.Title = "Failing: " + c.CaseID
	}
	if c.MustPass && fails(c.Head) {
		a.Level = levelFailure
	}
	a.Title = plainText(a.Title, 200)
	a.Message = plainText(v.plainOutcomes(c), 200)
	if what != "" {
		a.Message += ": " + what
	}
	return a
}

// levelOf is failure if a reason of that code decided the verdict.
func (v *view) levelOf(code string) string {
	if v.has(code, report.LevelError) {
		return levelFailure
	}
	return levelWarning
}

// plainOutcomes is "pass 5/5 → fail 0/5", or the head's outcome alone where nothing was compared.
func (v *view) plainOutcomes(c report.Change) string {
	text := outcome(c.Head, false)
	if v.compared {
		text = outcome(c.Base, false) + " → " + text
	}
	return strings.ReplaceAll(text, "`", "")
}

// plainText is one printable line.
func plainText(text string, runes int) string { return lead(text, runes) }
