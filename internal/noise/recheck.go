package noise

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// recheckTrigger is a level of significance. A recheck starts only if chance alone causes the overall drop, or that of
// one of several suites, with a probability of at most recheckTrigger. The recheck has its own share of Alpha, so the
// level does not affect false alarms.
const recheckTrigger = 0.15

// stage is a point, after a share of the rounds, at which a recheck may stop. The recheck goes on if chance alone would
// cause the drop so far with a probability of at most continueP. Stopping early proves nothing, so it raises no false
// alarm.
type stage struct{ share, continueP float64 }

// stages lists the points at which a recheck may stop. If the drop was mere chance, most rechecks stop at the first
// one.
var stages = [...]stage{{0.2, 0.4}, {0.4, 0.25}, {0.6, 0.2}, {0.8, 0.1}}

// needsRecheck reports whether the score of all cases or of a suite fell by enough, hardly by chance, and nothing else
// makes the run fail yet.
func (p *Procedure) needsRecheck() bool {
	all := p.first.overall
	proven := p.confirm.stateCounts()[report.CandidateConfirmed]
	if test := p.confirm.jointTest(); test != nil && test.Proven { // at least one of the tested cases regressed
		proven++
	}
	dropped := all != nil && stats.AtMost(all.PWorse, recheckTrigger) && p.settings.isDrop(all.Delta) ||
		p.settings.hasSignificantDrop(&p.first, recheckTrigger)
	return p.settings.Recheck > 0 && !p.settings.AlreadyFailed && dropped &&
		proven <= p.settings.MaxRegressions && !p.settings.hasSignificantDrop(&p.first, p.settings.testLevel())
}

// isDrop reports whether delta is a drop of at least MaxDrop.
func (s Settings) isDrop(delta float64) bool {
	return delta <= -s.MaxDrop+stats.SlackProbability
}

// recheckNeeds returns the reruns that are missing up to the end of the current stage of the recheck.
func (p *Procedure) recheckNeeds() (wants []report.RerunRequest) {
	if !p.needsRecheck() || p.skipped != "" {
		return nil
	}
	goal := p.recheckGoal()
	for _, m := range p.recheckCases() {
		if left := goal - len(m.recheckRounds); left > 0 {
			wants = append(wants, report.RerunRequest{Reason: report.RerunRecheck, SuiteID: m.suite.ID, CaseID: m.ID, Rounds: left})
		}
	}
	return wants
}

// recheckCases returns the cases that a recheck reruns.
func (p *Procedure) recheckCases() (out []*Case) {
	for _, m := range p.members {
		if m.isTestable() && p.includesInRecheck(m.suite) {
			out = append(out, m)
		}
	}
	return out
}

// includesInRecheck reports whether a recheck includes the suite s. It includes all suites. With SparingRecheck, it
// includes only those that fell.
func (p *Procedure) includesInRecheck(s *Suite) bool {
	return !p.settings.SparingRecheck ||
		slices.ContainsFunc(p.first.suites, func(f report.Scope) bool { return f.SuiteID == s.ID && f.Delta < 0 })
}

// recheckGoal returns how many rounds of each case the recheck needs so far. With SparingRecheck, the number grows
// stage by stage, up to the first stage whose answers do not confirm the drop. Otherwise all rounds are needed at once.
func (p *Procedure) recheckGoal() int {
	if !p.settings.SparingRecheck {
		return p.settings.Recheck
	}
	last := 0
	for _, at := range stages {
		goal := at.rounds(p.settings.Recheck)
		if goal == last {
			continue // a recheck of few rounds has fewer stages
		}
		last = goal
		if slices.ContainsFunc(p.recheckCases(), func(m *Case) bool { return len(m.recheckRounds) < goal }) {
			return goal
		}
		all := testAllCases(p.suites, p.recheckPairs(goal)).overall
		if all == nil || all.Delta >= 0 || !stats.AtMost(all.PWorse, at.continueP) {
			return goal
		}
	}
	return p.settings.Recheck
}

// rounds returns how many of total rounds are done at the stage.
func (s stage) rounds(total int) int { return max(1, int(s.share*float64(total)+0.5)) }

// recheckValues returns the values of one side in the first rounds of the recheck, without missing answers. side is 0
// for the base and 1 for the head.
func (c *Case) recheckValues(side, rounds int) (out []float64) {
	for _, round := range c.recheckRounds[:min(rounds, len(c.recheckRounds))] {
		switch t := round[side]; {
		case passes(t):
			out = append(out, 1)
		case t.Loss == classify.NoLoss:
			out = append(out, 0)
		}
	}
	return out
}

// recheckPairs returns a function that returns the values of a case in the first rounds of the recheck. A case whose
// answers serve both sides is not rerun, and keeps the values of its first trials.
func (p *Procedure) recheckPairs(rounds int) func(*Case) (stats.Pair, bool) {
	return func(m *Case) (stats.Pair, bool) {
		switch {
		case m.Reused && p.includesInRecheck(m.suite):
			return m.firstTrials()
		case m.lacksRecheckAnswers(rounds):
			return stats.Pair{}, false
		}
		return stats.Pair{Base: m.recheckValues(0, rounds), Head: m.recheckValues(1, rounds)}, true
	}
}

// lacksRecheckAnswers reports whether the case lacks more than half of the planned recheck answers on a side.
func (c *Case) lacksRecheckAnswers(planned int) bool {
	for side := range 2 {
		if (Side{Count: stats.Count{Trials: len(c.recheckValues(side, planned))}, Planned: planned}).LacksAnswers() {
			return true
		}
	}
	return false
}

// isComplete reports whether a recheck of the cases asked has enough answers. At least one case must have enough. The
// share of cases without enough must not exceed limit.
func isComplete(asked []*Case, rounds int, limit float64) bool {
	lacking := 0
	for _, m := range asked {
		if m.lacksRecheckAnswers(rounds) {
			lacking++
		}
	}
	return len(asked) > lacking && !exceedsShare(lacking, len(asked), limit)
}

// Skip prevents a recheck and records why. A possible drop then stays unconfirmed.
func (p *Procedure) Skip(why string) { p.skipped = why }

func (p *Procedure) recheckTest() *report.RecheckTest {
	if p.settings.Recheck == 0 {
		return nil
	}
	test := &report.RecheckTest{Trials: p.settings.Recheck, Triggered: p.needsRecheck(), Suites: []report.Scope{}}
	switch {
	case test.Triggered && p.skipped != "":
		test.Triggered, test.Skipped = false, p.skipped
	case test.Triggered:
		test.Asked = p.recheckGoal()
		test.Complete = isComplete(p.recheckCases(), test.Asked, p.settings.MaxErrored)
		f := testAllCases(p.suites, p.recheckPairs(test.Asked))
		test.Overall, test.Suites = f.overall, append(test.Suites, f.suites...)
	}
	return test
}
