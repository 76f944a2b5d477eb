package doctor

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// stands tells whether a job can report under a name that a rule requires: its name with whatever `${{ }}` computes, a matrix in
// brackets behind it.
func (j *job) stands(required string) bool {
	parts := computed.Split(j.name, -1)
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

// plain is the job's name without what is computed: what a ruleset of the default branch requires.
func (j *job) plain() string { return strings.TrimSpace(computed.ReplaceAllString(j.name, "")) }

// checkNames looks for jobs and runs that share a name with the gate's: the last result by a name stands.
func (e *examination) checkNames() {
	told := map[*job]bool{}
	for _, g := range e.gates {
		for _, w := range e.workflows {
			for _, other := range w.jobs {
				if other == g.job || told[other] || e.isGate(other) && told[g.job] || !other.stands(g.job.plain()) {
					continue
				}
				told[other] = true
				e.open(w.path, other.at, "job-name", fmt.Sprintf("The job `%s` is called %q like the gate's job in %s.", other.id, other.name, g.workflow.path),
					"Whoever requires that name is satisfied by either.", "give one of them another `name`")
			}
		}
		told[g.job] = true
	}
	e.checkRuns()
}

func (e *examination) isGate(j *job) bool {
	return slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.job == j })
}

// checkRuns looks for steps whose comment and check run have one name.
func (e *examination) checkRuns() {
	first := map[string]gateStep{}
	for _, g := range e.gates {
		name := runName(g)
		before, taken := first[name]
		if !taken {
			first[name] = g
			continue
		}
		e.open(g.workflow.path, g.node.Pos, "run-name", fmt.Sprintf("This step and the one in %s:%d publish under one name.", before.workflow.path, before.node.Pos.Line),
			"Comment and check run are those of whichever ended last: the other's verdict is not seen.", "give each a `name`")
	}
}

// runName is what a step's comment and check run are told apart by.
func runName(g gateStep) string {
	for _, input := range []string{"name", "working-directory", "suites", "config"} {
		if v := g.node.Get("with").Get(input); v != nil && v.Text != "" {
			return v.Text
		}
	}
	if run := g.node.Get("run"); run != nil {
		return strings.TrimSpace(run.Text) // its flags
	}
	return ""
}
