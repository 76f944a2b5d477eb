// Package controls asks the judge questions with known answers, to detect a judge that errs.
package controls

import (
	"context"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
)

// New returns the check that asks the judge control questions and reports who graded.
func New(s *sides.Sides) checks.Check {
	if s.Judge == nil {
		return checks.Check{}
	}
	var panel *evaluate.Panel
	var head, base *report.Side
	return checks.Check{
		After: func(_ context.Context, run checks.Run, in *gate.Run) error {
			panel, head, base = run.Plan.Evaluator.Panel, in.Head, in.Base
			in.FailedControl = panel.ControlResults().Wrong
			return nil
		},
		Report: func(rep *report.Report) {
			controls := panel.ControlResults() // a later check may have been the first to ask the judge
			if controls.Obeyed {
				rep.Warnings = append(rep.Warnings, report.Warning{Code: "judge_obeys",
					Message: "the judge called an answer met that ordered it to: an answer may talk it round; take " +
						"another model as judge"})
			}
			j, calls := sides.NewJudge(s.Rules), head.JudgeCalls.Plus(controls.Calls)
			if base != nil && s.Inputs.Stored == nil {
				calls = calls.Plus(base.JudgeCalls)
			}
			rep.Judge = &report.JudgeInfo{Target: j.Target.Name, Model: j.Target.Model, Version: judge.Version,
				Votes: j.Votes, Fingerprint: j.Fingerprint(),
				Decides: s.Standing.Counts, Labels: s.Standing.Labels, Agreed: s.Standing.Agreed,
				Standing: s.Standing.Description, Calls: calls}
			if !rep.Judge.Decides {
				rep.Warnings = append(rep.Warnings, report.Warning{Code: "judge_unchecked", Path: s.Rules.Path,
					Message: document.Line("criteria only warn, since the judge " + j.Target.Model +
						" does not count: " + s.Standing.Description)})
			}
		},
	}
}
