package story

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suiteid"
)

// Targets compares the targets of suites that name several: a row for each suite and case, a column for each target.
type Targets struct {
	Names  []string // of the targets, in the order of the report
	Suites []TargetScores
	Cases  []TargetCase // that some target answers right and another wrong
}

// TargetScores is a suite by its targets; a nil cell is a target that it lacks, or that the change leaves as it was.
type TargetScores struct {
	Name  string // as its author wrote it
	Path  string
	Line  int
	Cells []*report.SuiteSummary
}

// TargetCase is a case by its targets; a nil cell is a target that is not asked.
type TargetCase struct {
	Suite string // as its author wrote it
	ID    string
	Cells []*report.Change
}

// First is the first target's form of the case.
func (c TargetCase) First() report.Change {
	return *c.Cells[slices.IndexFunc(c.Cells, func(one *report.Change) bool { return one != nil })]
}

// sideBySide compares the targets of suites that name several; nil if no suite ran with more than one.
func sideBySide(v *view.View) *Targets {
	t := &Targets{}
	rows := map[string]int{}
	for _, s := range v.Report.Suites {
		name, target := suiteid.Split(s.SuiteID)
		if target == "" {
			continue
		}
		if !slices.Contains(t.Names, target) {
			t.Names = append(t.Names, target)
		}
		if _, known := rows[name]; !known {
			rows[name] = len(t.Suites)
			t.Suites = append(t.Suites, TargetScores{Name: name, Path: s.Path, Line: s.Line})
		}
	}
	for i := range t.Suites {
		t.Suites[i].Cells = make([]*report.SuiteSummary, len(t.Names))
	}
	for i := range v.Report.Suites {
		s := &v.Report.Suites[i]
		if name, target := suiteid.Split(s.SuiteID); target != "" {
			t.Suites[rows[name]].Cells[slices.Index(t.Names, target)] = s
		}
	}
	t.Suites = slices.DeleteFunc(t.Suites, func(s TargetScores) bool { // of one target alone
		return show.Tally(s.Cells, func(c *report.SuiteSummary) bool { return c != nil }) < 2
	})
	if len(t.Suites) == 0 {
		return nil
	}
	t.differing(v)
	return t
}

// differing finds the cases that targets answer differently. A stored report leaves out cases that pass as before.
func (t *Targets) differing(v *view.View) {
	type oneCase struct {
		suite, id string
		places    []int // of its changes, by target; -1: there is none
	}
	at, told := map[[2]string]int{}, 0
	var all []oneCase
	for i, c := range v.Report.Changes {
		if c.Change == report.StillPassing {
			told++
		}
		suite, target := suiteid.Split(c.SuiteID)
		column := slices.Index(t.Names, target)
		if column < 0 || t.suite(suite) == nil {
			continue
		}
		name := [2]string{suite, c.CaseID}
		if _, known := at[name]; !known {
			at[name] = len(all)
			all = append(all, oneCase{suite, c.CaseID, slices.Repeat([]int{-1}, len(t.Names))})
		}
		all[at[name]].places[column] = i
	}
	left := v.Report.Counts[report.StillPassing] > told
	for _, one := range all {
		c := TargetCase{Suite: one.suite, ID: one.id, Cells: make([]*report.Change, len(t.Names))}
		right, wrong := 0, 0
		for i, of := range t.suite(c.Suite).Cells {
			if place := one.places[i]; place >= 0 {
				c.Cells[i] = new(v.Report.Changes[place])
			} else if left && of != nil {
				pass := &report.Outcome{Primary: classify.Pass, Passed: 1, Trials: 1}
				c.Cells[i] = &report.Change{SuiteID: of.SuiteID, CaseID: c.ID, Change: report.StillPassing,
					Base: pass, Head: pass, Path: of.Path, Line: of.Line}
			}
			switch cell := c.Cells[i]; {
			case cell == nil:
			case cell.Head.Right():
				right++
			case cell.Head.Wrong():
				wrong++
			}
		}
		if right > 0 && wrong > 0 {
			t.Cases = append(t.Cases, c)
		}
	}
}

// suite finds a suite as its author named it; nil if it has no row.
func (t *Targets) suite(name string) *TargetScores {
	if i := slices.IndexFunc(t.Suites, func(s TargetScores) bool { return s.Name == name }); i >= 0 {
		return &t.Suites[i]
	}
	return nil
}
