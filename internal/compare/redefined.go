package compare

import (
	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
)

// Redefined reports whether the case's input, expectation or judge changed. Adding must_pass does not redefine a case.
func (p *Case) Redefined() bool {
	return p.Base != nil && p.Head != nil &&
		(p.Base.ExpectationKey != p.Head.ExpectationKey || p.Base.MustPass && !p.Head.MustPass || !sameModel(p.Base.SimilarityMethod, p.Head.SimilarityMethod) || !sameModel(judgeOf(p.Base), judgeOf(p.Head)))
}

// FailsOldExpectation reports whether the case is redefined and an answer of the head fails the base's expectation.
func (p *Case) FailsOldExpectation() bool {
	return p.Redefined() && p.Head.UnderBase != nil && p.Head.UnderBase.Passed < p.Head.UnderBase.Trials
}

// HasNewInput reports whether the case passes on both sides and has another input on the head. No answer then shows
// whether the old input would still pass.
func (p *Case) HasNewInput() bool {
	return p.Redefined() && p.Base.InputKey != p.Head.InputKey && CountsOf(p.Base).Passes() && p.Head.Outcome.Passed > 0
}

// NewlyTruncated reports whether most answers of the head are truncated at their length limit, and most of the base are
// not.
func (p *Case) NewlyTruncated() bool {
	return p.Base != nil && p.Head != nil && p.Base.Outcome.Unscored < p.Base.Outcome.Trials && !p.Base.Truncated() && p.Head.Truncated()
}

// worse reports whether the redefined case p passed on the base, and its answers now meet neither the old nor the new
// expectation.
func worse(p *Case) bool {
	return canShowRegression(p) && strictStatus(p, eitherSide(p.Head)) == report.Regressed
}

// canShowRegression reports whether the head's answers to the redefined case p can show a regression. They can if the
// old expectation judged them too, or if another runner made and judged them. If only the new expectation counted,
// editing a case would excuse its wrong answers.
func canShowRegression(p *Case) bool { return p.Head.UnderBase != nil || p.FromOtherRunner() }

// eitherSide returns the head's counts of the redefined case c. An answer passes if it meets the old or the new
// expectation.
func eitherSide(c *report.Case) noise.Side {
	s := CountsOf(c)
	if c.ByRunner {
		return s
	}
	s.Passed = s.Trials
	if c.UnderBase != nil {
		s.Passed -= c.UnderBase.Neither
	}
	return s
}

// judgeOf returns the fingerprint of the judge that graded a case, or "" if no judge did.
func judgeOf(c *report.Case) string {
	if c.Criteria == nil {
		return ""
	}
	return c.Criteria.Judge
}

// sameModel reports whether base and head, the models that measured the two sides, are the same. A side without an
// answer has the model "", and sameModel is then true.
func sameModel(base, head string) bool { return base == head || base == "" || head == "" }
