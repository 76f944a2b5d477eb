package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// checkConfig looks at configuration, suites and recordings.
func (e *examination) checkConfig() {
	faults := slices.DeleteFunc(slices.Clone(e.Faults), func(d document.Diagnostic) bool { return d.Severity != document.Error })
	if len(faults) > 0 {
		what := strings.TrimSuffix(faults[0].Message, ".")
		if len(faults) > 1 {
			what = fmt.Sprintf("%s (and %d more)", what, len(faults)-1)
		}
		e.open(e.inRepository(faults[0].Path), faults[0].At(), "fault", "A file has a fault: "+what+".",
			"What hangs on it is not judged, and runs end with 2 or undecided.", "failproof validate lists all")
	}
	if e.Config == nil {
		return
	}
	at, g := e.inRepository(e.Config.Path), e.Config.Gate
	if g.FailOn == config.FailOnNever {
		e.open(at, nowhere, "report-only", "`fail_on: never` is set.", "The gate reports and blocks nothing.", "remove it when the first weeks are over")
	}
	if g.MaxRegressions.Level != config.Err {
		e.open(at, nowhere, "regressions-pass", "`max_regressions` is not at the level error.", "A change that breaks answers is merged.", "`max_regressions: 0`")
	}
	for _, l := range []struct {
		key   string
		level config.Level
		why   string
	}{
		{"on_must_pass_change", g.OnMustPassChange, "A pull request can delete, unmark or redefine a case that must pass."},
		{"on_policy_change", g.OnPolicyChange, "A change of the rules is not announced."},
		{"on_removed", g.OnRemoved, "A pull request can delete the case that it breaks, and nobody is told."},
		{"on_redefined", g.OnRedefined, "A pull request can reword what it does not meet, and nobody is told."},
		{"on_expectation_removed", g.OnExpectationRemoved, "A pull request can take away all that a case holds an answer to, and nobody is told."},
	} {
		if l.level == config.Off {
			e.open(at, nowhere, "level-off", "`"+l.key+"` is off.", l.why, "`"+l.key+": error`, which a review can accept")
		}
	}
	for _, k := range e.Keyless {
		e.open(e.inRepository(k.Path), nowhere, "recording-unbound", text.Count(k.Answers, "recorded answer")+" without a word of what is answered.",
			"When their prompt changes they still count: the answers of yesterday's prompt pass for those of today's.", "write them anew, or `failproof record --stamp` where they stand")
	}
	if e.Words != "" {
		e.note(at, nowhere, "words-alone", "Likeness to expected answers is measured by words: "+e.Words+".", "A right answer in other words is shown for review and not judged.", "see `failproof model pull`")
	}
}
