package doctor

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

const workflowFolder = ".github/workflows"

// workflow is a file of GitHub Actions.
type workflow struct {
	path string
	root *document.Node
	jobs []*job
}

type job struct {
	id   string
	name string // as it stands in the file
	at   document.Position
	node *document.Node
}

// gateStep is a step that runs failproof.
type gateStep struct {
	starts   *workflow // whose events begin it
	calls    []call    // the jobs by which that one calls the step's own workflow, where it is another
	workflow *workflow
	job      *job
	node     *document.Node
	uses     *document.Node // nil for a step that runs the program by its name
	unproven string         // why the script may pass where failproof did not; "" where it cannot
}

var (
	ourAction = regexp.MustCompile(`(?i)^(failproof/failproof@.+|docker://[^ ]*/failproof/failproof[:@].+)$`)
	computed  = regexp.MustCompile(`\$\{\{.*?\}\}`)
	commitID  = regexp.MustCompile(`^[0-9a-f]{40}$|sha256:[0-9a-f]{64}$`)
)

// readWorkflows reads the workflows and finds the steps that run failproof.
func (e *examination) readWorkflows() {
	entries, err := fs.ReadDir(e.Files, workflowFolder)
	if err != nil {
		return // none: said once no step is found
	}
	for _, entry := range entries {
		name := path.Join(workflowFolder, entry.Name())
		if ext := path.Ext(name); entry.IsDir() || ext != ".yml" && ext != ".yaml" {
			continue
		}
		if w := e.readWorkflow(name); w != nil {
			e.workflows = append(e.workflows, w)
			if slices.ContainsFunc(eventsOf(w), func(e event) bool { return slices.Contains(judging, e.Text) }) {
				e.findGates(w, w, nil)
			}
		}
	}
}

// readWorkflow returns nil for a file that cannot be read, which it notes.
func (e *examination) readWorkflow(name string) *workflow {
	unread := func(at document.Position, why, do string) *workflow {
		e.note(name, at, "workflow-unread", "The workflow cannot be read: "+why+".", "Whether it runs the gate is not known.", do)
		return nil
	}
	data, err := e.read(name)
	if err != nil {
		return unread(nowhere, err.Error(), "make it a plain file")
	}
	root, faults := document.Parse(name, data)
	if root == nil || document.HasErrors(faults) { // a file without a tree has a fault
		return unread(faults[0].At(), faults[0].Message, "write it without what is named")
	}
	w := &workflow{path: name, root: root}
	for key, node := range root.Get("jobs").Entries() {
		j := &job{id: key.Text, name: key.Text, at: key.Pos, node: node}
		if name := node.Get("name"); name != nil && name.Text != "" {
			j.name = name.Text
		}
		w.jobs = append(w.jobs, j)
	}
	return w
}

// findSteps finds the steps of a job that run failproof and judge.
func (e *examination) findSteps(starts, w *workflow, j *job, calls []call) {
	for _, step := range j.node.Get("steps").List() {
		g := gateStep{starts: starts, calls: calls, workflow: w, job: j, node: step}
		uses, run := step.Get("uses"), step.Get("run")
		switch {
		case partOf.MatchString(shardOf(step)): // it asks, and judges nothing
		case uses != nil && (ourAction.MatchString(uses.Text) || e.isOurs(uses.Text)):
			g.uses = uses
			e.gates = append(e.gates, g)
		case run != nil:
			if script := readScript(w, j, step); script.Gate {
				g.unproven = script.Why
				e.gates = append(e.gates, g)
			}
		}
	}
}

// partOf is the input of a step that asks a part of a run, be the number one of a matrix.
var partOf = regexp.MustCompile(`^[^/]+/[^/]+$`)

// shardOf is a step's input shard; "" where it has none.
func shardOf(step *document.Node) string {
	if value := step.Get("with").Get("shard"); value != nil {
		return computed.ReplaceAllString(value.Text, "x")
	}
	return ""
}

// always is the condition of a job that is never skipped, goesOn that of a step that is skipped only with a job that was cancelled.
var (
	always = regexp.MustCompile(`^(\$\{\{ *)?always\(\)( *\}\})?$`)
	goesOn = regexp.MustCompile(`^(\$\{\{ *(always|!cancelled)\(\) *\}\}|always\(\))$`)
)

// isOurs tells whether a local action is failproof itself, as in its own repository.
func (e *examination) isOurs(uses string) bool {
	if !strings.HasPrefix(uses, "./") {
		return false
	}
	data, err := fs.ReadFile(e.Files, path.Join(path.Clean(uses), "action.yml"))
	if err != nil {
		return false
	}
	root, _ := document.Parse("action.yml", data)
	name := root.Get("name")
	return name != nil && name.Text == "failproof"
}

// checkWorkflows looks at what runs the gate: its events, conditions, permissions and keys.
func (e *examination) checkWorkflows() {
	if len(e.gates) == 0 {
		e.open("", nowhere, "no-workflow", "No workflow runs failproof on `pull_request`.", "Pull requests are not judged at all.", "failproof init writes "+workflowFolder+"/failproof.yml")
		e.checkForeign()
		return
	}
	examined, begun := map[*job]bool{}, map[*workflow]bool{}
	for _, g := range e.gates {
		if !begun[g.starts] {
			begun[g.starts] = true
			e.checkEvents(g.starts)
		}
		for _, c := range g.way() {
			if !examined[c.job] {
				examined[c.job] = true
				e.checkJob(c.workflow, c.job)
				if c.job == g.job {
					e.checkPermissions(g)
				}
			}
		}
		e.checkStep(g)
		e.checkCode(g)
		e.checkKeys(g)
	}
}

// event is a word by which a workflow is started, and its settings.
type event struct {
	*document.Node
	settings *document.Node
}

// eventsOf are the events of a workflow. `on:` is a word, a list or a map.
func eventsOf(w *workflow) (all []event) {
	on := w.root.Get("on")
	for key, settings := range on.Entries() {
		all = append(all, event{key, settings})
	}
	for _, item := range on.List() {
		all = append(all, event{item, nil})
	}
	if on != nil && on.Text != "" {
		all = append(all, event{on, nil})
	}
	return all
}

// judging are the events by which a workflow is meant to judge pull requests, the refused ones among them. What runs failproof on
// other events alone, as a nightly run does, gates nothing.
var judging = []string{"pull_request", "merge_group", "pull_request_target", "workflow_run"}

// ownEvents are those that a required job may have: others run the same job on the same commit, and its result stands for both.
var ownEvents = []string{"pull_request", "merge_group"}

func (e *examination) checkEvents(w *workflow) {
	on := w.root.KeyPos("on")
	by := map[string]event{}
	for _, one := range eventsOf(w) {
		name := one.Text
		by[name] = one
		switch {
		case name == "pull_request_target" || name == "workflow_run":
			e.open(w.path, one.Pos, "event", "The workflow runs on `"+name+"`.",
				"That event gives somebody else's change the repository's own token and secrets; failproof refuses it and exits with 2, unless it judges another runner's results on `workflow_run`.", "use `pull_request`")
		case !slices.Contains(ownEvents, name):
			e.open(w.path, one.Pos, "other-events", "The gate's workflow also runs on `"+name+"`.",
				"A job's name is shared by all events of its workflow: a result of this event on the same commit stands for that of the pull request.",
				"keep `pull_request` and `merge_group` here, and put other events into a workflow with another job name")
		}
	}
	pull, is := by["pull_request"]
	if !is {
		if _, other := by["pull_request_target"]; !other {
			e.open(w.path, on, "no-pull-request", "The gate's workflow does not run on `pull_request`.", "Pull requests are not judged.", "add `pull_request`")
		}
		return
	}
	e.checkPullRequest(w, pull.settings, pull.Pos)
	e.checkBranchFilter(w, pull.settings)
	if _, is := by["merge_group"]; !is {
		why := "Where the branch has a merge queue, the job never runs there, and the queue waits for it until it gives up."
		if e.Guard != nil && e.Guard.MergeQueue {
			e.open(w.path, on, "no-merge-group", "The branch has a merge queue, and the gate's workflow does not run on `merge_group`.", why, "add `merge_group:`")
		} else if e.Guard == nil {
			e.note(w.path, on, "no-merge-group", "The gate's workflow does not run on `merge_group`.", why, "add `merge_group:`")
		}
	}
}

// checkPullRequest looks at the types and filters of the event.
func (e *examination) checkPullRequest(w *workflow, settings *document.Node, at document.Position) {
	needed := []string{"opened", "synchronize", "reopened"} // GitHub's own default
	types := needed
	if given := settings.Get("types"); given != nil {
		types, at = []string{given.Text}, given.Pos
		for _, item := range given.Items() {
			types = append(types, item.Text)
		}
	}
	missing := slices.DeleteFunc(slices.Clone(needed), func(name string) bool { return slices.Contains(types, name) })
	if len(missing) > 0 {
		e.open(w.path, at, "types", "The workflow does not run when a pull request is "+strings.Join(missing, " or ")+".",
			"A commit that is pushed then is not judged.", "`types: [opened, synchronize, reopened, edited]`")
	} else if !slices.Contains(types, "edited") {
		e.open(w.path, at, "types", "The workflow does not run when a pull request is edited.",
			"A pull request that is judged against a branch with lax rules can be given the default branch as its base, and is not judged again.",
			"`types: [opened, synchronize, reopened, edited]`")
	}
	for _, filter := range []string{"paths", "paths-ignore"} {
		if settings.Get(filter) != nil {
			e.open(w.path, settings.KeyPos(filter), "paths", "The workflow has `"+filter+"`.",
				"A change outside of the filter starts no job: a required one is waited for without end, and an expectation, a schema or a configuration that the filter "+
					"forgets is not judged. Suites that a change does not touch cost nothing anyway.", "remove the filter")
		}
	}
}

// checkBranchFilter looks for branches whose pull requests are not judged.
func (e *examination) checkBranchFilter(w *workflow, settings *document.Node) {
	if settings.Get("branches-ignore") != nil {
		e.note(w.path, settings.KeyPos("branches-ignore"), "branches-ignore", "The workflow has `branches-ignore`.",
			"A pull request into such a branch is not judged, and what it merges comes to the others from there.", "remove it, or protect each branch that it leaves out")
	}
}

// checkJob looks at what lets a job pass without having judged.
func (e *examination) checkJob(w *workflow, j *job) {
	const skipped = "GitHub counts a skipped job as passed: "
	condition := j.node.Get("if")
	never := condition != nil && always.MatchString(condition.Text)
	if condition != nil && !never {
		e.open(w.path, j.node.KeyPos("if"), "job-if", "The job `"+j.id+"` has an `if:`.", skipped+"a pull request for which it is false is merged unjudged.",
			"remove it; what is not to be judged belongs into `suites`")
	}
	if j.node.Get("needs") != nil && !never {
		e.open(w.path, j.node.KeyPos("needs"), "job-needs", "The job `"+j.id+"` has `needs:`.", skipped+"where a job that it needs fails, the gate is skipped.",
			"remove it, or, where the job merges shards, give it `if: ${{ always() }}`")
	}
	if c := j.node.Get("continue-on-error"); c != nil && c.Text != "false" {
		e.open(w.path, j.node.KeyPos("continue-on-error"), "continue-on-error", "The job `"+j.id+"` has `continue-on-error:`.",
			"The job passes whatever the gate says.", "remove it; `gate: { fail_on: never }` reports without blocking, and says so")
	}
}

// checkStep looks at what lets a step pass without having judged, and at who decides what it runs.
func (e *examination) checkStep(g gateStep) {
	w := g.workflow
	if c := g.node.Get("if"); c != nil && !goesOn.MatchString(c.Text) {
		e.open(w.path, g.node.KeyPos("if"), "step-if", "The step that runs failproof has an `if:`.", "Where it is false, the job passes unjudged.", "remove it")
	}
	if c := g.node.Get("continue-on-error"); c != nil && c.Text != "false" {
		e.open(w.path, g.node.KeyPos("continue-on-error"), "continue-on-error", "The step that runs failproof has `continue-on-error:`.",
			"The job passes whatever the gate says.", "remove it; `gate: { fail_on: never }` reports without blocking, and says so")
	}
	e.checkExitCode(g)
	if g.uses != nil && !strings.HasPrefix(g.uses.Text, "./") {
		_, ref, _ := strings.Cut(g.uses.Text, "@")
		if !commitID.MatchString(ref) {
			e.note(w.path, g.uses.Pos, "unpinned", "The action is `"+g.uses.Text+"`.", "A tag or branch can move: tomorrow's run may execute other code with this job's token and keys.",
				"write the commit of a release, and its version as a comment")
		}
	}
	if v := g.node.Get("with").Get("min-run-score"); v != nil {
		if bar, err := strconv.ParseFloat(v.Text, 64); err == nil && bar == 0 {
			e.note(w.path, v.Pos, "no-bar", "`min-run-score: "+v.Text+"` is set.", "Every run score is enough: regressions alone block.", "remove it, or name a bar")
		}
	}
	if v := g.node.Get("with").Get("bootstrap"); v != nil && v.Text == "true" && e.Config != nil {
		e.note(w.path, v.Pos, "bootstrap", "`bootstrap: true` is set.", "It is for a repository without a configuration, and this one has one: it does nothing here.", "remove it")
	}
}

// wanted are the permissions that a job needs, and what does not work without.
var wanted = []struct{ name, level, without string }{
	{"contents", "read", "prompts, suites and recorded answers cannot be read"},
	{"pull-requests", "write", "no comment is made, and no review can accept"},
	{"checks", "write", "no check run is made, and no line is annotated"},
}

// checkPermissions compares the job's permissions with those that are needed.
func (e *examination) checkPermissions(g gateStep) {
	var holder *document.Node
	var at document.Position
	file := g.workflow.path
	for _, c := range g.way() {
		for _, node := range []*document.Node{c.job.node, c.workflow.root} {
			if holder == nil && node.Get("permissions") != nil {
				holder, at, file = node.Get("permissions"), node.KeyPos("permissions"), c.workflow.path
			}
		}
	}
	const do = "`permissions: { contents: read, pull-requests: write, checks: write }` for the job, `permissions: {}` for the workflow"
	switch {
	case holder == nil:
		e.note(g.workflow.path, g.job.at, "permissions", "The job `"+g.job.id+"` says no `permissions`.",
			"It has what the repository's settings give every job: too much, or too little for comment and check run.", do)
		return
	case holder.Kind != document.Map && holder.Text == "write-all":
		e.open(file, at, "permissions", "The job `"+g.job.id+"` has `"+holder.Text+"`.", "Whatever runs in it can change the repository.", do)
		return
	case holder.Kind != document.Map:
		e.note(file, at, "permissions", "The job `"+g.job.id+"` has `"+holder.Text+"`.", "No comment and no check run can be made.", do)
		return
	}
	for key, value := range holder.Entries() {
		level := value.Text
		needed := slices.ContainsFunc(wanted, func(w struct{ name, level, without string }) bool {
			return w.name == key.Text && (w.level == level || level == "read")
		})
		if level != "none" && !needed && (level == "write" || key.Text == "id-token") {
			e.open(file, key.Pos, "permissions", "The job `"+g.job.id+"` has `"+key.Text+": "+level+"`.", "The gate does not need it, and whatever else runs in the job has it too.", "remove it")
		}
	}
	for _, w := range wanted {
		have := holder.Get(w.name)
		if have == nil || have.Text != w.level && have.Text != "write" {
			e.note(file, at, "permissions", "The job `"+g.job.id+"` lacks `"+w.name+": "+w.level+"`.", strings.ToUpper(w.without[:1])+w.without[1:]+".", "add it")
		}
	}
}

// checkKeys looks for the variables of live targets where the step gets its environment.
func (e *examination) checkKeys(g gateStep) {
	if e.Config == nil || !g.judges(path.Clean(e.Folder)) {
		return
	}
	told := map[string]bool{}
	for _, target := range e.Asked {
		for _, name := range e.Config.Targets[target].Variables() {
			step, wider := g.node.Get("env").Get(name), cmp.Or(g.job.node.Get("env").Get(name), g.workflow.root.Get("env").Get(name))
			switch {
			case told[name] || step != nil:
			case wider == nil:
				e.open(g.workflow.path, g.node.Pos, "key-missing", "The target "+document.Quote(target)+" reads the variable `"+name+"`, which the step does not get.",
					"Its answers cannot be asked for: runs end undecided.", "`env: { "+name+": ${{ secrets."+name+" }} }` for the step")
			default:
				e.note(g.workflow.path, wider.Pos, "key-shared", "`"+name+"` is given to more than the step that needs it.",
					"Every other step of the job sees the key.", "give it to the step alone")
			}
			told[name] = true
		}
	}
}
