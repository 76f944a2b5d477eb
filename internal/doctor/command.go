package doctor

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

// isPath matches an argument that names a folder or file. A NUL byte stands for a variable of the shell.
var isPath = regexp.MustCompile(`^[./]|^\x00/|/$`)

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

// comparesRevisions reports whether the step's script runs failproof against a revision, and not against a path.
func (g gateStep) comparesRevisions() bool {
	return slices.ContainsFunc(g.commands(), func(words []string) bool {
		at := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word+"=", "--base=") })
		if words[0] != "run" || at < 0 {
			return false
		}
		base, isOne := strings.CutPrefix(words[at], "--base=")
		if !isOne && at+1 < len(words) {
			base = words[at+1]
		}
		return !isPath.MatchString(base)
	})
}

// checkHistory finds a checkout of one commit before a step that compares with another commit. A script that fetches
// more by itself is left alone.
func checkHistory(e *examination, g gateStep) {
	if !g.comparesRevisions() {
		return
	}
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
	if depth := last.Get("with").Get("fetch-depth"); depth == nil || depth.Text == "1" {
		e.addOpen(g.workflow.path, last.Get("uses").Pos, "shallow-checkout",
			"The checkout fetches one commit, and `failproof run --base` compares with another.",
			"The base is not there: the run ends with exit code 2.", "`with: { fetch-depth: 0 }` for the checkout")
	}
}
