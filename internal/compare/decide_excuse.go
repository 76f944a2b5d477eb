package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
)

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
