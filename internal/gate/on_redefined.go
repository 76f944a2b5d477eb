package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Redefined reports cases whose input or expectation changed. It reports those that fail the base's expectation, those
// that were not judged by it, and those that pass on both sides with another input. It leaves out three kinds of cases:
//
//   - Regressions, if they fail the run. Otherwise redefining a case could turn a failed run into a passed one.
//   - Cases that are as wrong as before, unless this rule has the level error.
//   - New inputs of must_pass cases, which MustPassChange reports, unless this rule is stricter.
var Redefined = Rule{
	Code: "on_redefined", MayBeAccepted: true, SARIF: "redefined",
	Title: func(f TitleInput) string {
		if slices.ContainsFunc(f.Report.Changes, failsOldExpectation) {
			return "redefined cases fail the old expectation"
		}
		return "passing cases redefined"
	},
	NextStep: putBack, ReviewStep: reviewEdits,
	IfOff: "A pull request can reword an expectation that it does not meet, without a notice.",
	Doc: "A case has another expectation or question than on the base, and the old expectation would have failed " +
		"the answer, was not judged, or is asked about something else. " +
		"What is compared like for like is not among them.",
	check: func(r *Run) (found []finding) {
		level, regressionsFail := r.gate.Setting(config.OnRedefined).Level, r.regressionsFail()
		var hidden, unknown, other names
		for p := range r.Comparison.All() {
			name := func(list *names) { list.add(p.SuiteID(), p.ID(), "") }
			switch {
			case p.Quarantined, regressionsFail && p.Status == report.Regressed:
			case level != config.Err && wrongAsBefore(p):
			case p.FailsOldExpectation():
				name(&hidden)
			case notJudgedByOld(p):
				name(&unknown)
			case p.HasNewInput() && (!p.Base.MustPass || level.Stricter(r.gate.Setting(config.OnMustPassChange).Level)):
				name(&other)
			}
		}
		return slices.Concat(
			hidden.asFindings(effectFails, text.Count(hidden.n, "redefined case")+" would have failed by the old "+
				"expectation"),
			unknown.asFindings(effectFails, text.Count(unknown.n, "redefined case was", "redefined cases were")+" not judged by the old expectation"),
			other.asFindings(effectFails, text.Count(other.n, "case that passed before asks", "cases that passed before ask")+" something else now"),
		)
	},
}

// failsOldExpectation reports whether a change is a redefined case that may hide a failure, because the head's answer
// would fail the old expectation.
func failsOldExpectation(c report.Change) bool {
	return c.Kind == report.KindMayHide && c.Change == report.Redefined && c.FailsOldExpectation()
}

// wrongAsBefore reports whether a redefined case only has wrong answers on both sides.
func wrongAsBefore(p *compare.Case) bool {
	return p.Redefined() && p.Base.FailedAnswers() > 0 && p.Base.Outcome.Passed == 0 && p.Head.FailedAnswers() > 0 && p.Head.Outcome.Passed == 0
}

// notJudgedByOld reports whether a redefined case has answers that were not judged by the base's expectation.
func notJudgedByOld(p *compare.Case) bool {
	return p.Redefined() && p.Head.UnderBase == nil && p.Head.FailedAnswers()+p.Head.Outcome.Passed > 0
}
