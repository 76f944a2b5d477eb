package doctor

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/text"
)

// event is the name of an event that starts a workflow, and its settings.
type event struct {
	*document.Node
	settings *document.Node
}

// eventsOf returns the events that start the workflow. The value of `on:` is a word, a list or a map.
func eventsOf(w *workflow) (all []event) {
	node := w.root.Get("on")
	for key, settings := range node.Entries() {
		all = append(all, event{key, settings})
	}
	for _, item := range append(node.List(), node) {
		if item.AsText() != "" {
			all = append(all, event{item, nil})
		}
	}
	return all
}

// judgingEvents lists the events of workflows that are meant to judge pull requests, including dangerous events. A
// workflow with only other events, such as a nightly run, is no gate.
var judgingEvents = []string{"pull_request", "merge_group", "pull_request_target", "workflow_run"}

// gateEvents lists the only events on which a required job should run. If the job also runs on another event for the
// same commit, GitHub counts the result of that run too.
var gateEvents = []string{"pull_request", "merge_group"}

// judgesAfterwards reports whether a workflow only judges the results of another workflow. Its jobs run at the default
// branch's commit and run no code of the change.
func (e *examination) judgesAfterwards(w *workflow) bool {
	events := eventsOf(w)
	return len(events) == 1 && events[0].Text == "workflow_run" && !slices.ContainsFunc(e.gates, func(g gateStep) bool {
		return g.trigger == w && g.node.Get("with").Get("results-head") == nil
	})
}

func checkEvents(e *examination, w *workflow) {
	if e.judgesAfterwards(w) {
		return
	}
	on := w.root.KeyPos("on")
	byName := map[string]event{}
	for _, ev := range eventsOf(w) {
		name := ev.Text
		byName[name] = ev
		switch {
		case name == "pull_request_target" || name == "workflow_run":
			e.addOpen(w.path, ev.Pos, "event", "The workflow runs on `"+name+"`.",
				"That event gives another person's change the repository's token and secrets; failproof refuses it "+
					"with exit code 2, unless the workflow only judges another runner's results on `workflow_run`.", "use `pull_request`")
		case !slices.Contains(gateEvents, name):
			e.addOpen(w.path, ev.Pos, "other-events", "The gate's workflow also runs on `"+name+"`.",
				"All events of a workflow share its job names: a result of this event on the same commit satisfies "+
					"the check of the pull request.",
				"keep only `pull_request` and `merge_group` here; move other events to a workflow with another job "+
					"name")
		}
	}
	pull, ok := byName["pull_request"]
	if !ok {
		if _, other := byName["pull_request_target"]; !other {
			e.addOpen(w.path, on, "no-pull-request", "The gate's workflow does not run on `pull_request`.",
				"Pull requests are not judged.", "add `pull_request`")
		}
		return
	}
	checkTypes(e, w, pull)
	checkFilters(e, w, pull.settings)
	if _, ok := byName["merge_group"]; !ok {
		why := "If the branch has a merge queue, the queue waits for a job that never runs, until it times out."
		if e.Guard != nil && e.Guard.MergeQueue {
			e.addOpen(w.path, on, "no-merge-group",
				"The branch has a merge queue, and the gate's workflow does not run on `merge_group`.",
				why, "add `merge_group:`")
		} else if e.Guard == nil {
			e.addNote(w.path, on, "no-merge-group", "The gate's workflow does not run on `merge_group`.",
				why, "add `merge_group:`")
		}
	}
}

// checkTypes checks on which changes of a pull request the workflow runs.
func checkTypes(e *examination, w *workflow, pull event) {
	missing, at := []string{"edited"}, pull.Pos // without `types`, GitHub runs it on the others
	if types := pull.settings.Get("types"); types != nil {
		missing, at = []string{"opened", "synchronize", "reopened", "edited"}, types.Pos
		for _, item := range append(types.List(), types) {
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == item.AsText() })
		}
	}
	if len(missing) > 0 {
		e.addOpen(w.path, at, "types", "The workflow does not run when a pull request is "+text.List(missing, "or")+".",
			"Commits that are pushed later, or the default branch as new base in place of one with lax rules, are not "+
				"judged.", "`types: [opened, synchronize, reopened, edited]`")
	}
}

// checkFilters finds filters of the event pull_request.
func checkFilters(e *examination, w *workflow, settings *document.Node) {
	for _, filter := range []string{"paths", "paths-ignore"} {
		if settings.Get(filter) != nil {
			e.addOpen(w.path, settings.KeyPos(filter), "paths", "The workflow has `"+filter+"`.",
				"A change outside of the filter starts no job. A required job then never completes, and a schema or "+
					"configuration that the filter misses is not judged. Suites that a change does not touch are not "+
					"run anyway.", "remove the filter")
		}
	}
	if settings.Get("branches-ignore") != nil {
		e.addNote(w.path, settings.KeyPos("branches-ignore"), "branches-ignore", "The workflow has `branches-ignore`.",
			"A pull request into such a branch is not judged, and its changes reach other branches from there.",
			"remove it, or protect each branch that it excludes")
	}
}

// checkJob finds settings that let a job pass without a verdict.
func checkJob(e *examination, w *workflow, j *job) {
	const skipped = "GitHub counts a skipped job as passed: "
	condition := j.node.Get("if")
	never := condition != nil && alwaysCondition.MatchString(condition.Text)
	if condition != nil && !never {
		e.addOpen(w.path, j.node.KeyPos("if"), "job-if", "The job `"+j.id+"` has an `if:`.",
			skipped+"if it is false for a pull request, the change is merged without being judged.",
			"remove it; `suites` of the configuration decides what is tested")
	}
	if j.node.Get("needs") != nil && !never {
		e.addOpen(w.path, j.node.KeyPos("needs"), "job-needs", "The job `"+j.id+"` has `needs:`.",
			skipped+"if a job in `needs` fails, the gate is skipped.",
			"remove it; if the job merges shards, use `if: ${{ always() }}`")
	}
	checkContinues(e, w, j.node, "The job `"+j.id+"`")
}

// checkContinues finds `continue-on-error` of a job or a step.
func checkContinues(e *examination, w *workflow, node *document.Node, subject string) {
	if c := node.Get("continue-on-error"); c != nil && c.Text != "false" {
		e.addOpen(w.path, node.KeyPos("continue-on-error"), "continue-on-error", subject+" has `continue-on-error:`.",
			"The job passes even if the gate fails.",
			"remove it; `gate: { fail_on: never }` reports without blocking and shows that in the comment")
	}
}

// checkStep finds inputs and settings that let the step pass without a verdict, and inputs without effect. It also
// finds an action that is not pinned.
func checkStep(e *examination, g gateStep) {
	w := g.workflow
	if c := g.node.Get("if"); c != nil && !neverSkipped.MatchString(c.Text) {
		e.addOpen(w.path, g.node.KeyPos("if"), "step-if", "The step that runs failproof has an `if:`.",
			"If it is false, the job passes without a verdict.", "remove it")
	}
	checkContinues(e, w, g.node, "The step that runs failproof")
	checkExitCode(e, g)
	checkInputs(e, g)
	if base := g.node.Get("with").Get("base"); base != nil && headRevision.MatchString(base.Text) {
		e.addOpen(w.path, base.Pos, "base-is-head", "`base` is `"+base.Text+"`, which is the change itself.",
			"The change is compared with itself: nothing counts as changed, so nothing is judged.", "remove it")
	}
	if g.uses != nil && !strings.HasPrefix(g.uses.Text, "./") {
		_, ref, _ := strings.Cut(g.uses.Text, "@")
		if !commitID.MatchString(ref) {
			e.addNote(w.path, g.uses.Pos, "unpinned", "The action is `"+g.uses.Text+"`.",
				"A tag or branch can move: tomorrow's run may execute other code with this job's token and keys.",
				"pin a commit, best of a release with its version as a comment")
		}
	}
	if v := g.node.Get("with").Get("min-run-score"); v != nil {
		if threshold, err := strconv.ParseFloat(v.Text, 64); err == nil && threshold == 0 {
			e.addNote(w.path, v.Pos, "no-bar", "`min-run-score: "+v.Text+"` is set.",
				"Any run score passes: only regressions block.", "remove it, or set a threshold above 0")
		}
	}
	if v := g.node.Get("with").Get("bootstrap"); v != nil && v.Text == "true" && e.Config != nil {
		e.addNote(w.path, v.Pos, "bootstrap", "`bootstrap: true` is set.",
			"It does nothing here: it is for repositories without a configuration.", "remove it")
	}
}

// headRevision matches a revision of the change that is judged.
var headRevision = regexp.MustCompile(`\$\{\{[^}]*\bgithub\.(sha|ref|ref_name|head_ref|event\.(after|merge_group\.head_\w+|` +
	`pull_request\.(head\.(sha|ref|label)|merge_commit_sha)))\b[^}]*\}\}|\brefs/pull/`)

// otherSystem matches the label of a runner that runs no containers.
var otherSystem = regexp.MustCompile(`(?i)^(windows|macos)`)

// checkInputs finds inputs of the action that do not exist or are not valid, and a runner that cannot run the action.
func checkInputs(e *examination, g gateStep) {
	if g.uses == nil {
		return
	}
	runner := g.job.node.Get("runs-on")
	for _, label := range append(runner.List(), runner) {
		if otherSystem.MatchString(label.AsText()) {
			e.addOpen(g.workflow.path, label.Pos, "runner", "The job `"+g.job.id+"` runs on `"+label.Text+"`.",
				"The action is a container, which GitHub runs on Linux alone: no run gives a verdict.",
				"`runs-on: ubuntu-latest`")
		}
	}
	if e.InputFault == nil || strings.HasPrefix(g.uses.Text, "docker://") { // such a step may have other inputs
		return
	}
	given := map[string]string{}
	for key, value := range g.node.Get("with").Entries() {
		name := strings.ToLower(key.Text)
		if name == "entrypoint" || name == "args" {
			continue // see whyOtherCommand
		}
		if !slices.Contains(e.Inputs, name) {
			e.addOpen(g.workflow.path, key.Pos, "input", "The action has no input "+document.Quote(key.Text)+".",
				"GitHub only warns: the line has no effect.", "remove it"+text.Hint(", or write `%s`", name, e.Inputs))
		} else if !strings.Contains(value.Text, "${{") {
			given[name] = value.Text
		}
	}
	if fault := e.InputFault(given); fault != "" {
		e.addOpen(g.workflow.path, g.node.KeyPos("with"), "input", "The step's inputs are not valid: "+fault+".",
			"Every run ends with exit code 2, and nothing is judged.", "correct it")
	}
}

// neededPermissions lists the permissions that a job needs, and the effect if one is missing.
var neededPermissions = []struct{ name, level, without string }{
	{"contents", "read", "a private repository's prompts, suites and recorded answers cannot be read"},
	{"pull-requests", "write", "the comment is not created, and no review can accept a change"},
	{"checks", "write", "the check run and the annotations are not created"},
}

// checkPermissions compares the job's permissions with neededPermissions.
func checkPermissions(e *examination, g gateStep) {
	holder, at, file := g.permissions()
	do := "`permissions: { contents: read" + show.When(g.publishes(), ", pull-requests: write, checks: write") +
		" }` for the job, `permissions: {}` for the workflow"
	switch {
	case holder != nil && holder.Kind == document.Map:
		checkLevels(e, g, holder, at, file)
	case holder.AsText() == "write-all":
		e.addOpen(file, at, "permissions", "The job `"+g.job.id+"` has `"+holder.Text+"`.",
			"Any code in the job can change the repository.", do)
	case holder == nil:
		e.addNote(file, at, "permissions", "The job `"+g.job.id+"` says no `permissions`.",
			"The job gets the repository's default permissions: too many, or too few for comment and check run.", do)
	case g.publishes():
		e.addNote(file, at, "permissions", "The job `"+g.job.id+"` has `"+holder.Text+"`.",
			"Comment and check run cannot be created.", do)
	}
}

// permissions returns the permissions that apply to the step's job, their place, and the file of that place. The job
// sets them, or else its workflow, or else the nearest calling job or workflow. If no permissions are set, permissions
// returns nil and the job's place.
func (g gateStep) permissions() (*document.Node, document.Position, string) {
	for _, c := range g.chain {
		for _, node := range []*document.Node{c.job.node, c.workflow.root} {
			if holder := node.Get("permissions"); holder != nil {
				return holder, node.KeyPos("permissions"), c.workflow.path
			}
		}
	}
	return nil, g.job.pos, g.workflow.path
}

// checkLevels reports permissions of the step's job that the gate does not need, and the permissions in
// neededPermissions that the job lacks. A step that publishes nothing lacks only what it reads.
func checkLevels(e *examination, g gateStep, permissions *document.Node, at document.Position, file string) {
	for key, value := range permissions.Entries() {
		needed := value.Text != "write" || key.Text == "pull-requests" || key.Text == "checks"
		if !needed || key.Text == "id-token" && value.Text != "none" {
			e.addOpen(file, key.Pos, "permissions", "The job `"+g.job.id+"` has `"+key.Text+": "+value.Text+"`.",
				"The gate does not need it, and every other step of the job gets it too.", "remove it")
		}
	}
	for _, w := range neededPermissions {
		if level := permissions.Get(w.name).AsText(); level != w.level && level != "write" &&
			(w.level == "read" || g.publishes()) {
			add, rule := e.addNote, "permissions"
			if w.level == "read" { // without it there is no verdict
				add, rule = e.addOpen, "permission-missing"
			}
			add(file, at, rule, "The job `"+g.job.id+"` lacks `"+w.name+": "+w.level+"`.",
				strings.ToUpper(w.without[:1])+w.without[1:]+".", "add it")
		}
	}
}

// checkKeys reports keys of live targets that the step does not get, or that it gets from the env of its job or
// workflow.
func checkKeys(e *examination, g gateStep) {
	if e.Config == nil || !g.mayJudge(path.Clean(e.Folder)) {
		return
	}
	reported := map[string]bool{}
	for _, target := range e.LiveTargets {
		for _, name := range e.Config.Targets[target].EnvVars() {
			step, wider := g.node.Get("env").Get(name), cmp.Or(g.job.node.Get("env").Get(name),
				g.workflow.root.Get("env").Get(name))
			switch {
			case reported[name] || step != nil:
			case wider == nil:
				e.addOpen(g.workflow.path, g.node.Pos, "key-missing", "The target "+document.Quote(target)+
					" reads the variable `"+name+"`, which the step does not get.",
					"The target cannot be called: runs end undecided.", "`env: { "+name+": \"${{ secrets."+
						name+" }}\" }` for the step")
			default:
				e.addNote(g.workflow.path, wider.Pos, "key-shared",
					"`"+name+"` is given to more than the step that needs it.",
					"Every other step of the job sees the key.", "give it to that step only")
			}
			reported[name] = true
		}
	}
}
