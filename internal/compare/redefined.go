package compare

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// failsOldExpectation reports a redefined case with an answer that the base's expectation would not have let pass.
func (p casePair) failsOldExpectation() bool {
	return p.redefined() && p.head.UnderBase().Passed < p.head.UnderBase().Trials
}

// wrongAsBefore reports a redefined case that no answer of the base passes, and none of the head.
func (p casePair) wrongAsBefore() bool {
	return p.redefined() && p.base.FailedAnswers() > 0 && p.base.Tally().Passed == 0 && p.head.FailedAnswers() > 0 && p.head.Tally().Passed == 0
}

// asksElse reports a redefined case that passed on the base, and whose question is another now: nothing shows how what it asked before is answered, as little
// as where it is removed.
func (p casePair) asksElse() bool {
	return p.redefined() && p.base.InputKey != p.head.InputKey && sideOf(p.base).Passes() && p.head.Tally().Passed > 0
}

// unjudged reports a redefined case whose answers nobody has held to the base's expectation.
func (p casePair) unjudged() bool {
	return p.redefined() && p.head.UnderBase().Trials == 0 && p.head.FailedAnswers()+p.head.Tally().Passed > 0
}

// unheld reports a redefined case whose answers were held to something on the base, and are held to nothing on the head: all of them pass.
func (p casePair) unheld() bool {
	return p.redefined() && p.head.UnderBase().Unheld && !p.base.Unverified && sideOf(p.base).Trials > 0
}

// removed names the removed cases that passed on the base.
func (j *judgement) removed() {
	var gone int
	var passed names
	for s, p := range j.in.Comparison.all() {
		if p.status() == report.Removed {
			if gone++; sideOf(p.base).Passes() {
				passed.add(s, p)
			}
		}
	}
	l := j.gate.OnRemoved
	message := text.Count(gone, "case was", "cases were") + " removed"
	switch {
	case gone == 0:
		return
	case passed.n == gone:
		message = text.Count(gone, "case that passed before was", "cases that passed before were") + " removed: " + passed.text()
	case passed.n > 0:
		message += fmt.Sprintf(", %d of them passed before: %s", passed.n, passed.text())
	case l == config.Err: // what failed before hides nothing
		l = config.Warn
	}
	j.add(l, fails, passed.reason(report.CodeRemoved, message))
}

// redefined names the cases whose answers the base's expectation would not have let pass, and those that are held to nothing any more: a
// slip of the pen takes an expectation away as a hand does, and what a case is for goes with it, so that a person has to agree. Those that no reading calls better
// are regressions, and told there where they fail the gate: were they left out wherever they are regressions, a worse answer could
// turn a failed gate into a passed one. For the same reason those that were wrong before and are wrong still, of which nothing is hidden, are left out only
// where this warns. Another question of a case that must pass is told by that case's own rule, unless this one is stricter.
func (j *judgement) redefined() {
	var unheld, hidden, unknown, other names
	told := slices.ContainsFunc(j.reasons, func(r weighed) bool { return r.weight == fails && r.reason.Code == report.CodeRegressions })
	l := j.gate.OnRedefined
	for s, p := range j.in.Comparison.all() {
		if p.unheld() && !p.quarantined {
			unheld.add(s, p)
		}
		switch {
		case p.quarantined, told && p.status() == report.Regressed:
		case l != config.Err && p.wrongAsBefore():
		case p.failsOldExpectation():
			hidden.add(s, p)
		case p.unjudged():
			unknown.add(s, p)
		case p.asksElse() && (!p.base.MustPass || l.Stricter(j.gate.OnMustPassChange)):
			other.add(s, p)
		}
	}
	j.tell(j.gate.OnExpectationRemoved, fails, report.CodeExpectationRemoved, unheld, text.Count(unheld.n, "case")+" lost the whole expectation, so that any answer passes")
	j.tell(l, fails, report.CodeRedefined, hidden, text.Count(hidden.n, "redefined case")+" would have failed by the old expectation")
	j.tell(l, fails, report.CodeRedefined, unknown, text.Count(unknown.n, "redefined case was", "redefined cases were")+" not judged by the old expectation")
	j.tell(l, fails, report.CodeRedefined, other, text.Count(other.n, "case that passed before asks", "cases that passed before ask")+" something else now")
}
