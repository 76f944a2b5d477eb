package gate

import (
	"regexp"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/text"
)

// MustPassChange reports changes that keep a must_pass case of the base from deciding.
var MustPassChange = Rule{
	Code: mustPassCode, Accepts: true,
	Title:    mustPassTitle,
	NextStep: putBack, Look: lookAtEdits,
	IfOff: "A pull request can delete, unmark or redefine a case that must pass.",
	Doc: "A case that must pass on the base was removed, is no longer `must_pass`, has another input, or has " +
		"another expectation that the old one contradicts. " +
		"A new expectation that lets both pass only warns.",
	check: func(r *run) []finding {
		var told perCase
		for p := range r.Comparison.All() {
			if p.Base == nil || !p.Base.MustPass {
				continue
			}
			switch text, harmless := mustPassChange(p); {
			case text == "":
			case harmless:
				told.add(warns, p, text)
			default:
				told.add(fails, p, text)
			}
		}
		return told.all()
	},
}

// mustPassTitle names the case by its base name if there is only one.
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

// mustPassChange describes what happened to a must_pass case of the base; "" if nothing. It is harmless if only the
// expectation changed and the answer meets both.
func mustPassChange(p compare.Case) (text string, harmless bool) {
	switch {
	case p.Head == nil:
		return "was removed", false
	case !p.Head.MustPass && !p.Head.Passes():
		return "is no longer must_pass, and does not pass", false
	case !p.Head.MustPass:
		return "is no longer must_pass", false
	case p.Base.InputKey != p.Head.InputKey:
		return "has another input", false
	case p.FailsOldExpectation():
		return "would have failed by the old expectation: " + string(p.Head.UnderBase.Primary), false
	case notJudgedByOld(p):
		return "has another expectation, and was not judged by the old one", false
	case p.CutShort() && p.Head.Unproven():
		return "is newly truncated at the length limit, so the missing text may contain what it must not say", false
	case p.Base.ExpectationKey != p.Head.ExpectationKey:
		return "has another expectation, and meets the old one as well", true
	}
	return "", true
}
