package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// Acceptable reports whether v is failed and a review may accept every reason that failed the run.
func Acceptable(v report.Verdict, reasons []report.Reason) bool {
	decided := slices.DeleteFunc(slices.Clone(reasons), func(r report.Reason) bool { return r.Level != report.LevelError })
	return v == report.Failed && len(decided) > 0 && !slices.ContainsFunc(decided, func(r report.Reason) bool { return !RuleFor(r.Code).MayBeAccepted })
}

// Accept returns the verdict and the reasons of a failed run. The function acceptedBy returns who accepts a reason,
// such as "the review of ada", or else "" and why nobody does, which may be "". An accepted reason becomes a warning,
// and its message names the person who accepted it and the person who pushed. Every other reason still fails or
// suspends the run; its message ends with why nobody accepts it. A reason that nobody can accept says so if somebody
// tries.
func Accept(reasons []report.Reason, pushed string,
	acceptedBy func(report.Reason) (who, whyNot string)) (report.Verdict, []report.Reason) {
	verdict, out := report.Passed, slices.Clone(reasons)
	for i, r := range out {
		if r.Level != report.LevelError {
			continue
		}
		who, whyNot := acceptedBy(r)
		if !RuleFor(r.Code).MayBeAccepted {
			whyNot = ""
			if who != "" {
				who, whyNot = "", "no review or command can accept this"
			}
		}
		if who == "" {
			if !r.Suspends {
				verdict = report.Failed
			} else if verdict == report.Passed {
				verdict = report.Undecided
			}
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
