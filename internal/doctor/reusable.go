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
// the workflow whose events start these steps. calls has the jobs that call w, innermost first.
func (e *examination) findGates(trigger, w *workflow, calls []call) {
	for _, j := range w.jobs {
		called, chain := j.node.Get("uses").AsText(), append([]call{{w, j}}, calls...)
		switch {
		case called == "":
			e.findSteps(trigger, chain)
		case !strings.HasPrefix(called, "./"):
			e.externalCalls = append(e.externalCalls, chain[0])
		case e.followedCalls < maxCalls && !isCalled(w, calls):
			e.followedCalls++
			if inner := e.readWorkflow(path.Clean(called)); inner != nil {
				for _, one := range inner.jobs {
					one.name = j.checkPrefix() + " / " + one.name
				}
				e.findGates(trigger, inner, chain)
			}
		}
	}
}

func isCalled(w *workflow, calls []call) bool {
	return slices.ContainsFunc(calls, func(c call) bool { return c.workflow.path == w.path })
}

// call is a job of a workflow, which may call another workflow.
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
