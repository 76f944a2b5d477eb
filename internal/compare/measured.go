package compare

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// Limits of a noise measurement and of its advice.
const (
	highFlake    = 0.12 // from this flake rate on, one first trial is too few
	trialsHigh   = 3    // advised first trials from highFlake on
	mixedListed  = 20   // largest number of cases in MostMixed
	adviceDrop   = 0.10 // drop of the score that TrialsForTen trials detect
	advicePower  = 0.80 // share of such drops that TrialsForTen trials detect
	adviceRounds = 8    // advised reruns of a flipped case
)

// MeasureNoise measures the noise of one revision that is both base and head. It counts the trials of both sides
// together. A recorded answer is the same on both and counts once. alpha is the gate's level of significance; 0 means
// the default.
func MeasureNoise(base, head *report.Side, alpha float64) *report.MeasuredNoise {
	out := &report.MeasuredNoise{MostMixed: []report.MixedCase{}}
	disagree := 0.0
	for _, s := range head.Suites {
		for _, c := range s.Cases {
			passed, trials := CountsOf(c).Passed, CountsOf(c).Trials
			if b := base.Suite(s.ID).Case(c.ID); b != nil && c.Live {
				passed, trials = passed+CountsOf(b).Passed, trials+CountsOf(b).Trials
			}
			if trials < 2 {
				continue
			}
			out.Cases, out.Answers = out.Cases+1, out.Answers+trials
			disagree += disagreement(passed, trials)
			if passed > 0 && passed < trials {
				out.Mixed++
				out.MostMixed = append(out.MostMixed, report.MixedCase{SuiteID: s.ID, CaseID: c.ID, Passed: passed, Trials: trials})
			}
		}
	}
	slices.SortStableFunc(out.MostMixed, func(a, b report.MixedCase) int {
		return cmp.Compare(imbalance(a)*b.Trials, imbalance(b)*a.Trials)
	})
	out.MostMixed = out.MostMixed[:min(len(out.MostMixed), mixedListed)]
	if out.Cases > 0 {
		out.Flake = disagree / float64(out.Cases)
	}
	out.Advice = advise(*out, alpha)
	return out
}

// disagreement returns the chance that two different trials of a case have different verdicts. passed of the case's
// trials passed.
func disagreement(passed, trials int) float64 {
	return 2 * float64(passed) * float64(trials-passed) / (float64(trials) * float64(trials-1))
}

// imbalance returns the absolute difference between the numbers of passed and failed trials.
func imbalance(c report.MixedCase) int { return max(2*c.Passed-c.Trials, c.Trials-2*c.Passed) }

// advise returns the settings to use at the measured noise. One first trial of each case is enough unless the noise is
// high, because reruns find broken cases. More trials are needed to detect a smaller drop of the score.
func advise(m report.MeasuredNoise, alpha float64) report.Advice {
	a := report.Advice{Trials: 1, Confirm: adviceRounds, TrialsForTen: 1, Detectable: 1}
	if m.Flake >= highFlake {
		a.Trials = trialsHigh
	}
	tests := 2.0
	if m.Cases >= recheckFrom {
		a.Recheck, tests = recheckTimes, 3
	}
	if m.Cases > 0 {
		plan := stats.Planning{Sigma2: m.Flake / 2, Alpha: cmp.Or(alpha, defaultAlpha) / tests, Power: advicePower}
		a.Detectable = min(1, plan.Detectable(m.Cases*a.Trials))
		a.TrialsForTen = (plan.Trials(adviceDrop) + m.Cases - 1) / m.Cases
	}
	return a
}
