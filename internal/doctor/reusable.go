package doctor

import (
	"path"
	"slices"
	"strings"
)

// maxCalls is the largest number of calls of local workflows that are followed. It bounds the work on workflows that
// call each other. GitHub allows 50.
const maxCalls = 100

// findGates finds the steps that run failproof in the workflow w and in the local workflows that w calls. The parameter
// starts is the workflow whose events start these steps. The parameter calls has the jobs that call w, outermost first.
func (e *examination) findGates(starts, w *workflow, calls []call) {
	for _, j := range w.jobs {
		called := j.node.Get("uses").AsText()
		switch {
		case called == "":
			e.findSteps(starts, w, j, calls)
		case !strings.HasPrefix(called, "./"):
			e.foreign = append(e.foreign, call{w, j})
		case e.followed < maxCalls && !isCalled(w, calls):
			e.followed++
			if inner := e.readWorkflow(path.Clean(called)); inner != nil {
				for _, one := range inner.jobs {
					one.name = j.reportedAs() + " / " + one.name
				}
				e.findGates(starts, inner, append(slices.Clone(calls), call{w, j}))
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

// reportedAs returns the prefix of the check names in the workflow that the job calls.
func (j *job) reportedAs() string {
	if j.node.Get("strategy").Get("matrix") != nil {
		return j.name + "${{ matrix }}"
	}
	return j.name
}

// way returns the jobs on the way to the step: the step's own job, then the jobs that call its workflow, innermost
// first.
func (g gateStep) way() []call {
	all := []call{{g.workflow, g.job}}
	for _, c := range slices.Backward(g.calls) {
		all = append(all, c)
	}
	return all
}

// checkForeign adds a note for each called workflow of another repository, which may run the gate.
func checkForeign(e *examination) {
	for _, c := range e.foreign {
		uses := c.job.node.Get("uses")
		e.note(c.workflow.path, uses.Pos, "out-of-sight",
			"The job `"+c.job.id+"` is `"+uses.Text+"`, which doctor cannot read.",
			"Doctor cannot tell whether it runs failproof, and whoever can change that repository can change it.",
			"run failproof in a workflow of this repository")
	}
}
