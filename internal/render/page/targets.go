package page

import (
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// targetsPart sets the targets of the suites that name several side by side.
type targetsPart struct {
	Names               []string
	Suites, Cases       []targetRow
	SuitesLeft          int
	CasesLeft           int
	HasBase, NamesSuite bool
}

// targetRow is a suite, or a case, by its targets.
type targetRow struct {
	Name  place
	Suite string // of a case
	Cells []targetCell
}

// targetCell is what a target made of it.
type targetCell struct{ Before, Now, Class, Href string }

const targetRows = 1_000

func (v printer) targetsPart() *targetsPart {
	t := v.Targets()
	if t == nil {
		return nil
	}
	p := &targetsPart{HasBase: v.Compared, NamesSuite: len(t.Suites) > 1}
	for _, name := range t.Names {
		p.Names = append(p.Names, show.Named(show.Ends(name, show.NameRunes)))
	}
	for _, s := range t.Suites[:min(len(t.Suites), targetRows)] {
		row := targetRow{Name: place{show.Named(show.Ends(s.Name, show.NameRunes)), v.Links.File(v.Links.HeadSHA, s.Path, max(s.Line, 1))}}
		for _, cell := range s.Cells {
			row.Cells = append(row.Cells, v.targetScore(cell))
		}
		p.Suites = append(p.Suites, row)
	}
	for _, c := range t.Cases[:min(len(t.Cases), targetRows)] {
		first := c.First()
		row := targetRow{Name: place{caseName(first), v.Links.File(v.ShaOf(first), first.Path, max(first.Line, 1))}, Suite: show.Named(show.Ends(c.Suite, show.NameRunes))}
		for _, one := range c.Cells {
			row.Cells = append(row.Cells, v.targetOutcome(one))
		}
		p.Cases = append(p.Cases, row)
	}
	p.SuitesLeft, p.CasesLeft = len(t.Suites)-len(p.Suites), len(t.Cases)-len(p.Cases)
	return p
}

func (v printer) targetScore(s *report.SuiteSummary) targetCell {
	if s == nil {
		return targetCell{Now: show.Absent}
	}
	cell := targetCell{Now: show.Against(s.Score, s.MinScore, v.Report.Scoring.MinRunScore), Class: signClass(s.Delta)}
	if v.Compared {
		cell.Before = show.PercentOr(s.BaseScore)
	}
	return cell
}

// targetOutcome is what a target answers now, and what it answered before where that was something else.
func (v printer) targetOutcome(c *report.Change) targetCell {
	if c == nil {
		return targetCell{Now: show.Absent}
	}
	cell := targetCell{Now: show.PlainOutcome(c.Head), Class: classIf(c.Head.Wrong(), "bad")}
	if before := show.PlainOutcome(c.Base); v.Compared && c.Base != nil && before != cell.Now {
		cell.Before = before
	}
	if c.Kind != "" && v.inTable(*c) { // else the report leaves it out
		cell.Href = "#" + rowAnchor(*c)
	}
	return cell
}
