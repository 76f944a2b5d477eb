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
			if len(in.Comparison.Ended) > 0 {
				return nil
			}
			found, watched, err := measureDrift(ctx, s, run)
			if err != nil {
				return err
			}
			in.Drifted, *s.Inputs.Drift = driftedCases(found.Drifted), found.Past
			seen = &report.Drift{Cases: watched, NotRerun: found.NotRerun, Drifted: in.Drifted,
				Recovered: driftedCases(found.Recovered)}
			return nil
		},
		Report: func(rep *report.Report) { rep.Drift = seen },
	}
}

// measureDrift compares the first answers of live targets with those of earlier runs, and reruns the cases that differ.
// It returns the result and the number of compared cases.
func measureDrift(ctx context.Context, p *sides.Sides, run checks.Run) (*drift.Result, int, error) {
	seen, err := firstAnswers(run.Head)
	if err != nil {
		return nil, 0, err
	}
	step := drift.Select(*p.Inputs.Drift, seen)
	var wants []report.RerunRequest
	for _, w := range step.ToRerun() {
		from := run.Head.Suite(w.Suite).Case(w.Case).LastTrial()
		wants = append(wants,
			report.RerunRequest{Reason: report.RerunDrift, SuiteID: w.Suite, CaseID: w.Case, Rounds: drift.Rounds, FirstNumber: from + 1})
	}
	reruns := map[[2]string][2]int{}
	if len(wants) > 0 {
		run.Sinks.Say("asking %s again, %d times each: answered otherwise than in earlier runs",
			text.Count(len(wants), "case"), drift.Rounds)
		p.Inputs.Progress.Restart("asking "+text.Count(len(wants), "case")+" again", len(wants)*drift.Rounds)
		err := evaluate.Rerun(ctx, run.Plan, wants, func(a evaluate.Answer) error {
			r := a.Result
			p.Inputs.Progress.Advance()
			if !r.Classification.Unscored() {
				name := [2]string{r.SuiteID, r.CaseID}
				n := reruns[name]
				reruns[name] = [2]int{n[0] + r.Scores.Accuracy, n[1] + 1}
			}
			return run.Results.Add(r)
		})
		if err != nil {
			return nil, 0, err
		}
	}
	// an incomplete rerun is biased: which answers are missing may depend on the case
	maps.DeleteFunc(reruns, func(_ [2]string, n [2]int) bool { return n[1] < drift.Rounds })
	found := step.Conclude(reruns, sides.Timestamp(p.Inputs.Time()))
	return &found, len(seen), nil
}

// firstAnswers returns the first answers of the cases that use a live target.
func firstAnswers(head *report.Side) (all []drift.FirstAnswers, err error) {
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			if !c.Live {
				continue
			}
			one, err := head.ShownResult(c)
			if err != nil {
				return nil, err
			}
			all = append(all, drift.FirstAnswers{Suite: s.ID, Case: c.ID, Key: one.RequestKey + one.ExpectationKey,
				Right: c.Tally.Passed, Asked: c.Tally.Trials - c.Tally.Unscored})
		}
	}
	return all, nil
}

func driftedCases(all []drift.Change) []report.DriftedCase {
	out := []report.DriftedCase{}
	for _, c := range all {
		out = append(out, report.DriftedCase{SuiteID: c.Suite, CaseID: c.Case, Since: c.Drifted.Since,
			RightBefore: c.Before[0], AskedBefore: c.Before[1],
			Right: c.Drifted.Right, Asked: c.Drifted.Asked, New: c.New})
	}
	return out
}
