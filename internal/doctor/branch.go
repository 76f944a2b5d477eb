package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/github"
)

// actionsApp is the app that reports the jobs of GitHub Actions, by its public id on github.com.
const actionsApp = 15368

// checkRunName is what the check run of a run without a name is called.
const checkRunName = "failproof"

// checkBranch looks at what the default branch requires.
func (e *examination) checkBranch() {
	b := e.Guard
	switch {
	case len(e.gates) == 0:
		return
	case b == nil:
		e.note("", nowhere, "branch-unseen", "The settings of the default branch were not seen: "+e.Unseen+".",
			"Whether the gate's job is required, and an owner's review, is not known.", "look at them under Settings, Rules; or run this with a token in GITHUB_TOKEN")
		return
	}
	on := "of the branch " + b.Branch
	required := slices.DeleteFunc(slices.Clone(b.Required), func(c github.RequiredCheck) bool {
		return !slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.job.stands(c.Name) })
	})
	ours := slices.ContainsFunc(b.Required, func(c github.RequiredCheck) bool { return isCheckRun(c.Name) })
	name := e.gates[0].job.plain()
	switch {
	case len(required) == 0 && ours:
		e.open("", nowhere, "check-run-required", fmt.Sprintf("The rules %s require the check run %q and not the job %q.", on, checkRunName, name),
			"Every workflow with `checks: write` can make a check run of that name; and a pull request from a fork, whose token can make none, can never be merged.",
			"require the job "+fmt.Sprintf("%q", name)+" instead")
	case len(required) == 0:
		e.open("", nowhere, "not-required", fmt.Sprintf("No rule %s requires the job %q.", on, name),
			"A pull request is merged whatever the gate says, also before it has said anything.", "require that job in a ruleset of the branch")
	}
	for _, c := range required {
		if c.App == 0 {
			e.note("", nowhere, "any-source", fmt.Sprintf("The required check %q may come from any source.", c.Name),
				"Whoever may set a commit status can set one of that name.", "choose GitHub Actions as its source")
		} else if c.App != actionsApp {
			e.note("", nowhere, "other-source", fmt.Sprintf("The required check %q has to come from the app %d, not from GitHub Actions.", c.Name, c.App),
				"On github.com the job's result does not count, and the check is waited for without end.", "choose GitHub Actions as its source")
		}
	}
	if len(required) > 0 && ours {
		e.note("", nowhere, "check-run-required", fmt.Sprintf("The rules %s require the check run %q beside the job.", on, checkRunName),
			"A pull request from a fork, whose token can make no check run, can never be merged.", "require the job alone")
	}
	switch {
	case b.CodeOwners:
	case b.Partial != "":
		e.note("", nowhere, "branch-unseen", "Whether an owner's review is required was not seen: "+b.Partial+".",
			"Without it CODEOWNERS holds nothing up.", "look under Settings, Branches")
	default:
		e.open("", nowhere, "owners-not-required", "No rule "+on+" requires an owner's review.", "CODEOWNERS asks for reviews and holds nothing up: a change can leave the gate out.",
			"require review from code owners in a ruleset of the branch")
	}
}

// isCheckRun tells whether a required name is one of our check runs.
func isCheckRun(name string) bool {
	return name == checkRunName || strings.HasPrefix(name, checkRunName+" (") && strings.HasSuffix(name, ")")
}
