package announced

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/together"
)

// verdicts counts the head's recorded verdicts on which the effective and the proposed judge differ.
type verdicts struct {
	stale int // of the effective judge: they do not count after the merge
	early int // of the proposed judge: they do not count before
}

// countVerdicts stores in the first change of the judge how many recorded verdicts depend on it. If the time is not
// enough, it stores nothing.
func countVerdicts(ctx, time context.Context, p *sides.Sides, changes []config.Change) error {
	proposed, found := p.ProposedJudge()
	if !found {
		return nil
	}
	at := slices.IndexFunc(changes, func(c config.Change) bool {
		return !c.Effective && c.OfJudge(p.Rules.Judge.Target, proposed.Target.Name)
	})
	if at < 0 {
		return nil
	}
	o := evaluate.PanelOptions{Redactor: p.Redactor()} // the panels ask nothing
	now, then := evaluate.NewPanel(sides.NewJudge(p.Rules), nil, o), evaluate.NewPanel(proposed, nil, o)
	var all verdicts
	err, done := together.Within(time, func() error {
		for _, s := range p.Head.Suites {
			if err := all.count(ctx, p.Head, s, now, then); err != nil {
				return err
			}
		}
		return nil
	})
	if done {
		changes[at].StaleVerdicts, changes[at].EarlyVerdicts = all.stale, all.early
	}
	return err
}

// count adds the verdicts on the recorded answers of one suite.
func (v *verdicts) count(ctx context.Context, head *sides.Side, s *suite.Suite, now, then *evaluate.Panel) error {
	client := head.Recordings[s.Target]
	if client == nil {
		return nil
	}
	for _, k := range s.Cases {
		if !k.Graded() {
			continue
		}
		c := k.Open()
		for trial := 1; trial <= max(c.Trials, 1); trial++ {
			request := c.Prompt
			request.Trial = trial
			response, err := client.Answer(ctx, request)
			if err != nil {
				return err
			}
			before, after := now.CurrentVerdicts(s, &c, response), then.CurrentVerdicts(s, &c, response)
			v.stale += max(before-after, 0)
			v.early += max(after-before, 0)
		}
	}
	return nil
}
