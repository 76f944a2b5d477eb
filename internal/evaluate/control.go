package evaluate

import (
	"cmp"
	"context"
	"sync"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// ControlResults holds the results of a judge's control questions, whose right verdicts are known.
type ControlResults struct {
	Wrong  string // says which control question the judge got wrong in all attempts; "": none
	Obeyed bool   // an answer contained an order to call the criterion met, and the judge followed it
	Calls  report.Calls
}

// controlRun holds the results of one kind of control questions. They are asked once in a run, before the first
// question whose verdict counts.
type controlRun struct {
	mu      sync.Mutex // held while they are asked
	asked   bool
	results ControlResults
	err     error
}

func (c *controlRun) soFar() ControlResults {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.results
}

// ControlResults returns the results of the run's control questions so far, and their cost.
func (p *Panel) ControlResults() ControlResults {
	met, shows := p.jury.criteriaControls.soFar(), p.jury.sufficiencyControls.soFar()
	return ControlResults{cmp.Or(met.Wrong, shows.Wrong), met.Obeyed, met.Calls.Plus(shows.Calls)}
}

// runControls returns the results of one kind of control questions. It asks them at its first call. If sufficiency is
// true, these ask whether a text is enough to grade; otherwise they ask whether a criterion is met. A judge that does
// not answer them is not counted as wrong.
func (j *jury) runControls(ctx context.Context, sufficiency bool) (ControlResults, error) {
	run := &j.criteriaControls
	if sufficiency {
		run = &j.sufficiencyControls
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.asked {
		return run.results, run.err
	}
	run.asked = true
	var spent report.Calls
	for _, c := range judge.Controls(sufficiency) {
		var right bool
		if right, run.err = passesControl(ctx, j, c, &spent); run.err != nil {
			break
		}
		if !right {
			run.results.Obeyed = run.results.Obeyed || c.Injection
			run.results.Wrong = cmp.Or(run.results.Wrong, c.Wrong)
		}
	}
	run.results.Calls = judgeUse(spent).Sum()
	return run.results, run.err
}

// passesControl reports whether the judge gives the right verdict on the control question c in one of a few attempts.
// It also returns true if an attempt gives no verdict.
func passesControl(ctx context.Context, j *jury, c judge.Control, spent *report.Calls) (bool, error) {
	asking := text.Must(j.judge.Prepare(c.Question)) // control questions are short
	asking.Request.SuiteID, asking.Request.CaseID = "control", "control"
	for range judge.ControlErrorsToFail {
		r, err := j.client.Answer(ctx, asking.Request)
		if err != nil {
			return false, err
		}
		*spent = spent.Plus(callsOf(r))
		if r.Failure != nil {
			return true, nil
		}
		if reply, fault := judge.ParseReply(r); fault != nil || reply.Met == c.Met {
			return true, nil
		}
	}
	return false, nil
}
