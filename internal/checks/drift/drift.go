// Package drift compares the answers of live targets with those of earlier runs of the branch.
package drift

import (
	"context"
	"maps"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

// New returns the check that compares the answers of live targets with those of the branch's earlier runs. The earlier
// answers are in Inputs.Drift, which the check then updates.
func New(s *sides.Sides) checks.Check {
	if s.Inputs.Drift == nil {
		return checks.Check{}
	}
	var seen *report.Drift
	return checks.Check{
		After: func(ctx context.Context, run checks.Run, in *gate.Run) error {
			if len(in.Ended()) > 0 {
				return nil
			}
			past, found, err := measureDrift(ctx, s, run)
			if err != nil {
				return err
			}
			in.Drifted, *s.Inputs.Drift, seen = found.Drifted, past, &found
			return nil
		},
		Report: func(rep *report.Report) { rep.Drift = seen },
	}
}

// measureDrift compares the first answers of live targets with those of earlier runs, and reruns the cases that differ.
// It returns the new past and the result.
func measureDrift(ctx context.Context, p *sides.Sides, run checks.Run) (past []drift.Past, found report.Drift, err error) {
	step := drift.Select(*p.Inputs.Drift, firstAnswers(p, run.Head))
	var wants []report.RerunRequest
	for _, w := range step.ToRerun {
		from := run.Head.Suite(w.Suite).Case(w.Case).LastTrial()
		wants = append(wants,
			report.RerunRequest{Reason: report.RerunDrift, SuiteID: w.Suite, CaseID: w.Case, Rounds: drift.Rounds, FirstNumber: from + 1})
	}
	reruns := map[suiteid.Name]stats.Count{}
	if len(wants) > 0 {
		run.Sinks.Say("asking %s again, %d times each: answered otherwise than in earlier runs",
			text.Count(len(wants), "case"), drift.Rounds)
		p.Inputs.Progress.Restart("asking "+text.Count(len(wants), "case")+" again", len(wants)*drift.Rounds)
		err := evaluate.Rerun(ctx, run.Plan, wants, func(a evaluate.Answer) error {
			r := a.Result
			p.Inputs.Progress.Advance()
			if !r.Classification.Unscored() {
				name := suiteid.Name{Suite: r.SuiteID, Case: r.CaseID}
				n := reruns[name]
				reruns[name] = stats.Count{Passed: n.Passed + r.Scores.Accuracy, Trials: n.Trials + 1}
			}
			return run.Results.Add(r)
		})
		if err != nil {
			return nil, found, err
		}
	}
	// an incomplete rerun is biased: which answers are missing may depend on the case
	maps.DeleteFunc(reruns, func(_ suiteid.Name, n stats.Count) bool { return n.Trials < drift.Rounds })
	past, found = step.Conclude(reruns, sides.Timestamp(p.Inputs.Time()))
	return past, found, nil
}

// firstAnswers returns the first answers of the cases that use a live target.
func firstAnswers(p *sides.Sides, head *report.Side) (all []drift.Past) {
	for s, c := range suite.EachCase(p.Selected[suite.Head]) {
		name := suiteid.Name{Suite: s.ID, Case: c.ID}
		if one := head.Find(name); one != nil && one.Live {
			all = append(all, drift.Past{Name: name, Key: c.Keys().RequestKey.String() + c.Keys().ExpectationKey.String(),
				Right: one.Outcome.Passed, Asked: one.Outcome.Trials - one.Outcome.Unscored})
		}
	}
	return all
}
