package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// Acceptable reports whether a run failed for nothing but what a review may accept.
func Acceptable(v report.Verdict, reasons []report.Reason) bool {
	decided := slices.DeleteFunc(slices.Clone(reasons), func(r report.Reason) bool { return r.Level != report.LevelError })
	return v == report.Failed && len(decided) > 0 && !slices.ContainsFunc(decided, func(r report.Reason) bool { return !Of(r.Code).Accepts })
}

// Accept returns the verdict and the reasons of a run that was Acceptable, as far as they are accepted. A reason that is accepted
// becomes a warning that names who pushed it and who accepts it. by names the latter, as "the review of ada"; "" for nobody. While
// a reason is left the run has failed, and whyNot, if it is not "", stands behind that reason.
func Accept(reasons []report.Reason, pushed, whyNot string, by func(report.Reason) string) (report.Verdict, []report.Reason) {
	verdict, out := report.Passed, slices.Clone(reasons)
	for i, r := range out {
		if r.Level != report.LevelError {
			continue
		}
		who := by(r)
		if who == "" {
			verdict = report.Failed
			if whyNot != "" {
				out[i].Message += "; not accepted: " + whyNot
			}
			continue
		}
		out[i].Level, out[i].AcceptedBy = report.LevelWarn, who
		out[i].Message += "; pushed by " + pushed + ", accepted by " + who
	}
	return verdict, out
}
