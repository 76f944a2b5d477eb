package compare

import (
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

// Case is a case on both sides, with what the comparison found out about it.
type Case struct {
	Base, Head *report.Case // nil on a side that lacks the case
	suite      *suitePair
	*decision
}

// decision is what both sides together tell of a case. A run has one for each case of either side.
type decision struct {
	Status      report.Status
	Redrawn     bool // recorded, and decided by fresh answers
	Unsettled   bool // it flipped from one draw of a model to another, and nobody asked again
	Quarantined bool // the gate leaves it out

	kind      kind
	first     report.Status // by the first answers alone
	acquitted bool          // it flipped by criteria, and the judge says otherwise of the same answers
}

// kind is the kind of a case's answers, which decides what a flip proves.
type kind uint8

const (
	strict kind = iota // they count as they are
	drawn              // strict, and recorded several times from a model: a fall of their mean may be chance
	noisy              // the next answer may be another: a flip proves nothing by itself
)

// kindOf returns the kind of a case by the gate's mode and the answers on both sides.
func kindOf(mode string, p Case) kind {
	switch {
	case mode != config.ModeStrict && either(p, func(c *report.Case) bool { return c.Live }), mode == config.ModeNoisy && several(p):
		return noisy
	case several(p) && draws(p):
		return drawn
	}
	return strict
}

// SuiteID returns the id of the suite, as the head calls it.
func (p Case) SuiteID() string { return p.suite.id }

// ID returns what the head calls the case, or would call it if it had it.
func (p Case) ID() string {
	if p.Head != nil {
		return p.Head.ID
	}
	if name := p.suite.base.Head(p.Base.ID); name.Suite == p.suite.id {
		return name.Case
	}
	return p.Base.ID
}

func key(p Case) string { return p.suite.id + "/" + p.ID() }

// home returns the suite that the base has the case in.
func home(p Case) *report.SuiteSide {
	if from := p.suite.from[p.Base]; from != nil {
		return from
	}
	return p.suite.base
}

// Noisy reports whether the next answer to the case may differ, so that one flip proves nothing.
func (p Case) Noisy() bool { return p.kind == noisy }

// Draws reports whether a model gave the recorded answers of each side that has the case: the next may be another.
func (p Case) Draws() bool {
	return !either(p, func(c *report.Case) bool { return !c.Drawn })
}

// Rerun reports whether fresh answers decide a flip of the case.
func (p Case) Rerun() bool { return p.kind == noisy || p.Redrawn }

// IsShared reports whether the first answers of base and head can be compared: both sides have the case, unchanged.
func (p Case) IsShared() bool {
	switch p.first {
	case report.New, report.Removed, report.Redefined, report.Errored:
		return false
	}
	return !p.Quarantined && !p.Redefined()
}

// Repeated reports whether another runner made and judged all runs of the case: nobody can be asked again.
func (p Case) Repeated() bool { return either(p, func(c *report.Case) bool { return c.Repeated }) }

// Shared reports whether one answer serves both sides.
func (p Case) Shared() bool {
	return p.Base != nil && p.Head != nil && p.Base.Shared && p.Head.Shared
}

// SideOf returns the counts of one side of a case.
func SideOf(c *report.Case) noise.Side {
	planned := c.Tally.Trials
	if c.Repeated { // a run without an answer is none
		planned -= c.Tally.Unscored
	}
	return noise.Side{Count: stats.Count{Passed: c.Tally.Passed, Trials: c.Tally.Trials - c.Tally.Unscored}, Planned: planned}
}

// either reports whether the case is so on a side.
func either(p Case, is func(*report.Case) bool) bool {
	return p.Base != nil && is(p.Base) || p.Head != nil && is(p.Head)
}

// several reports whether the case has more than one first answer on a side.
func several(p Case) bool {
	return either(p, func(c *report.Case) bool { return c.Tally.Trials > 1 })
}

// draws reports whether recorded answers of a side were drawn from a model.
func draws(p Case) bool { return either(p, func(c *report.Case) bool { return c.Drawn }) }

func everyCase(Case) bool { return true }

func isDrawn(p Case) bool { return p.kind == drawn }
