package asking

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// Results are the results of both sides.
type Results map[suite.Side]*output.Results

// OpenResults creates a result file in out for each side of the plan, and returns the empty results of these sides.
func OpenResults(plan evaluate.Plan, out *output.Folder) (Results, error) {
	all, indexes := Results{}, plan.CaseIndexes()
	for _, entry := range []struct {
		at   suite.Side
		side *evaluate.Side
		file string
	}{{suite.Head, &plan.Head, output.ResultsFile}, {suite.Base, plan.Base, output.BaseFile}} {
		if entry.side == nil {
			continue
		}
		file, err := out.CreateResults(entry.file, indexes[entry.at])
		if err != nil {
			return nil, err
		}
		file.Plan(SuitePlans(entry.side.Suites, indexes[entry.at]))
		all[entry.at] = file
	}
	return all, nil
}

// Side returns the report of a side, or nil if the run has no such side.
func (r Results) Side(side suite.Side) *report.Side {
	if r[side] == nil {
		return nil
	}
	return r[side].Side()
}

func (r Results) Commit() error {
	for _, side := range []suite.Side{suite.Base, suite.Head} {
		if r[side] != nil {
			if err := r[side].Commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// SuitePlans returns the report's plan of each suite, with the names of renamed suites and cases on the head. indexes
// maps suite/case to an index. If indexes is not nil, each plan lists its cases in the order of these indexes.
func SuitePlans(suites []*suite.Suite, indexes map[string]int) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, RenamedTo: s.JoinedID, Names: s.HeadNames, Target: s.Target, Path: s.Path,
			Line: s.Pos.Line, Weight: s.Weight, MinScore: s.MinScore,
			Cases: len(s.Cases), Trials: s.Trials, Planned: s.Cases.Trials()}
		if indexes != nil {
			out[i].Order = sortedCaseIDs(s, indexes)
		}
	}
	return out
}

// sortedCaseIDs returns the ids of a suite's cases, sorted by indexes.
func sortedCaseIDs(s *suite.Suite, indexes map[string]int) []string {
	ids := make([]string, 0, len(s.Cases))
	for _, c := range s.Cases {
		ids = append(ids, c.ID)
	}
	slices.SortFunc(ids, func(a, b string) int { return indexes[s.ID+"/"+a] - indexes[s.ID+"/"+b] })
	return ids
}

// AnswerFinders returns functions that find the answers of both sides to a case. A nil side has none.
func AnswerFinders(base, head *report.Side) report.ResultFinders {
	find := func(side *report.Side, c *report.Case) (r report.Result, found bool, err error) {
		if side == nil || c == nil || c.Outcome.Trial == 0 {
			return r, false, nil
		}
		if r, err = side.ShownResult(c); err != nil {
			return r, false, fault.Inputf("%w", err)
		}
		return r, true, nil
	}
	return report.ResultFinders{
		Base: func(c report.Change) (report.Result, bool, error) { return find(base, c.BaseCase) },
		Head: func(c report.Change) (report.Result, bool, error) { return find(head, c.HeadCase) },
	}
}

// WhyMissing returns, in words, why r has no answer.
func WhyMissing(r report.Result) string {
	c := r.Classification
	if c.End != nil && c.End.Why != "" {
		return document.Line(c.End.Why)
	}
	return document.Line(cmp.Or(string(c.Details.ErrorDetails), c.DisplayName()))
}
