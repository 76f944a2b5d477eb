package doctor

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

// plainCommand matches a script that means the same in every shell.
var plainCommand = regexp.MustCompile(`^\s*failproof (action|run)[\w ./:=,-]*\s*$`)

// proveScript examines the script of a step by the rules of the shell that GitHub uses for it. The result says whether
// the script runs the gate, and why it may pass although the gate failed.
func proveScript(w *workflow, j *job, step *document.Node) shell.Result {
	script := step.Get("run").AsText()
	settings, known := shellOf(w, j, step)
	if !known {
		r := shell.Result{Gate: shell.Mentions(script)}
		if r.Gate && !plainCommand.MatchString(script) {
			r.Why = "doctor cannot read its shell"
		}
		return r
	}
	r, err := shell.Prove(script, settings)
	if err != nil {
		return shell.Result{Gate: shell.Mentions(script), Why: "the script has an error: " + err.Error()}
	}
	return r
}

// shellOf returns the settings of the shell that runs a step. known is true if the shell is bash, sh or dash.
func shellOf(w *workflow, j *job, step *document.Node) (s shell.Settings, known bool) {
	named := step.Get("shell")
	for _, wider := range []*document.Node{j.node, w.root} {
		named = cmp.Or(named, wider.Get("defaults").Get("run").Get("shell"))
	}
	command := named.AsText()
	switch {
	case named != nil:
	case strings.Contains(strings.ToLower(j.node.Get("runs-on").AsText()), "windows"):
		command = "pwsh"
	case j.node.Get("container") != nil:
		command = "sh"
	default:
		return shell.Settings{ErrExit: true}, true // GitHub runs bash if it is installed
	}
	switch command {
	case "bash":
		return shell.Settings{ErrExit: true, PipeFail: true}, true
	case "sh":
		return shell.Settings{ErrExit: true, POSIX: true}, true
	}
	words := strings.Fields(command)
	if len(words) == 0 {
		return s, false
	}
	switch path.Base(words[0]) {
	case "bash", "sh", "dash":
		return shell.ParseFlags(words), true
	}
	return s, false
}

// checkExitCode checks whether the step ends with failproof's exit code, so that the step fails if the gate fails.
func checkExitCode(e *examination, g gateStep) {
	if g.whyUnproven == "" {
		return
	}
	e.addOpen(g.workflow.path, g.node.KeyPos("run"), "exit-code",
		"The step can pass although failproof failed: "+g.whyUnproven+".", "The job passes even if the gate fails.",
		"run failproof in its own step as the last command, with `shell: bash` if it is in a pipe")
}
