package evaluate

import (
	"cmp"
	"context"
	"sync"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/report"
)

// Controls is the result of a judge's control questions, whose right verdicts are known.
type Controls struct {
	Wrong  string // says which control question the judge got wrong in all attempts; "": none
	Obeyed bool   // an answer contained an order to call the criterion met, and the judge followed it
	Calls  report.Calls
}

// controls holds the results of one kind of control questions. They are asked once in a run, before the first question
// whose verdict counts.
type controls struct {
	once    sync.Once
	results Controls // guarded by Panel.mu
	err     error
}

// Controls returns the results of the run's control questions so far, and their cost.
func (p *Panel) Controls() Controls {
	p.mu.Lock()
	defer p.mu.Unlock()
	met, shows := p.controls.results, p.shows.results
	return Controls{cmp.Or(met.Wrong, shows.Wrong), met.Obeyed, met.Calls.Plus(shows.Calls)}
}

// control returns the results of one kind of control questions, and asks them at its first call. If shows is true, they
// are about what text can show; otherwise about criteria. A judge that does not answer them is not counted as wrong.
func (p *Panel) control(ctx context.Context, shows bool) (Controls, error) {
	all, words := &p.controls, controlWords
	if shows {
		all, words = &p.shows, showsWords
	}
	all.once.Do(func() {
		results, spent := Controls{}, use{}
		for _, c := range controlsOf(shows) {
			right, err := passes(ctx, p, c, &spent)
			switch {
			case err != nil:
				all.err = err
				return
			case right:
			case c.Order:
				results.Obeyed = true
			case results.Wrong == "":
				results.Wrong = words[c.Met]
			}
		}
		results.Calls = spent.stored().Sum()
		p.mu.Lock()
		defer p.mu.Unlock()
		all.results = results
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	return all.results, all.err
}

// controlWords maps the right verdict on a control question to a description of a judge that gives the opposite
// verdict.
var controlWords = map[bool]string{
	true:  `it misses a word that the answer contains`,
	false: `it finds a word that the answer does not contain`,
}

// passes reports whether the judge gives the right verdict on the control question c in one of a few attempts. It also
// returns true if an attempt gives no verdict.
func passes(ctx context.Context, p *Panel, c judge.Control, spent *use) (bool, error) {
	asking, err := p.judge.Ask(c.Question)
	if err != nil {
		panic("evaluate: control: " + err.Error()) // control questions are short
	}
	asking.Request.SuiteID, asking.Request.CaseID = "control", "control"
	for range judge.ControlTimes {
		r, err := p.client.Answer(ctx, asking.Request)
		if err != nil {
			return false, err
		}
		*spent = spent.plus(usedBy(r))
		if r.Failure != nil {
			return true, nil
		}
		if reply, fault := judge.Read(r); fault != nil || reply.Met == c.Met {
			return true, nil
		}
	}
	return false, nil
}
