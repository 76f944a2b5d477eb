package compare

import (
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Redefined reports whether the case's input, expectation or judge changed. Adding must_pass does not redefine a case.
func (p *Case) Redefined() bool {
	return p.Base != nil && p.Head != nil &&
		(p.Base.ExpectationKey != p.Head.ExpectationKey || p.Base.MustPass && !p.Head.MustPass || !alike(p.Base.Likeness, p.Head.Likeness) || !alike(judgeOf(p.Base), judgeOf(p.Head)))
}

// FailsOldExpectation reports whether the case is redefined and the base's expectation fails one of its answers.
func (p *Case) FailsOldExpectation() bool {
	return p.Redefined() && p.Head.UnderBase.Passed < p.Head.UnderBase.Trials
}

// AsksElse reports whether the case passes on both sides but has another input on the head, so that no answer shows
// whether the old input would still pass.
func (p *Case) AsksElse() bool {
	return p.Redefined() && p.Base.InputKey != p.Head.InputKey && SideOf(p.Base).Passes() && p.Head.Tally.Passed > 0
}

// CutShort reports whether most answers of the head are truncated at their length limit, and the base's are not.
func (p *Case) CutShort() bool {
	return p.Base != nil && p.Head != nil && p.Base.Tally.Unscored < p.Base.Tally.Trials && !p.Base.Cut() && p.Head.Cut()
}

// worse reports whether a redefined case passed on the base and meets neither expectation now.
func worse(p *Case) bool {
	return judgedAnew(p) && noise.Strict(SideOf(p.Base), eitherSide(p.Head)) == report.Regressed
}

// judgedAnew reports whether the head's answers to a redefined case were also judged by the old expectation, or were
// made and judged by another runner. Without the old expectation, an edit of the case would excuse any answer that
// fails the new one.
func judgedAnew(p *Case) bool { return p.Head.UnderBase.Trials > 0 || p.Repeated() }

// eitherSide returns the head's counts of a redefined case, where an answer passes if it meets the old or the new
// expectation.
func eitherSide(c *report.Case) noise.Side {
	s := SideOf(c)
	if c.Repeated {
		return s
	}
	s.Passed = s.Trials - c.UnderBase.Neither
	return s
}

// judgeOf returns the fingerprint of the judge that graded a case, or "" if no judge did.
func judgeOf(c *report.Case) string {
	if c.Criteria == nil {
		return ""
	}
	return c.Criteria.Judge
}

// alike reports whether both sides were measured by the same model. A side without an answer has the model "", which is
// alike to every model.
func alike(base, head string) bool { return base == head || base == "" || head == "" }
