package run

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// openResults creates the result file of each side of the plan, and sets the reports of the sides.
func (a *scoredSides) openResults() (err error) {
	indexes, matches := a.plan.CaseIndexes(), map[suite.Side]suiteid.Matches{suite.Base: a.plan.Matches}
	open := func(at suite.Side, side evaluate.Side, file string) (*output.Results, error) {
		r, err := a.sinks.Out.CreateResults(file, indexes[at])
		if err == nil {
			r.Plan(asking.SuitePlans(side.Suites, indexes[at]), matches[at])
		}
		return r, err
	}
	a.results = map[suite.Side]*output.Results{}
	if a.results[suite.Head], err = open(suite.Head, a.plan.Head, output.ResultsFile); err != nil {
		return err
	}
	a.head = a.results[suite.Head].Side()
	if a.plan.Base == nil {
		return nil
	}
	if a.results[suite.Base], err = open(suite.Base, *a.plan.Base, output.BaseFile); err != nil {
		return err
	}
	a.base = a.results[suite.Base].Side()
	return nil
}

// commitResults gives the result files of both sides their final names, the base's first.
func (a *scoredSides) commitResults() error {
	for _, side := range []suite.Side{suite.Base, suite.Head} {
		if r := a.results[side]; r != nil {
			if err := r.Commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// answerFinders returns functions that find the answers of both sides to a case. A nil side has none.
func answerFinders(base, head *report.Side) report.ResultFinders {
	find := func(side *report.Side, o *report.Outcome) (r report.Result, found bool, err error) {
		if side == nil || o == nil || o.Ref == (report.Ref{}) {
			return r, false, nil
		}
		if r, err = side.ShownResult(o); err != nil {
			return r, false, fault.Inputf("%w", err)
		}
		return r, true, nil
	}
	return report.ResultFinders{
		Base: func(c report.Change) (report.Result, bool, error) { return find(base, c.Base) },
		Head: func(c report.Change) (report.Result, bool, error) { return find(head, c.Head) },
	}
}
