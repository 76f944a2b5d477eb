package doctor

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/doctor/shell"
	"github.com/failproof/failproof/internal/document"
)

var (
	checkoutAction = regexp.MustCompile(`(?i)^actions/checkout@`)
	cacheAction    = regexp.MustCompile(`(?i)^actions/cache(/restore)?@`)

	// trustedRef matches a computed ref that no pull request controls. eventRef matches a computed ref that a pull
	// request controls on some events only.
	trustedRef = regexp.MustCompile(`^\$\{\{ *(inputs\.\w+|github\.base_ref|` +
		`github\.event\.(pull_request\.base\.(sha|ref)|repository\.default_branch)) *\}\}$`)
	eventRef = regexp.MustCompile(`^\$\{\{ *github\.(sha|ref|ref_name) *\}\}$`)

	// attackerText matches text that the author of a pull request or of a comment controls.
	attackerText = regexp.MustCompile(`\$\{\{[^}]*\bgithub\.(head_ref|event\.(pull_request\.(title|body|head\.(ref|label))|` +
		`comment\.body|issue\.(title|body)|review\.body))\b[^}]*\}\}`)
)

// fetchesHead reports whether the step fetches the pull request's files. eventIsHead says whether the commit of the
// event is the pull request's. A checkout without a ref fetches that commit.
func fetchesHead(step *document.Node, eventIsHead bool) bool {
	if checkoutAction.MatchString(step.Get("uses").AsText()) {
		ref, repository := step.Get("with").Get("ref").AsText(), step.Get("with").Get("repository").AsText()
		switch {
		case repository != "" && !strings.Contains(repository, "${{"):
			return false // another repository
		case strings.Contains(repository, ".head."):
			return true
		case ref == "" || eventRef.MatchString(ref):
			return eventIsHead
		}
		return strings.Contains(ref, "${{") && !trustedRef.MatchString(ref) || strings.Contains(ref, "refs/pull/")
	}
	return slices.ContainsFunc(shell.Commands(step.Get("run").AsText()), func(words []string) bool {
		return len(words) > 2 && words[0] == "gh" && words[1] == "pr" && words[2] == "checkout"
	})
}

// checkCode looks at the steps up to the gate in its job. It finds steps that run code of a pull request, insert its
// text into a script, or restore a cache.
func checkCode(e *examination, g gateStep) {
	const why = "That code can forge cached answers, write the base's results or replace failproof itself, " +
		"so a pull request passes without being judged."
	const do = "do it in another job or after failproof, or check out `ref: ${{ github.base_ref }}`"
	hasHead := false
	for _, step := range g.job.node.Get("steps").List() {
		hasHead = hasHead || fetchesHead(step, true)
		uses, run := step.Get("uses").AsText(), step.Get("run").AsText()
		switch {
		case cacheAction.MatchString(uses):
			e.addOpen(g.workflow.path, step.Get("uses").Pos, "shared-cache",
				"A cache is restored before failproof runs.",
				"Any run of the pull request can save a cache under that key, with invented answers.",
				"remove the step")
		case hasHead && strings.HasPrefix(uses, "./") && step != g.node:
			e.addOpen(g.workflow.path, step.Get("uses").Pos, "head-code",
				"The local action `"+uses+"` of the pull request runs before failproof.", why, do)
		case hasHead && run != "":
			if name := checkoutCommand(run); name != "" {
				e.addOpen(g.workflow.path, step.KeyPos("run"), "head-code",
					"`"+name+"` runs code of the pull request before failproof.", why, do)
			}
		}
		if text := attackerText.FindString(run); text != "" && (step == g.node || !hasHead) {
			e.addOpen(g.workflow.path, step.KeyPos("run"), "injection", "`"+text+"` is inserted into the script.",
				"The author of the pull request writes that text, and so can add commands to the script.",
				"pass it as a variable in `env`")
		}
		if step == g.node {
			return
		}
	}
}

// checkoutCommand returns the first command of script that runs files of the checkout, or "" if there is none.
func checkoutCommand(script string) string {
	for _, words := range shell.Commands(script) {
		if runsCheckout(words) {
			name := strings.Join(words[:min(len(words), 2)], " ")
			return strings.ReplaceAll(name, "\x00", "…")
		}
	}
	return ""
}

// builders are programs that run commands from a project's files.
var builders = strings.Fields(`npm pnpm yarn bun npx bunx make gmake cmake ninja just task gradle mvn ant sbt cargo
	bundle rake composer tox nox pytest poetry uv pipenv pdm hatch conda pre-commit jest vitest dotnet swift mix bazel nx turbo docker-compose`)

// interpreters are programs that run a file.
var interpreters = strings.Fields(`bash sh dash zsh python python3 node deno ruby php perl Rscript . source pwsh
	ts-node tsx`)

// checkoutArgs lists, by program, the arguments with which it runs files of the working folder.
var checkoutArgs = map[string]string{
	"pip":    "-r --requirement -e --editable .",
	"pip3":   "-r --requirement -e --editable .",
	"go":     "build test run generate tool",
	"docker": "build compose buildx",
	"podman": "build compose buildx",
}

// commandPrefixes lists words that can come before the name of a program in a command.
var commandPrefixes = strings.Fields("sudo env time command exec nohup")

// runsCheckout reports whether the command runs files of the working folder.
func runsCheckout(words []string) bool {
	words = withoutPrefixes(words)
	name, args := words[0], words[1:]
	if strings.Contains(name, "/") && !strings.ContainsAny(name[:1], "/~\x00") {
		return true
	}
	base := path.Base(name)
	if len(args) > 1 && args[0] == "-m" && strings.HasPrefix(base, "python") {
		base, args = args[1], args[2:]
		if !strings.HasPrefix(base, "pip") {
			return true
		}
	}
	hasAny := func(some string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return slices.Contains(strings.Fields(some), a) })
	}
	switch some, found := checkoutArgs[base]; {
	case hasAny("--version -v -V --help"):
		return false
	case found:
		return hasAny(some) && !(base == "go" && strings.Contains(strings.Join(args, " "), "@"))
	case slices.Contains(interpreters, base): // which run a file, unless an option or a file elsewhere comes first
		return len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], "/")
	}
	return slices.Contains(builders, base) && !hasAny("-g --global")
}

// withoutPrefixes returns the command without the words that can come before the name of its program.
func withoutPrefixes(words []string) []string {
	isPrefix := func(word string) bool {
		return slices.Contains(commandPrefixes, word) || strings.Contains(word, "=") || strings.HasPrefix(word, "-")
	}
	for len(words) > 1 && isPrefix(words[0]) {
		words = words[1:]
	}
	return words
}

// privilegedEvents lists the events whose workflows have the repository's token and secrets, even if a stranger causes
// them.
var privilegedEvents = []string{"issue_comment", "pull_request_target", "workflow_run"}

// checkPrivileged finds workflows that have the repository's token and secrets and fetch the pull request's files.
func checkPrivileged(e *examination) {
	for _, w := range e.workflows {
		at := slices.IndexFunc(eventsOf(w), func(one event) bool { return slices.Contains(privilegedEvents, one.Text) })
		if at < 0 {
			continue
		}
		name := eventsOf(w)[at].Text
		for _, j := range w.jobs {
			for _, step := range j.node.Get("steps").List() {
				if fetchesHead(step, false) {
					e.addOpen(w.path, step.Pos, "head-checkout",
						"A workflow that starts on `"+name+"` fetches the pull request's files.",
						"Any of these files that runs has the repository's token and secrets, and can merge anything.",
						"do not check out the pull request there, or run the workflow on `pull_request`")
				}
			}
		}
	}
}
