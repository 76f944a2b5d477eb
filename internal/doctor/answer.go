package doctor

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/text"
)

// abilities lists what a stranger could do if one of the rules has an open finding, in the order of printing. A rule
// that is not listed breaks the gate without helping a stranger.
var abilities = []struct {
	could string
	rules []string
}{
	{"run commands with the repository's token", []string{"head-checkout", "injection"}},
	{"get a change merged that is not judged",
		[]string{"no-workflow", "no-pull-request", "not-required", "folder-unjudged", "suite-unjudged", "base-is-head"}},
	{"skip the gate", []string{"job-if", "job-needs", "step-if", "paths", "types"}},
	{"get a change merged that fails the gate",
		[]string{"exit-code", "continue-on-error", "report-only", "regressions-pass"}},
	{"forge answers", []string{"head-code", "shared-cache", "recording-unbound"}},
	{"replace the gate's result by another", []string{"other-events", "job-name", "run-name", "check-run-required"}},
	{"use a disabled rule", []string{"level-off"}},
	{"use unneeded permissions of the job", []string{"permissions"}},
	{"remove the gate without an owner's review", []string{"no-owners", "unowned", "owners-not-required"}},
}

// Summary returns one sentence that says what the open findings let a stranger do.
func Summary(findings []Finding) string {
	isOpen := func(rules []string) bool {
		return slices.ContainsFunc(findings, func(f Finding) bool {
			return f.Open && (rules == nil || slices.Contains(rules, f.Rule))
		})
	}
	var could []string
	for _, a := range abilities {
		if isOpen(a.rules) {
			could = append(could, a.could)
		}
	}
	switch {
	case len(could) > 0:
		return fmt.Sprintf("A stranger could %s.", text.List(could, "and"))
	case isOpen(nil):
		return "This opens no way past the gate, but the gate does not work as configured."
	case slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == "branch-unseen" }):
		return "Nothing is open in what could be read. The default branch's rules could not be read."
	}
	return "Nothing is open: every change is judged, and merged only if the gate passes."
}
