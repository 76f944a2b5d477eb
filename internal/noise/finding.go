package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// headErrorLevel is a level of significance. The head is blamed for its missing answers if chance alone causes so many
// more than on the base with a probability of at most headErrorLevel.
const headErrorLevel = 0.01

// The planning figures are for a drop of planDrop in every case. planPower is the share of runs that detect such a
// drop.
const (
	planDrop  = 0.10
	planPower = 0.80
)

// Finding is the result of a procedure.
type Finding struct {
	Numbers report.Noise

	// Proven results.
	Drop      bool // the first trials of a scope fell beyond chance
	Confirmed int  // cases that reruns prove broken
	Pooled    bool // candidates that are not proven one by one got worse together
	Recheck   bool // the reruns of a scope fell beyond chance

	PossibleDrop bool // a scope fell with a p-value of at most WarnAlpha

	// Missing answers.
	Errored, Common   int      // cases without enough answers; all cases that both sides have with one expectation
	TooManyErrors     bool     // Errored is a larger share of Common than MaxErrored
	Unscored          []string // suites without any answer to compare
	HeadErrors        bool     // the head loses answers more often than the base, beyond chance
	MissingReruns     int      // candidates that lack reruns
	RecheckIncomplete bool
}

// Finding returns the finding from the answers so far.
func (p *Procedure) Finding() Finding {
	f := Finding{Drop: p.settings.hasSignificantDrop(&p.first, p.settings.testLevel())}
	states := p.confirm.stateCounts()
	f.Confirmed, f.MissingReruns = states[report.CandidateConfirmed], states[report.CandidateIncomplete]
	f.Numbers = numbers(p)
	f.Pooled = f.Numbers.Confirm != nil && f.Numbers.Confirm.Pooled != nil && f.Numbers.Confirm.Pooled.Proven
	f.findErrors(p.suites, p.settings.NoReruns)
	f.TooManyErrors = exceedsShare(f.Errored, f.Common, p.settings.MaxErrored)
	f.HeadErrors = stats.AtMost(f.Numbers.HeadErrors, headErrorLevel)
	judged := &p.first
	if test := f.Numbers.Recheck; test != nil && test.Triggered {
		judged = &allCasesTest{suites: test.Suites, overall: test.Overall}
		f.RecheckIncomplete = !test.Complete
		f.Recheck = test.Complete && p.settings.hasSignificantDrop(judged, p.settings.testLevel())
	}
	f.PossibleDrop = !f.RecheckIncomplete && p.settings.hasSignificantDrop(judged, p.settings.WarnAlpha)
	return f
}

// UnansweredIncomplete returns the number of candidates that had no answer on the head at first and still lack reruns.
func (f Finding) UnansweredIncomplete() (n int) {
	if f.Numbers.Confirm == nil {
		return 0
	}
	for _, s := range f.Numbers.Confirm.Candidates {
		if s.Unanswered && s.State == report.CandidateIncomplete {
			n++
		}
	}
	return n
}

// hasSignificantDrop reports whether a scope of the family fell by enough, and its adjusted p-value is at most level.
func (s Settings) hasSignificantDrop(f *allCasesTest, level float64) bool {
	return slices.ContainsFunc(f.family(), func(one *report.Scope) bool {
		return stats.AtMost(*one.Adjusted, level) && s.isDrop(one.Delta)
	})
}

// Status returns the status of a case. The result of reruns overrides the first trials.
func (p *Procedure) Status(suiteID, caseID string) report.Status {
	m := p.byID[key(suiteID, caseID)]
	if m.candidate == nil {
		return m.status
	}
	switch m.candidate.state() {
	case report.CandidateConfirmed:
		return report.Regressed
	case report.CandidateCleared, report.CandidateUnprovable:
		if m.status != report.Redefined && !m.candidate.neverAnswered() {
			return report.Flaky
		}
	}
	return m.status
}

// numbers returns the figures of the procedure.
func numbers(p *Procedure) report.Noise {
	s := p.settings
	out := report.Noise{
		Trials: s.Trials, Alpha: s.Alpha, AlphaPerTest: p.settings.testLevel(),
		WarnAlpha: s.WarnAlpha, MaxDrop: s.MaxDrop,
		Overall: p.first.overall, Suites: append([]report.Scope{}, p.first.suites...), HeadErrors: headErrors(p.members),
		Confirm: p.confirm.testResult(), Recheck: p.recheckTest(), Repeats: p.confirm.repeatsTest(), Planning: planning(p.first, p.settings.testLevel()),
	}
	for _, m := range p.members {
		for _, side := range []*Side{m.Base, m.Head} {
			if side != nil {
				out.Trials = max(out.Trials, side.Trials+side.Unscored)
			}
		}
		if m.Quarantined {
			out.Quarantined++
		} else if m.eligible() && m.Reused {
			out.Unchanged++
		}
	}
	return out
}

// planning returns the drop that the run can detect, and the number of trials that are needed to detect a drop of
// planDrop. It returns nil if nothing is compared.
func planning(first allCasesTest, level float64) *report.PlanningEstimate {
	all := first.overall
	if all == nil || all.Cases == 0 {
		return nil
	}
	plan := stats.Planning{Sigma2: all.Sigma2, Alpha: level, Power: planPower}
	trials := (first.trials + 1) / 2
	return &report.PlanningEstimate{
		Cases: all.Cases, Trials: trials, Sigma2: all.Sigma2, Power: planPower, Drop: planDrop,
		Detectable: min(1, plan.Detectable(trials)), Needed: plan.Trials(planDrop),
	}
}

// findErrors counts the cases without enough answers. If right is set, it leaves out those whose answers on the head
// are all right: whatever the base lacks, they are not worse.
func (f *Finding) findErrors(scopes []*Suite, right bool) {
	for _, s := range scopes {
		common, errored := 0, 0
		for i := range s.Cases {
			m := &s.Cases[i]
			if m.isCommon() {
				common++
				if m.status == report.Errored && !(right && m.Head.IsRight()) {
					errored++
				}
			}
		}
		f.Common, f.Errored = f.Common+common, f.Errored+errored
		if common > 0 && errored == common {
			f.Unscored = append(f.Unscored, s.ID)
		}
	}
}

// exceedsShare reports whether part is a larger share of whole than limit.
func exceedsShare(part, whole int, limit float64) bool {
	return float64(part) > float64(whole)*(limit+stats.SlackValue)
}

// headErrors returns the probability that chance alone makes the head's trials end without an answer so much more often
// than the base's.
func headErrors(members []*Case) float64 {
	var strata []stats.Stratum
	for _, m := range members {
		if m.isCommon() && !m.Reused {
			strata = append(strata, stats.Stratum{Base: m.Base.answerFlags(), Head: m.Head.answerFlags(), Weight: 1})
		}
	}
	return stats.StratifiedTest(strata).Worse
}

// answerFlags returns one value per trial: 1 if the trial has an answer, and 0 if it has none.
func (s Side) answerFlags() []float64 { return binary(s.Trials, s.Trials+s.Unscored) }
