package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// acceptable are the codes of what an approving review accepts: what a change takes away, says anew or wants
// otherwise. No review accepts a regression, a missed bar or a missing answer.
var acceptable = []string{CodeMustPassChange, "on_removed", codeRedefined, codePolicyChange, CodeExpectationRemoved, report.CodeDeserted, report.CodeCut, report.CodeUnasked}

// Acceptable reports whether a run failed for such reasons alone.
func Acceptable(v report.Verdict, reasons []report.Reason) bool {
	decided := slices.DeleteFunc(slices.Clone(reasons), func(r report.Reason) bool { return r.Level != report.LevelError })
	return v == report.Failed && len(decided) > 0 && !slices.ContainsFunc(decided, func(r report.Reason) bool { return !slices.Contains(acceptable, r.Code) })
}

// Accept returns the verdict and the reasons of a run that was Acceptable, as far as they are accepted: what decided and is accepted is a
// warning that names by whom. by names who accepts a reason, as "the review of ada"; "" for nobody. While one is left the run has failed.
func Accept(reasons []report.Reason, by func(report.Reason) string) (report.Verdict, []report.Reason) {
	verdict, out := report.Passed, slices.Clone(reasons)
	for i, r := range out {
		if r.Level != report.LevelError {
			continue
		}
		who := by(r)
		if who == "" {
			verdict = report.Failed
			continue
		}
		out[i].Level, out[i].AcceptedBy = report.LevelWarn, who
		out[i].Message += "; accepted by " + who
	}
	return verdict, out
}
