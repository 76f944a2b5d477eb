package compare

import (
	"cmp"
	"math"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Settings of the procedure that no configuration changes.
const (
	maxCandidates = 20
	warnAlpha     = 0.05
	defaultAlpha  = 0.01
	recheckFrom   = 50 // cases from which there is a recheck by default
	recheckTimes  = 5
)

// newProcedure returns the noise test, with settings s, of the cases that filter accepts.
func newProcedure(c Comparison, s noise.Settings, filter func(*Case) bool) *noise.Procedure {
	var suites []noise.Suite
	for _, s := range c.pairs {
		one := noise.Suite{ID: s.id, Weight: cmp.Or(s.head, s.base).Weight}
		for _, p := range s.cases {
			if filter(p) {
				one.Cases = append(one.Cases, noiseCase(p))
			}
		}
		suites = append(suites, one)
	}
	return noise.New(s, suites)
}

// isComparable reports whether p is noisy and on both sides, so that the noise test can compare it.
func isComparable(p *Case) bool { return p.kind == noisy && p.Base != nil && p.Head != nil }

// noiseCase returns p as the noise test reads it.
func noiseCase(p *Case) noise.Case {
	out := noise.Case{ID: p.ID(), Changed: p.Redefined(), Reused: p.SharesAnswer(), Quarantined: p.Quarantined, FlipWithdrawn: p.flipWithdrawn}
	if p.Base != nil {
		out.Base = new(CountsOf(p.Base))
	}
	if p.Head != nil {
		out.Head, out.MustPass, out.Loss = new(CountsOf(p.Head)), p.Head.MustPass, p.Head.Loss
	}
	if out.Changed {
		out.Head, out.Either = new(eitherSide(p.Head)), canShowRegression(p)
	}
	return out
}

// settings returns the settings of the noise test of c under gate g.
func (c Comparison) settings(g config.Gate) noise.Settings {
	s := settings(g, recheckOf(g, c.Count(func(p *Case) bool { return p.kind == noisy && p.IsShared() && !p.SharesAnswer() })))
	if c.Count((*Case).FromOtherRunner) > 0 { // two tests share alpha: one of all cases, and one of each case
		s.NoReruns, s.Confirm, s.Recheck, s.Pooled = true, 1, 0, false
	}
	return s
}

func settings(g config.Gate, recheck int) noise.Settings {
	s := noise.Settings{
		Trials: 1, Confirm: g.Confirm, MaxCandidates: maxCandidates, Pooled: g.Pooled == config.PooledOn,
		Recheck: recheck, SparingRecheck: true, Alpha: cmp.Or(g.Alpha, defaultAlpha), WarnAlpha: warnAlpha,
		MaxDrop: g.DropSetting(true).Value, MaxErrored: g.UnscoredSetting(true).Value, MaxRegressions: math.MaxInt32,
	}
	if limit := g.Settings[config.MaxRegressions]; limit.Level == config.Err {
		s.MaxRegressions = int(limit.Value)
	}
	return s
}

// rerunPairs returns the reruns of p that were made for the given reason, as pairs of base and head. It leaves out
// reruns that only one side has.
func rerunPairs(p *Case, reason report.RerunReason) (out [][2]report.Rerun) {
	heads := map[int]report.Rerun{}
	for _, t := range p.Head.Reruns {
		if t.RerunReason == reason {
			heads[t.Trial] = t
		}
	}
	for _, t := range p.Base.Reruns {
		if head, ok := heads[t.Trial]; ok && t.RerunReason == reason {
			out = append(out, [2]report.Rerun{t, head})
		}
	}
	return out
}

// whyIncomplete returns why an answer is missing among the reruns of p that were made for reason. It returns the zero
// value if that is unknown.
func whyIncomplete(p *Case, reason report.RerunReason) report.LossReason {
	for _, side := range []*report.Case{p.Head, p.Base} {
		for _, t := range side.Reruns {
			if t.RerunReason == reason && t.Loss != classify.NoLoss && t.Reason != "" {
				return t.LossReason
			}
		}
	}
	return report.LossReason{}
}

// RerunLimits limits the reruns of a comparison. Each rerun is one call on each side.
type RerunLimits struct {
	Cases   int // largest number of flipped cases that are rerun
	Confirm int // reruns of each flipped case
	Recheck int // reruns of every shared case in a recheck
}

// MaxReruns returns the largest number of reruns that a comparison may make. cases is the number of cases that are
// called on both sides.
func MaxReruns(g config.Gate, cases int) (a RerunLimits) {
	if g.Mode == config.ModeStrict {
		return a
	}
	if g.Confirm > 0 {
		a.Cases, a.Confirm = min(cases, maxCandidates), g.Confirm
	}
	a.Recheck = recheckOf(g, cases)
	return a
}

// DetectionPower returns the chance, in [0, 1], that a comparison with the given numbers of cases and first trials
// confirms one regression. The regressed case was always right before, and the share fails of its answers is wrong now.
func DetectionPower(g config.Gate, cases, trials int, fails float64) float64 {
	s := settings(g, recheckOf(g, cases))
	s.Trials = trials
	return s.DetectionChance(fails)
}

// recheckOf returns how often a recheck reruns each case under gate g. The default depends on the number of cases.
func recheckOf(g config.Gate, cases int) int {
	switch {
	case g.Recheck != nil:
		return *g.Recheck
	case cases < recheckFrom:
		return 0
	}
	return recheckTimes
}
