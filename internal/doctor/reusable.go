package doctor

import (
	"path"
	"slices"
	"strings"
)

// maxCalls is the largest number of calls of local workflows that are followed. It bounds the work on workflows that
// call each other. GitHub allows 50.
const maxCalls = 100

// findGates finds the steps that run failproof in the workflow w and in the local workflows that w calls. trigger is
// the workflow whose events start these steps. calls has the jobs that call w, outermost first.
func (e *examination) findGates(trigger, w *workflow, calls []call) {
	for _, j := range w.jobs {
		called := j.node.Get("uses").AsText()
		switch {
		case called == "":
			e.findSteps(trigger, w, j, calls)
		case !strings.HasPrefix(called, "./"):
			e.externalCalls = append(e.externalCalls, call{w, j})
		case e.followedCalls < maxCalls && !isCalled(w, calls):
			e.followedCalls++
			if inner := e.readWorkflow(path.Clean(called)); inner != nil {
				for _, one := range inner.jobs {
					one.name = j.checkPrefix() + " / " + one.name
				}
				e.findGates(trigger, inner, append(slices.Clone(calls), call{w, j}))
			}
		}
	}
}

func isCalled(w *workflow, calls []call) bool {
	return slices.ContainsFunc(calls, func(c call) bool { return c.workflow.path == w.path })
}

// call is a job that calls a workflow.
type call struct {
	workflow *workflow
	job      *job
}

// checkPrefix returns the prefix of the check names in the workflow that the job calls.
func (j *job) checkPrefix() string {
	if j.node.Get("strategy").Get("matrix") != nil {
		return j.name + "${{ matrix }}"
	}
	return j.name
}

// jobChain returns the jobs on the way to the step: the step's own job, then the jobs that call its workflow, innermost
// first.
func (g gateStep) jobChain() []call {
	chain := []call{{g.workflow, g.job}}
	for _, c := range slices.Backward(g.calls) {
		chain = append(chain, c)
	}
	return chain
}

// checkExternalCalls adds a note for each called workflow of another repository, which may run the gate.
func checkExternalCalls(e *examination) {
	for _, c := range e.externalCalls {
		uses := c.job.node.Get("uses")
		e.addNote(c.workflow.path, uses.Pos, "out-of-sight",
			"The job `"+c.job.id+"` is `"+uses.Text+"`, which doctor cannot read.",
			"Doctor cannot tell whether it runs failproof, and whoever can change that repository can change it.",
			"run failproof in a workflow of this repository")
	}
}
