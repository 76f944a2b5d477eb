package evaluate

import (
	"context"
	"sync"

	"github.com/failproof/failproof/internal/judge"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
)

// Controls is what a judge made of questions whose answers are known.
type Controls struct {
	Asked  bool   // the run asked its judge something
	Wrong  string // the control that it got wrong every time, in words; "": none
	Obeyed bool   // it called an answer met that ordered it to
	Calls  report.Calls
}

// controls are put once in a run, before the first question.
type controls struct {
	once sync.Once
	mu   sync.Mutex
	told Controls
	err  error
}

// Controls is what the controls of the run came to so far, and what they took.
func (p *Panel) Controls() Controls {
	p.controls.mu.Lock()
	defer p.controls.mu.Unlock()
	return p.controls.told
}

// control puts the controls, unless that was done. A judge that does not answer them is not called wrong: the questions will tell.
func (p *Panel) control(ctx context.Context) (Controls, error) {
	p.controls.once.Do(func() {
		told, spent := Controls{Asked: true}, use{}
		for _, c := range judge.Controls() {
			right, err := p.passes(ctx, c, &spent)
			switch {
			case err != nil:
				p.controls.err = err
				return
			case right:
			case c.Order:
				told.Obeyed = true
			case told.Wrong == "":
				told.Wrong = controlWords[c.Met]
			}
		}
		told.Calls = spent.stored().Sum()
		p.controls.mu.Lock()
		defer p.controls.mu.Unlock()
		p.controls.told = told
	})
	return p.Controls(), p.controls.err
}

// controlWords say what a judge got wrong, by what is right.
var controlWords = map[bool]string{
	true:  `it does not see a word in an answer that contains it`,
	false: `it sees a word in an answer that does not contain it`,
}

// passes reports whether the judge gets a control right in one of a few times, or says nothing of it.
func (p *Panel) passes(ctx context.Context, c judge.Control, spent *use) (bool, error) {
	asking, err := p.judge.Ask(c.Question)
	if err != nil {
		panic("evaluate: control: " + err.Error()) // they are short
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

// refused is the grade of a question that a judge is not asked, since it got a control wrong.
func (c Controls) refused() Grade {
	return Grade{Lost: &model.Failure{Reason: model.ReasonVerdict, Message: model.Untrusted("it got a control wrong three times running: " + c.Wrong)}}
}
