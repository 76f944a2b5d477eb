package doctor

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

const workflowFolder = ".github/workflows"

// workflow is a workflow file of GitHub Actions.
type workflow struct {
	path string
	root *document.Node
	jobs []*job
}

type job struct {
	id   string
	name string // may contain `${{ }}`
	pos  document.Position
	node *document.Node
}

// gateStep is a step that runs failproof.
type gateStep struct {
	call                  // the step's own job
	chain       []call    // the step's own job, then the jobs that call its workflow, innermost first
	trigger     *workflow // the workflow whose events start the step
	node        *document.Node
	uses        *document.Node // nil for a step that runs the program by its name
	whyUnproven string         // why the script may pass although failproof failed; "" if it cannot
}

var (
	ourAction      = regexp.MustCompile(`(?i)^(failproof/failproof@.+|docker://[^ ]*/failproof/failproof[:@].+)$`)
	expressionForm = regexp.MustCompile(`\$\{\{.*?\}\}`)
	commitID       = regexp.MustCompile(`^[0-9a-f]{40}$|sha256:[0-9a-f]{64}$`)
)

// readWorkflows reads the workflows and finds the steps that run failproof.
func (e *examination) readWorkflows() {
	entries, err := fs.ReadDir(e.Files, workflowFolder)
	if err != nil {
		return // no-workflow becomes a finding
	}
	for _, entry := range entries {
		name := path.Join(workflowFolder, entry.Name())
		if ext := path.Ext(name); entry.IsDir() || ext != ".yml" && ext != ".yaml" {
			continue
		}
		if w := e.readWorkflow(name); w != nil {
			e.workflows = append(e.workflows, w)
			if slices.ContainsFunc(eventsOf(w), func(e event) bool { return slices.Contains(judgingEvents, e.Text) }) {
				e.findGates(w, w, nil)
			}
		}
	}
}

// readWorkflow reads the named workflow. If the file cannot be read, readWorkflow adds a note and returns nil.
func (e *examination) readWorkflow(name string) *workflow {
	reportUnread := func(at document.Position, why, do string) *workflow {
		e.addNote(name, at, "workflow-unread", "The workflow cannot be read: "+why+".",
			"Doctor cannot tell whether it runs the gate.", do)
		return nil
	}
	data, err := e.readPatched(name)
	if err != nil {
		return reportUnread(noPosition, err.Error(), "make it a plain file")
	}
	root, faults := document.Parse(name, data)
	if root == nil || document.HasErrors(faults) { // a file without a tree has a fault
		return reportUnread(faults[0].Pos(), faults[0].Message, "remove the named part")
	}
	w := &workflow{path: name, root: root}
	for key, node := range root.Get("jobs").Entries() {
		name, _ := node.Get("name").AsScalar()
		w.jobs = append(w.jobs, &job{id: key.Text, name: cmp.Or(name, key.Text), pos: key.Pos, node: node})
	}
	return w
}

// findSteps adds the steps of the first job in chain that run failproof and judge to e.gates.
func (e *examination) findSteps(trigger *workflow, chain []call) {
	for _, step := range chain[0].job.node.Get("steps").List() {
		g := gateStep{call: chain[0], chain: chain, trigger: trigger, node: step}
		uses, run := step.Get("uses"), step.Get("run")
		shard := expressionForm.ReplaceAllString(step.Get("with").Get("shard").AsText(), "x")
		switch {
		case shardForm.MatchString(shard): // a shard does not judge
		case uses != nil && (ourAction.MatchString(uses.Text) || e.isOurs(uses.Text)):
			g.uses, g.whyUnproven = uses, whyOtherCommand(step)
			e.gates = append(e.gates, g)
		case run != nil:
			if script := proveScript(g.workflow, g.job, step); script.Gate {
				g.whyUnproven = script.Why
				e.gates = append(e.gates, g)
			}
		}
	}
}

// imageArgs matches arguments of the image that run a gate.
var imageArgs = regexp.MustCompile(`^(action|run)\b`)

// whyOtherCommand returns why the container of an action may run another command than the gate, or "".
func whyOtherCommand(step *document.Node) string {
	for key, value := range step.Get("with").Entries() {
		switch name := strings.ToLower(key.Text); {
		case name == "entrypoint", name == "args" && (!imageArgs.MatchString(value.Text) || !shell.Mentions("failproof "+value.Text)):
			return "`" + name + "` may run another command"
		}
	}
	return ""
}

// shardForm matches the input `shard`, such as 1/4. A matrix may compute its number.
var shardForm = regexp.MustCompile(`^[^/]+/[^/]+$`)

// alwaysCondition matches the condition of a job that is never skipped. neverSkipped matches the condition of a step
// that nothing skips except cancellation.
var (
	alwaysCondition = regexp.MustCompile(`^(\$\{\{ *)?always\(\)( *\}\})?$`)
	neverSkipped    = regexp.MustCompile(`^(\$\{\{ *(always|!cancelled)\(\) *\}\}|always\(\))$`)
)

// isOurs reports whether uses names a local action that is failproof itself, as in its own repository.
func (e *examination) isOurs(uses string) bool {
	if !strings.HasPrefix(uses, "./") {
		return false
	}
	data, err := fs.ReadFile(e.Files, path.Join(path.Clean(uses), "action.yml"))
	if err != nil {
		return false
	}
	root, _ := document.Parse("action.yml", data)
	return root.Get("name").AsText() == "failproof"
}

// checkWorkflows checks the events, conditions, permissions and keys of the steps that run the gate.
func (e *examination) checkWorkflows() {
	if len(e.gates) == 0 {
		e.addOpen("", noPosition, "no-workflow", "No workflow runs failproof on `pull_request`.",
			"Pull requests are not judged at all.", "failproof init writes "+workflowFolder+"/failproof.yml")
		checkExternalCalls(e)
		return
	}
	examined, checkedEvents := map[*job]bool{}, map[*workflow]bool{}
	for _, g := range e.gates {
		if !checkedEvents[g.trigger] {
			checkedEvents[g.trigger] = true
			checkEvents(e, g.trigger)
		}
		for _, c := range g.chain {
			if !examined[c.job] {
				examined[c.job] = true
				if !e.judgesAfterwards(g.trigger) {
					checkJob(e, c.workflow, c.job)
				}
				if c.job == g.job {
					checkPermissions(e, g)
				}
			}
		}
		checkStep(e, g)
		checkCode(e, g)
		checkHistory(e, g)
		checkKeys(e, g)
	}
}
