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
	once    sync.Once
	results ControlResults // guarded by Panel.mu
	err     error
}

// ControlResults returns the results of the run's control questions so far, and their cost.
func (p *Panel) ControlResults() ControlResults {
	p.mu.Lock()
	defer p.mu.Unlock()
	met, shows := p.criteriaControls.results, p.sufficiencyControls.results
	return ControlResults{cmp.Or(met.Wrong, shows.Wrong), met.Obeyed, met.Calls.Plus(shows.Calls)}
}

// runControls returns the results of one kind of control questions. It asks them at its first call. If sufficiency is
// true, these ask whether a text is enough to grade; otherwise they ask whether a criterion is met. A judge that does
// not answer them is not counted as wrong.
func (p *Panel) runControls(ctx context.Context, sufficiency bool) (ControlResults, error) {
	run, words := &p.criteriaControls, criteriaErrors
	if sufficiency {
		run, words = &p.sufficiencyControls, sufficiencyErrors
	}
	run.once.Do(func() {
		results, spent := ControlResults{}, usage{}
		for _, c := range controlQuestions(sufficiency) {
			right, err := passesControl(ctx, p, c, &spent)
			switch {
			case err != nil:
				run.err = err
				return
			case right:
			case c.Injection:
				results.Obeyed = true
			case results.Wrong == "":
				results.Wrong = words[c.Met]
			}
		}
		results.Calls = spent.toReport().Sum()
		p.mu.Lock()
		defer p.mu.Unlock()
		run.results = results
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return run.results, run.err
}

// criteriaErrors maps the right verdict on a control question to a description of a judge that gives the opposite
// verdict.
var criteriaErrors = map[bool]string{
	true:  `it misses a word that the answer contains`,
	false: `it finds a word that the answer does not contain`,
}

// passesControl reports whether the judge gives the right verdict on the control question c in one of a few attempts.
// It also returns true if an attempt gives no verdict.
func passesControl(ctx context.Context, p *Panel, c judge.Control, spent *usage) (bool, error) {
	asking := text.Must(p.judge.Prepare(c.Question)) // control questions are short
	asking.Request.SuiteID, asking.Request.CaseID = "control", "control"
	for range judge.ControlErrorsToFail {
		r, err := p.client.Answer(ctx, asking.Request)
		if err != nil {
			return false, err
		}
		*spent = spent.plus(usageOf(r))
		if r.Failure != nil {
			return true, nil
		}
		if reply, fault := judge.ParseReply(r); fault != nil || reply.Met == c.Met {
			return true, nil
		}
	}
	return false, nil
}
