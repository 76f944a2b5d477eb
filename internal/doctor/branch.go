package doctor

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/github"
)

// actionsApp is the id on github.com of the app that reports the jobs of GitHub Actions.
const actionsApp = 15368

// checkRunName is the name of the check run that a step creates if it has no `name`.
const checkRunName = "failproof"

// checkBranch checks what the default branch requires.
func checkBranch(e *examination) {
	b := e.Guard
	if b == nil {
		e.addNote("", noPosition, "branch-unseen", "The default branch's rules could not be read: "+e.GuardProblem+".",
			"Doctor cannot tell whether the gate's job and an owner's review are required.",
			"check them under Settings, Rules; or run doctor with a token in GITHUB_TOKEN")
		return
	}
	ofBranch := "of the branch " + b.Branch
	required := slices.DeleteFunc(slices.Clone(b.Required), func(c github.RequiredCheck) bool {
		return !slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.job.canReportAs(c.Name) })
	})
	requiresCheckRun := slices.ContainsFunc(b.Required, func(c github.RequiredCheck) bool {
		return c.Name == checkRunName || strings.HasPrefix(c.Name, checkRunName+" (") && strings.HasSuffix(c.Name, ")")
	})
	name := e.gates[0].job.plainName()
	switch {
	case len(required) == 0 && requiresCheckRun:
		e.addOpen("", noPosition, "check-run-required",
			fmt.Sprintf("The rules %s require the check run %q and not the job %q.", ofBranch, checkRunName, name),
			"Any workflow with `checks: write` can create a check run of that name. A pull request from a fork can "+
				"never be merged: its token cannot create one.",
			"require the job "+fmt.Sprintf("%q", name)+" instead")
	case len(required) == 0:
		e.addOpen("", noPosition, "not-required", fmt.Sprintf("No rule %s requires the job %q.", ofBranch, name),
			"A pull request can be merged even if the gate fails or has not finished.",
			"require that job in a ruleset of the branch")
	}
	for _, c := range required {
		if c.App == 0 {
			e.addNote("", noPosition, "any-source",
				fmt.Sprintf("The required check %q may come from any source.", c.Name),
				"Anyone who can set a commit status can set one with that name.",
				"choose GitHub Actions as the check's source")
		} else if c.App != actionsApp {
			e.addNote("", noPosition, "other-source",
				fmt.Sprintf("The required check %q must come from the app %d, not from GitHub Actions.", c.Name, c.App),
				"On github.com the job's result does not count, so the check never completes.",
				"choose GitHub Actions as the check's source")
		}
	}
	if len(required) > 0 && requiresCheckRun {
		e.addNote("", noPosition, "check-run-required",
			fmt.Sprintf("The rules %s require the check run %q beside the job.", ofBranch, checkRunName),
			"A pull request from a fork can never be merged: its token cannot create the check run.",
			"require the job alone")
	}
	switch {
	case b.CodeOwners:
	case b.Partial != "":
		e.addNote("", noPosition, "branch-unseen", "Could not read whether an owner's review is required: "+b.Partial+
			".",
			"Without it, owners' reviews are not required.", "check Settings, Branches")
	default:
		e.addOpen("", noPosition, "owners-not-required", "No rule "+ofBranch+" requires an owner's review.",
			"Owners' reviews are requested but not required: a change can remove the gate.",
			"require review from code owners in a ruleset of the branch")
	}
}

// canReportAs reports whether the job can have the name required by a rule. A `${{ }}` in the job's name may become any
// text, and a matrix adds its values in brackets.
func (j *job) canReportAs(required string) bool {
	parts := expressionForm.Split(j.name, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	pattern := "^" + strings.Join(parts, ".*")
	if j.node.Get("strategy").Get("matrix") != nil {
		pattern += `( \(.*\))?`
	}
	matched, err := regexp.MatchString(pattern+"$", required)
	return err == nil && matched
}

// plainName returns the job's name without its `${{ }}` parts.
func (j *job) plainName() string {
	return strings.TrimSpace(expressionForm.ReplaceAllString(j.name, ""))
}

// checkNames finds other jobs with the name of the gate's job. If several jobs have the same name, GitHub counts the
// last result.
func checkNames(e *examination) {
	reported := map[*job]bool{}
	for _, g := range e.gates {
		for _, w := range e.workflows {
			for _, other := range w.jobs {
				isGate := slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.job == other })
				if other == g.job || reported[other] || isGate && reported[g.job] ||
					!other.canReportAs(g.job.plainName()) {
					continue
				}
				reported[other] = true
				e.addOpen(w.path, other.pos, "job-name",
					fmt.Sprintf("The job `%s` has the same name, %q, as the gate's job in %s.", other.id,
						other.name, g.workflow.path),
					"Either job satisfies a required check of that name.", "give one of them another `name`")
			}
		}
		reported[g.job] = true
	}
}

// checkRuns finds steps that publish a comment and a check run under the same name.
func checkRuns(e *examination) {
	byName := map[string]gateStep{}
	for _, g := range e.gates {
		name := runName(g)
		earlier, taken := byName[name]
		if !taken {
			byName[name] = g
			continue
		}
		why := "Their check runs have one name and stand beside each other: nobody can tell them apart."
		if earlier.trigger == g.trigger && earlier.job.id == g.job.id {
			why = "The step that ends last overwrites the other's comment and check run."
		}
		e.addOpen(g.workflow.path, g.node.Pos, "run-name",
			fmt.Sprintf("This step and the one in %s:%d publish under one name.",
				earlier.workflow.path, earlier.node.Pos.Line), why, "give each a `name`")
	}
}

// runName returns the text that distinguishes a step's comment and check run from those of other steps.
func runName(g gateStep) string {
	for _, input := range []string{"name", "working-directory", "suites", "config"} {
		if v := g.node.Get("with").Get(input); v != nil && v.Text != "" {
			return v.Text
		}
	}
	return strings.TrimSpace(g.node.Get("run").AsText()) // the command line, which has the inputs as flags
}
