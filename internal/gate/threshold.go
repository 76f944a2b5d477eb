package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/text"
)

// thresholdSide is a side that thresholds are checked on.
type thresholdSide struct {
	side       *report.Side
	withoutNew bool   // without new cases
	suffix     string // " over the base's 20 cases"; "" for the whole head
}

// thresholdSides returns the sides that every threshold is checked on. The first is the head. If the head has new or
// moved cases, the second is the head without the new cases and with the moved ones in their old suites.
func (r *Run) thresholdSides() []thresholdSide {
	all := []thresholdSide{{side: r.head}}
	if old, differs := r.Comparison.WithoutNewCases(r.head); differs {
		all = append(all, thresholdSide{old, true, " over the base's " + text.Count(old.Counts().Cases, "case")})
	}
	return all
}

// checkThreshold returns a finding if the score full is below its threshold. It counts missing answers as wrong, and
// the score answered leaves them out. The finding suspends the run if there is no score answered, if that meets the
// threshold, or if too many answers are missing.
func (r *Run) checkThreshold(need config.Setting, m thresholdSide, full, answered *float64,
	message func(got, need string) string) []finding {
	if need.Level == config.Off || full == nil || score.Meets(*full, need.Value) {
		return nil
	}
	got, needText := score.FormatWithLimit(*full, need.Value)
	f := newFinding(effectFails, "%s", message(got, needText))
	suspend := func(why string) {
		f.effect, f.Message = effectSuspends, "with missing answers as wrong, "+f.Message+"; "+why
	}
	switch {
	case answered == nil:
		suspend("no answer has a score")
	case score.Meets(*answered, need.Value):
		suspend("over the scored answers it is " + score.FormatScore(*answered))
	case r.tooManyMissing(m):
		suspend("too few answers have a score to say")
	default:
		if why, ok := r.mayBeNoise(need, m.side, *full); ok {
			f.Message += why
			if f.level = config.Warn; r.gate.Setting(config.OnInconclusive).Level == config.Err {
				f.level = config.Err
			}
		}
	}
	return []finding{f}
}

// rerunConfidence is the probability with which a rerun's score is in the interval that mayBeNoise computes.
const rerunConfidence = 0.95

// mayBeNoise reports whether a missed threshold may be noise, and why. That is so if the threshold is a default, the
// base meets it, nothing is proven worse, and a rerun could meet it.
func (r *Run) mayBeNoise(need config.Setting, side *report.Side, value float64) (why string, ok bool) {
	if need.Set || r.Base == nil || r.provesWorse() {
		return "", false
	}
	before, known := r.Comparison.WithoutQuarantined(r.Base).RunScore()
	if !known || !score.Meets(before, need.Value) {
		return "", false
	}
	// Without a noisy trial, the interval is the score alone, which misses the threshold.
	lo, hi := stats.Wilson(value, 1/r.noisySquares(side), rerunConfidence)
	if !score.Meets(hi, need.Value) {
		return "", false
	}
	low, high := score.FormatScore(lo), score.FormatScore(hi)
	return fmt.Sprintf("; the base met it, and the miss may be noise: a rerun would score between %s and %s", low, high), true
}

// provesWorse reports whether a regression or a drop is proven.
func (r *Run) provesWorse() bool {
	c := r.Comparison
	return c.Regressions() > 0 || len(literalDrops(r)) > 0 || c.SampledTest != nil && c.SampledTest.Drop ||
		c.NoiseTest != nil && (c.NoiseTest.Drop || c.NoiseTest.Pooled || c.NoiseTest.Recheck)
}

// noisySquares returns Σw² over the noisy trials of a side, where w is a trial's weight in the run score. The trials of
// noisy cases are noisy. If a case with sampled answers flipped and no rerun confirmed the flip, the trials of all
// cases with sampled answers are noisy too. All other trials would repeat exactly.
func (r *Run) noisySquares(side *report.Side) (sum float64) {
	flipped := r.Comparison.Count(func(p *compare.Case) bool { return p.SampledFlip || p.ByRecordedReruns && p.Status == report.Flaky })
	noisy := map[*report.Case]bool{}
	for p := range r.Comparison.All() {
		noisy[p.Head] = p.Noisy() || flipped > 0 && p.Sampled()
	}
	weights := 0.0
	for _, s := range side.Suites {
		if len(s.Cases) > 0 {
			weights += s.Weight
		}
	}
	for _, s := range side.Suites {
		for _, one := range s.Cases {
			if noisy[one] {
				part := s.Weight / weights / float64(len(s.Cases))
				sum += float64(part*part) / float64(one.Outcome.Trials)
			}
		}
	}
	return sum
}

// missingAnswers counts the missing answers of a side's strict or noisy cases. The value of limit is the share of
// missing answers that the gate allows.
type missingAnswers struct {
	limit             config.Setting
	unscored, planned int
	noun              string // for one trial
}

func (m missingAnswers) exceedsLimit() bool {
	return m.limit.Level != config.Off && m.planned > 0 && !score.Meets(m.limit.Value, m.share())
}

func (m missingAnswers) share() float64 { return float64(m.unscored) / float64(m.planned) }

// missingByKind counts the missing answers of a side's strict and noisy cases. A planned trial without a result counts
// as noisy if all cases are noisy. Otherwise it counts as strict.
func (r *Run) missingByKind(m thresholdSide) []missingAnswers {
	strict, noisy := r.gate.UnscoredSetting(false), r.gate.UnscoredSetting(true)
	n := m.side.Counts()
	unscored, planned := n.Unscored, n.Planned
	noisyUnscored, noisyPlanned, anyStrict := 0, 0, false
	for p := range r.Comparison.All() {
		switch {
		case p.Head == nil || p.Quarantined || m.withoutNew && p.Base == nil:
		case p.Noisy():
			noisyUnscored, noisyPlanned = noisyUnscored+p.Head.Outcome.Unscored, noisyPlanned+p.Head.Outcome.Trials
		default:
			anyStrict = true
		}
	}
	switch {
	case noisyPlanned == 0:
		return []missingAnswers{{strict, unscored, planned, "trial"}}
	case !anyStrict:
		return []missingAnswers{{noisy, unscored, planned, "trial"}}
	}
	return []missingAnswers{
		{strict, unscored - noisyUnscored, planned - noisyPlanned, "strict trial"},
		{noisy, noisyUnscored, noisyPlanned, "noisy trial"},
	}
}

// tooManyMissing reports whether more answers are missing than the gate allows, so that a missed threshold proves
// nothing.
func (r *Run) tooManyMissing(m thresholdSide) bool {
	return slices.ContainsFunc(r.missingByKind(m),
		func(l missingAnswers) bool { return l.exceedsLimit() && l.limit.Level == config.Err })
}
