package compare

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// Acceptable reports whether a run failed for nothing but edits, which a review may accept.
func Acceptable(v report.Verdict, reasons []report.Reason) bool {
	decided := slices.DeleteFunc(slices.Clone(reasons), func(r report.Reason) bool { return r.Level != report.LevelError })
	return v == report.Failed && len(decided) > 0 && !slices.ContainsFunc(decided, func(r report.Reason) bool { return r.Edit() == report.NoEdit })
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
