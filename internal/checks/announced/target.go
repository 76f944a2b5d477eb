package announced

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/together"
)

// countAnswers stores in the first change of each proposed target how many recorded answers depend on it. If the time
// is not enough, it stores nothing.
func countAnswers(time context.Context, p *sides.Sides, changes []config.Change) {
	isProposed := func(c config.Change) bool { return !c.Effective && c.IsTargetChange() }
	if !slices.ContainsFunc(changes, isProposed) {
		return
	}
	counted, done := together.Within(time, func() []config.Change {
		counted := slices.Clone(changes)
		for _, s := range p.Head.Suites {
			for _, c := range s.Cases {
				stale, early, from := p.AnswersAfterMerge(s, c)
				at := slices.IndexFunc(changes, func(c config.Change) bool { return isProposed(c) && c.OfTarget(s.Target, from) })
				if at >= 0 {
					counted[at].StaleAnswers, counted[at].EarlyAnswers = counted[at].StaleAnswers+stale, counted[at].EarlyAnswers+early
				}
			}
		}
		return counted
	})
	if done {
		copy(changes, counted)
	}
}
