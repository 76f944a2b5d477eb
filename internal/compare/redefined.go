package compare

import (
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Redefined reports whether the case is judged by something else than on the base. Becoming must-pass does not redefine
// it.
func (p Case) Redefined() bool {
	return p.Base != nil && p.Head != nil &&
		(p.Base.ExpectationKey != p.Head.ExpectationKey || p.Base.MustPass && !p.Head.MustPass || !alike(p.Base.Likeness, p.Head.Likeness) || !alike(judgeOf(p.Base), judgeOf(p.Head)))
}

// FailsOldExpectation reports whether the case is redefined and the base's expectation would fail one of its answers.
func (p Case) FailsOldExpectation() bool {
	return p.Redefined() && p.Head.UnderBase.Passed < p.Head.UnderBase.Trials
}

// AsksElse reports whether the case is redefined, passed on the base, and asks another question now, so that nothing
// shows how the old question is answered.
func (p Case) AsksElse() bool {
	return p.Redefined() && p.Base.InputKey != p.Head.InputKey && SideOf(p.Base).Passes() && p.Head.Tally.Passed > 0
}

// CutShort reports whether the base answers the case in full, and most answers of the head are cut at their length
// limit.
func (p Case) CutShort() bool {
	return p.Base != nil && p.Head != nil && p.Base.Tally.Unscored < p.Base.Tally.Trials && !p.Base.Cut() && p.Head.Cut()
}

// worse reports whether a redefined case passed on the base, and its answers here meet neither the base's expectation
// nor their own.
func worse(p Case) bool {
	return p.judgedAnew() && noise.Strict(SideOf(p.Base), eitherSide(p.Head)) == report.Regressed
}

// judgedAnew reports whether it is known what the head's answers to a redefined case meet: both expectations, or their
// own if another runner judged them. Otherwise an edit of any expectation would excuse an answer that fails the new
// one.
func (p Case) judgedAnew() bool { return p.Head.UnderBase.Trials > 0 || p.Repeated() }

// eitherSide returns the head's side of a redefined case, in which an answer passes by the old or the new expectation.
func eitherSide(c *report.Case) noise.Side {
	s := SideOf(c)
	if c.Repeated {
		return s
	}
	s.Passed = s.Trials - c.UnderBase.Neither
	return s
}

// judgeOf returns who graded the answers to a case; "" if nobody did.
func judgeOf(c *report.Case) string {
	if c.Criteria == nil {
		return ""
	}
	return c.Criteria.Judge
}

// alike reports whether both sides were compared by meaning in the same way. A side without an answer fits any.
func alike(base, head string) bool { return base == head || base == "" || head == "" }
