package doctor

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

var (
	// plainCommand matches a script that means the same in every shell of plainShells, and in bash and sh.
	plainCommand = regexp.MustCompile(`^\s*failproof (action|run)[\w ./:=,-]*\s*$`)

	// shellLabel matches the label of a runner on which bash is the default.
	shellLabel = regexp.MustCompile(`(?i)ubuntu|linux|macos`)
)

// plainShells are the other shells that exit with the status of a single command. "" is an unknown default.
var plainShells = []string{"", "pwsh", "powershell", "cmd"}

// shellTemplates has the commands by which GitHub starts a shell that is named by one word.
var shellTemplates = map[string]string{"bash": "bash --noprofile --norc -eo pipefail {0}", "sh": "sh -e {0}"}

// proveScript examines the script of a step by the rules of the shell that GitHub uses for it. The result says whether
// the script runs the gate, and why it may pass although the gate failed.
func proveScript(w *workflow, j *job, step *document.Node) shell.Result {
	script, template := step.Get("run").AsText(), shellOf(w, j, step)
	settings, known := shell.ParseTemplate(template)
	if !known {
		r := shell.Result{Gate: shell.Mentions(script)}
		if r.Gate && !(slices.Contains(plainShells, template) && plainCommand.MatchString(script)) {
			r.Why = "doctor cannot read its shell; it reads `shell: bash`"
		}
		return r
	}
	r, err := shell.Prove(script, settings)
	if err != nil {
		return shell.Result{Gate: shell.Mentions(script), Why: "the script has an error: " + err.Error()}
	}
	return r
}

// shellOf returns the template of the shell that runs a step, a name in plainShells, or what else `shell` says.
func shellOf(w *workflow, j *job, step *document.Node) string {
	named := step.Get("shell")
	for _, wider := range []*document.Node{j.node, w.root} {
		named = cmp.Or(named, wider.Get("defaults").Get("run").Get("shell"))
	}
	for _, node := range []*document.Node{step, j.node, w.root} {
		if node.Get("env").Get("BASH_ENV") != nil {
			return "BASH_ENV" // bash runs that file before the script
		}
	}
	runner := j.node.Get("runs-on")
	switch {
	case named != nil:
		text := named.AsText()
		return cmp.Or(shellTemplates[text], text)
	case j.node.Get("container") != nil:
		return shellTemplates["sh"]
	case slices.ContainsFunc(append(runner.List(), runner), func(label *document.Node) bool {
		return shellLabel.MatchString(label.AsText()) && !strings.Contains(label.AsText(), "${{")
	}):
		return "bash -e {0}"
	}
	return ""
}

// checkExitCode checks whether the step ends with failproof's exit code, so that the step fails if the gate fails.
func checkExitCode(e *examination, g gateStep) {
	if g.whyUnproven == "" {
		return
	}
	at := g.node.KeyPos("run")
	if g.uses != nil {
		at = g.node.KeyPos("with")
	}
	e.addOpen(g.workflow.path, at, "exit-code",
		"Doctor cannot tell whether the step fails if failproof fails: "+g.whyUnproven+".",
		"If it does not, the job passes even if the gate fails.",
		"run failproof in its own step as the last command, with `shell: bash` if it is in a pipe")
}
