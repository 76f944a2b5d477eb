package doctor

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

// baseFlag matches the words of a run that compares with a base.
var baseFlag = regexp.MustCompile(`^run (?:.*? )?--base(?:[ =]([^ ]*)|$)`)

// isPath matches an argument that names a folder or file. A NUL byte stands for a variable of the shell.
var isPath = regexp.MustCompile(`^[./]|^\x00/|/$`)

// isNear matches a revision that may be among the last commits of what is checked out, such as HEAD^. A checkout of
// several commits has it, but no other branch.
var isNear = regexp.MustCompile(`\x00|^HEAD\b|^@`)

// isDepth matches the number of commits that a checkout fetches. A fetch-depth of 0 is all commits of all branches.
var isDepth = regexp.MustCompile(`^[1-9]\d*$`)

// commands returns the words behind failproof of each command in the step's script.
func (g gateStep) commands() (all [][]string) {
	for _, words := range shell.Commands(g.node.Get("run").AsText()) {
		if path.Base(words[0]) == "failproof" && len(words) > 1 {
			all = append(all, words[1:])
		}
	}
	return all
}

// publishes reports whether the step writes a comment and a check run. The action does, and the command `run` does not.
func (g gateStep) publishes() bool {
	all := g.commands()
	return len(all) == 0 || slices.ContainsFunc(all, func(words []string) bool { return words[0] != "run" })
}

// bases returns the revisions that the step's script compares with. "" is the default branch.
func (g gateStep) bases() (all []string) {
	for _, words := range g.commands() {
		if m := baseFlag.FindStringSubmatch(strings.Join(words, " ")); m != nil && !isPath.MatchString(m[1]) {
			all = append(all, m[1])
		}
	}
	return all
}

// checkHistory finds a checkout without the commit with which a later step compares. A script that fetches more by
// itself is left alone.
func checkHistory(e *examination, g gateStep) {
	bases := g.bases()
	var last *document.Node
	for _, step := range g.job.node.Get("steps").List() {
		if strings.Contains(step.Get("run").AsText(), "git fetch") {
			return
		}
		with := step.Get("with")
		if checkoutAction.MatchString(step.Get("uses").AsText()) && with.Get("repository") == nil &&
			with.Get("path") == nil {
			last = step
		}
		if step == g.node {
			break
		}
	}
	if last == nil {
		return
	}
	depth, _ := last.Get("with").Get("fetch-depth").AsScalar()
	depth = cmp.Or(depth, "1")
	lacks := func(base string) bool { return depth == "1" || isDepth.MatchString(depth) && !isNear.MatchString(base) }
	if slices.ContainsFunc(bases, lacks) {
		e.addOpen(g.workflow.path, last.Get("uses").Pos, "shallow-checkout",
			"The checkout does not fetch the commit with which `failproof run --base` compares.",
			"The base is not there: the run ends with exit code 2.", "`with: { fetch-depth: 0 }` for the checkout")
	}
}
