package doctor

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/text"
)

// abilities are what a stranger could do where a finding is open, in the order in which they are said. Of a rule that is
// not among them the gate does not work, which helps nobody.
var abilities = []struct {
	could string
	rules []string
}{
	{"run commands with the repository's own token", []string{"head-checkout", "injection"}},
	{"have a change merged that is never judged",
		[]string{"no-workflow", "no-pull-request", "not-required", "folder-unjudged"}},
	{"have the gate skipped", []string{"job-if", "job-needs", "step-if", "paths", "types"}},
	{"have a change merged that the gate fails",
		[]string{"exit-code", "continue-on-error", "report-only", "regressions-pass"}},
	{"forge the answers that are judged", []string{"head-code", "shared-cache", "recording-unbound"}},
	{"let another result stand for the gate's", []string{"other-events", "job-name", "run-name", "check-run-required"}},
	{"use a rule that is off", []string{"level-off"}},
	{"use rights of the job that the gate does not need", []string{"permissions"}},
	{"take the gate out, with no owner asked", []string{"no-owners", "unowned", "owners-not-required"}},
}

// Answer says what a stranger could do here today, in one sentence.
func Answer(findings []Finding) string {
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
		return "A stranger could do nothing with it, but the gate does not work as it is set up."
	case slices.ContainsFunc(findings, func(f Finding) bool { return f.Rule == "branch-unseen" }):
		return "Nothing is open: in what was seen, a stranger's change is judged. What the default branch requires was not."
	}
	return "Nothing is open: a stranger's change is judged, and merged only if the gate passes."
}
