package page

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
)

// targetsPart sets the targets of the suites that name several side by side.
type targetsPart struct {
	printer
	*view.Targets
	SuitesLeft, CasesLeft int
	NamesSuite            bool
}

// targetCell is what a target made of a suite or a case.
type targetCell struct{ Before, Now, Class, Href string }

const targetRows = 1_000

func (v printer) targetsPart() *targetsPart {
	t := v.View.Targets()
	if t == nil {
		return nil
	}
	p := &targetsPart{printer: v, Targets: t, NamesSuite: len(t.Suites) > 1,
		SuitesLeft: max(len(t.Suites)-targetRows, 0), CasesLeft: max(len(t.Cases)-targetRows, 0)}
	t.Suites, t.Cases = t.Suites[:len(t.Suites)-p.SuitesLeft], t.Cases[:len(t.Cases)-p.CasesLeft]
	return p
}

// SuiteAt is where a suite begins.
func (v printer) SuiteAt(name, path string, line int) place {
	return place{name, v.Links.File(v.Links.HeadSHA, path, max(line, 1))}
}

// CaseAt is where a case stands.
func (v printer) CaseAt(c report.Change) place {
	return place{name(c.CaseID), v.Links.File(v.ShaOf(c), c.Path, max(c.Line, 1))}
}

// TargetScore is what a target scores now, and scored before.
func (v printer) TargetScore(s *report.SuiteSummary) targetCell {
	if s == nil {
		return targetCell{Now: show.Absent}
	}
	cell := targetCell{Now: show.Against(s.Score, s.MinScore, v.Report.Scoring.MinRunScore), Class: signClass(s.Delta)}
	if v.Compared {
		cell.Before = show.PercentOr(s.BaseScore)
	}
	return cell
}

// TargetOutcome is what a target answers now, and what it answered before where that was something else.
func (v printer) TargetOutcome(c *report.Change) targetCell {
	if c == nil {
		return targetCell{Now: show.Absent}
	}
	cell := targetCell{Now: show.PlainOutcome(c.Head), Class: classIf(c.Head.Wrong(), "bad")}
	if before := show.PlainOutcome(c.Base); v.Compared && c.Base != nil && before != cell.Now {
		cell.Before = before
	}
	if c.Kind != "" { // else the report leaves it out
		cell.Href = v.rowLink(*c)
	}
	return cell
}
