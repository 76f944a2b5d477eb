package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
)

// Case is a case on both sides, and the result of comparing it.
type Case struct {
	Base, Head *report.Case  // nil on a side that lacks the case
	Status     report.Status // set once all reruns but those of a recheck are made
	// what reruns show of the case; nil if it was no candidate for reruns
	Candidate *report.Candidate

	ByRecordedReruns bool // a recorded case that recorded reruns decide
	SampledFlip      bool // the case flipped between two sampled answers, and no reruns decide
	Quarantined      bool // the gate ignores the case
	flipWithdrawn    bool // the judge withdrew the flip when it graded the same answers again
	kind             flipKind

	suite       *suitePair        // the suite that the case belongs to on the head
	id          string            // the head's id of the case, or the id that the head would use for a removed case
	baseSuite   *report.SuiteSide // the base's suite of Base
	baseID      string            // the head's id of baseSuite
	firstStatus report.Status     // the status by the first answers alone
	// the number of reruns that were given to the noise test, by reason
	roundsUsed map[report.RerunReason]int
}

// flipKind says what a flip of a case proves. The origin of the case's answers decides it.
type flipKind uint8

const (
	strict        flipKind = iota // one answer decides
	strictSampled                 // strict, but sampled several times from a model: a drop of the mean may be chance
	noisy                         // the next answer may differ: reruns decide
)

// kindOf returns the kind of case p under the gate's mode. It depends on how the answers of both sides were made.
func kindOf(mode string, p *Case) flipKind {
	switch {
	case mode != config.ModeStrict && onEitherSide(p, func(c *report.Case) bool { return c.Live }), mode == config.ModeNoisy && hasSeveralTrials(p):
		return noisy
	case hasSeveralTrials(p) && anySampled(p):
		return strictSampled
	}
	return strict
}

// SuiteID returns the id of the case's suite on the head. For a removed suite, it returns the id that the head would
// use.
func (p *Case) SuiteID() string { return p.suite.id }

// ID returns the head's id of the case, or the id that the head would use for a removed case.
func (p *Case) ID() string { return p.id }

func nameOf(p *Case) suiteid.Name { return suiteid.Name{Suite: p.SuiteID(), Case: p.ID()} }

// isMoved reports whether the case is in another suite on the head than on the base.
func isMoved(p *Case) bool { return p.Base != nil && p.baseID != p.suite.id }

// nextTrial returns the number of the next rerun of p: the one after its last trial on either side.
func nextTrial(p *Case) int { return max(p.Base.LastTrial(), p.Head.LastTrial()) + 1 }

// Noisy reports whether the next answer to the case may differ, so that one flip proves nothing.
func (p *Case) Noisy() bool { return p.kind == noisy }

// Sampled reports whether the answers of each side that has the case are sampled, so that further answers may differ.
func (p *Case) Sampled() bool {
	return !onEitherSide(p, func(c *report.Case) bool { return !c.Sampled })
}

// DecidedByReruns reports whether reruns decide a flip of the case.
func (p *Case) DecidedByReruns() bool { return p.kind == noisy || p.ByRecordedReruns }

// IsCandidate reports whether the case was a candidate for reruns, and they left it in the given state.
func (p *Case) IsCandidate(state string) bool {
	return p.Candidate != nil && p.Candidate.State == state
}

// IsRegression reports whether the case regressed and is not quarantined.
func (p *Case) IsRegression() bool { return p.Status == report.Regressed && !p.Quarantined }

// IsShared reports whether the case counts for changes of the score. It does if both sides have the case, unchanged and
// answered, and it is not quarantined.
func (p *Case) IsShared() bool {
	switch p.firstStatus {
	case report.New, report.Removed, report.Redefined, report.Errored:
		return false
	}
	return !p.Quarantined && !p.Redefined()
}

// FromOtherRunner reports whether all trials of the case are from another runner's results. Such a case cannot be
// rerun.
func (p *Case) FromOtherRunner() bool {
	return onEitherSide(p, func(c *report.Case) bool { return c.ByRunner })
}

// MayBeWorse reports whether the case of another runner lacks answers on a side, and its answers on the head are not
// all right.
func (p *Case) MayBeWorse() bool {
	return p.FromOtherRunner() && p.firstStatus == report.Errored && !p.Quarantined && !CountsOf(p.Head).IsRight()
}

// SharesAnswer reports whether one answer serves both sides.
func (p *Case) SharesAnswer() bool {
	return p.Base != nil && p.Head != nil && p.Base.Shared && p.Head.Shared
}

// CountsOf returns the counts of one side of a case, whose Trials leave out the unscored ones. c is the case on that
// side.
func CountsOf(c *report.Case) noise.Side {
	t := c.Outcome
	s := noise.Side{Count: stats.Count{Passed: t.Passed, Trials: t.Trials - t.Unscored}, Unscored: t.Unscored, Planned: t.Trials}
	if c.ByRunner { // a run without an answer does not count
		s.Planned = s.Trials
	}
	return s
}

// onEitherSide reports whether match is true for the case on at least one side.
func onEitherSide(p *Case, match func(*report.Case) bool) bool {
	return p.Base != nil && match(p.Base) || p.Head != nil && match(p.Head)
}

// hasSeveralTrials reports whether the case has more than one first answer on a side.
func hasSeveralTrials(p *Case) bool {
	return onEitherSide(p, func(c *report.Case) bool { return c.Outcome.Trials > 1 })
}

// anySampled reports whether the answers of at least one side are sampled.
func anySampled(p *Case) bool { return onEitherSide(p, func(c *report.Case) bool { return c.Sampled }) }

// flipped reports whether most answers to the case are right on the base and not on the head.
func flipped(p *Case) bool {
	return p.Base != nil && p.Head != nil && CountsOf(p.Base).Passes() && !CountsOf(p.Head).Passes()
}

func isStrictSampled(p *Case) bool { return p.kind == strictSampled }

// isSampledOnce reports whether both answers to p are sampled from a model, one a side, and decide as they are.
func isSampledOnce(p *Case) bool {
	return p.kind == strict && !hasSeveralTrials(p) && p.Base != nil && p.Head != nil && p.Base.Sampled &&
		p.Head.Sampled
}

// outcomesOf returns the outcomes that the report shows of the case on base and head; nil for a side that lacks the
// case. A base that flipped shows a right answer.
func outcomesOf(p *Case) (base, head *report.Outcome) {
	if p.Head != nil {
		head = &p.Head.Outcome
	}
	switch {
	case p.Base == nil:
	case p.firstStatus == report.Regressed || flipped(p):
		base = p.Base.RightOutcome()
	default:
		base = &p.Base.Outcome
	}
	return base, head
}

// strictStatus returns the status of the strict case p, whose answers on the head are counted in head. A test of
// another runner regresses if a smaller share of its runs passes: it asks no model, so only the change makes a run
// fail.
func strictStatus(p *Case, head noise.Side) report.Status {
	base := baseSide(p)
	status := noise.StrictStatus(base, head)
	if p.FromOtherRunner() && status != report.Errored && head.Passed*base.Trials < base.Passed*head.Trials {
		return report.Regressed
	}
	return status
}

// statusOf returns the status of a case by its first answers and the earlier reruns of its base. The first matching
// rule decides.
func statusOf(p *Case) report.Status {
	switch {
	case p.Base == nil:
		return report.New
	case p.Head == nil:
		return report.Removed
	case p.Redefined() && (p.kind == noisy || !worse(p)):
		return report.Redefined
	case p.kind == noisy:
		return noise.NoisyStatus(CountsOf(p.Base), CountsOf(p.Head))
	}
	status := strictStatus(p, CountsOf(p.Head))
	if status == report.StillPassing && !CountsOf(p.Base).Passes() { // only the base's earlier reruns were right
		return report.Flaky
	}
	return status
}
