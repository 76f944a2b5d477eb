package gate

import (
	"regexp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/text"
)

// MustPassChange reports changes that keep a must_pass case of the base from deciding.
var MustPassChange = Rule{
	Code: mustPassCode, MayBeAccepted: true,
	Title:    mustPassTitle,
	NextStep: putBack, ReviewStep: reviewEdits,
	IfOff: "A pull request can delete, unmark or redefine a case that must pass.",
	Doc: "A case that must pass on the base was removed, is no longer `must_pass`, has another input, or has " +
		"another expectation that the old one contradicts. " +
		"A new expectation that lets both pass only warns.",
	check: func(r *Run) []finding {
		var found caseFindings
		for p := range r.Comparison.All() {
			if p.Base == nil || !p.Base.MustPass {
				continue
			}
			switch text := mustPassChange(p); {
			case text != "":
				found.add(effectFails, p, text)
			case p.Base.ExpectationKey != p.Head.ExpectationKey:
				found.add(effectWarns, p, "has another expectation, and meets the old one as well")
			}
		}
		return found.all()
	},
}

// mustPassTitle returns the title of MustPassChange, with the name of the case if there is only one.
func mustPassTitle(f TitleInput) string {
	for _, r := range f.Report.Reasons {
		if f.Count == 1 && r.Code == mustPassCode && plainID.MatchString(r.CaseID) {
			return "must-pass case " + r.CaseID + " was changed or removed"
		}
	}
	return text.Count(f.Count, "must-pass case was", "must-pass cases were") + " changed or removed"
}

const mustPassCode = "on_must_pass_change"

var plainID = regexp.MustCompile(`^[A-Za-z0-9._/@-]{1,40}$`) // fit for a title

// mustPassChange describes the change by which a must_pass case of the base no longer decides the verdict. It returns
// "" if there is no such change. A new expectation does not count if the answer meets the old one too.
func mustPassChange(p *compare.Case) string {
	switch {
	case p.Head == nil:
		return "was removed"
	case !p.Head.MustPass && !p.Head.Outcome.Right():
		return "is no longer must_pass, and does not pass"
	case !p.Head.MustPass:
		return "is no longer must_pass"
	case p.Base.InputKey != p.Head.InputKey:
		return "has another input"
	case p.FailsOldExpectation():
		return "would have failed by the old expectation: " + string(p.Head.UnderBase.Primary)
	case notJudgedByOld(p):
		return "has another expectation, and was not judged by the old one"
	case p.NewlyTruncated() && p.Head.PassesTruncated:
		return "is newly truncated at the length limit, so the missing text may contain what it must not say"
	}
	return ""
}
