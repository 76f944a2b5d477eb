package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/text"
)

// loss is what is missing of the head's answers to strict or to noisy cases.
type loss struct {
	rule              config.Rule
	unscored, planned int
	noun              string // of one trial
}

func (l loss) beyond() bool {
	return l.rule.Level != config.Off && l.planned > 0 && !score.Meets(l.rule.Value, l.share())
}

func (l loss) share() float64 { return float64(l.unscored) / float64(l.planned) }

// losses counts the head's trials without an answer, of the strict cases and of the noisy ones. A trial that was planned and
// has no result at all is of no known kind: it counts as noisy only where no case is strict.
func (j *judgement) losses(m measured) [2]loss {
	all := loss{unscored: m.side.Unscored(), planned: m.side.Planned()}
	var live loss
	recorded := false
	for _, p := range j.in.Comparison.all() {
		switch {
		case p.head == nil || p.quarantined || m.held && p.base == nil:
		case p.kind == noisy:
			live.unscored, live.planned = live.unscored+p.head.Tally().Unscored, live.planned+p.head.Tally().Trials
		default:
			recorded = true
		}
	}
	gate := j.gate
	switch {
	case live.planned == 0:
		return [2]loss{{gate.Unscored(false), all.unscored, all.planned, "trial"}}
	case !recorded:
		return [2]loss{{gate.Unscored(true), all.unscored, all.planned, "trial"}}
	}
	return [2]loss{
		{gate.Unscored(false), all.unscored - live.unscored, all.planned - live.planned, "recorded trial"},
		{gate.Unscored(true), live.unscored, live.planned, "live trial"},
	}
}

// tooMuchMissing reports that more answers are missing than the gate allows: then a missed bar proves nothing.
func (j *judgement) tooMuchMissing(m measured) bool {
	for _, l := range j.losses(m) {
		if l.beyond() && l.rule.Level == config.Err {
			return true
		}
	}
	return false
}

func (j *judgement) unscored() {
	said := [2]bool{}
	for _, m := range j.held {
		for i, l := range j.losses(m) {
			if said[i] || !l.beyond() {
				continue
			}
			said[i] = true
			share, most := score.Figures(l.share(), l.rule.Value)
			j.add(l.rule.Level, suspends, report.Reason{Code: report.CodeUnscored,
				Message: fmt.Sprintf("%d of %s%s without an answer: share %s is above max_unscored %s", l.unscored, text.Count(l.planned, l.noun), m.over, share, most)})
		}
	}
	if n := j.in.Comparison.uncompared(); n > 0 {
		j.add(config.Warn, warns, report.Reason{Code: report.CodeUnscored,
			Message: fmt.Sprintf("%s not compared: too few answers came before", text.Count(n, "case is", "cases are"))})
	}
}

// sureOfScore is the level of the interval in which a score would land if the noisy cases were asked again.
const sureOfScore = 0.95

// excuse says why a missed bar proves nothing, and false where it does: a bar that nobody named, that the base meets, and
// that noise alone may keep the head from meeting. Where a regression is proven there is nothing to excuse.
func (j *judgement) excuse(bar config.Rule, side *report.Side, value float64) (why string, ok bool) {
	if bar.Set || j.in.Base == nil || j.proves() {
		return "", false
	}
	before, known := j.in.Comparison.judged(j.in.Base).RunScore()
	if !known || !score.Meets(before, bar.Value) {
		return "", false
	}
	part := j.in.Comparison.noisySquares(side)
	if part == 0 {
		return "", false
	}
	lo, hi := stats.Wilson(value, 1/part, sureOfScore)
	if !score.Meets(hi, bar.Value) {
		return "", false
	}
	low, high := score.Figure(lo), score.Figure(hi)
	return fmt.Sprintf("; it was met before, and noise alone may be why it is not now: asked again, the score would lie between %s and %s", low, high), true
}

// doubt is the level of what is neither proven nor to be passed over in silence.
func (j *judgement) doubt() config.Level {
	if j.gate.OnInconclusive == config.Err {
		return config.Err
	}
	return config.Warn
}

// proves reports that something is proven to have got worse.
func (j *judgement) proves() bool {
	c := j.in.Comparison
	return c.Regressions() > 0 || len(j.fallen()) > 0 || c.Draws != nil && c.Draws.Drop ||
		c.Noise != nil && (c.Noise.Drop || c.Noise.Recheck)
}

// noisySquares is Σw² over the noisy trials of a side, w being the part that each has in the run score. Strict trials would
// come out the same again, and have no part in its noise.
func (c Comparison) noisySquares(side *report.Side) (sum float64) {
	noisily := map[*report.Case]bool{}
	for _, p := range c.all() {
		noisily[p.head] = p.kind == noisy
	}
	weights := 0.0
	for _, s := range side.Suites {
		if len(s.Cases) > 0 {
			weights += s.Weight
		}
	}
	for _, s := range side.Suites {
		for _, one := range s.Cases {
			if noisily[one] {
				part := s.Weight / weights / float64(len(s.Cases))
				sum += float64(part*part) / float64(one.Tally().Trials)
			}
		}
	}
	return sum
}
