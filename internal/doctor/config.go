package doctor

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// checkConfig checks the configuration, the suites and the recordings.
func checkConfig(e *examination) {
	faults := slices.DeleteFunc(slices.Clone(e.Faults),
		func(d document.Diagnostic) bool {
			return d.Severity != document.Error || d.Rule == "no-configuration" && e.namesResults()
		})
	if len(faults) > 0 {
		what := strings.TrimSuffix(faults[0].Message, ".")
		if len(faults) > 1 {
			what = fmt.Sprintf("%s (and %d more)", what, len(faults)-1)
		}
		e.addOpen(path.Join(e.Folder, faults[0].Path), faults[0].Pos(), "fault", "A file has an error: "+what+".",
			"Everything that depends on it is skipped: runs exit with 2 or 3.", "`failproof run` lists all")
	}
	if e.Config == nil {
		return
	}
	configPath, g := path.Join(e.Folder, e.Config.Path), e.Config.Gate
	if g.FailOn == config.FailOnNever {
		e.addOpen(configPath, noPosition, "report-only", "`fail_on: never` is set.",
			"The gate reports and blocks nothing.",
			"remove it after the trial period")
	}
	if g.Setting(config.MaxRegressions).Level != config.Err {
		e.addOpen(configPath, noPosition, "regressions-pass", "`max_regressions` is not at the level error.",
			"A change that breaks answers can be merged.", "`max_regressions: 0`")
	}
	for _, rule := range gate.Rules {
		if key, ok := rule.Key(); ok && rule.IfOff != "" && g.Setting(key).Level == config.Off {
			e.addOpen(configPath, noPosition, "level-off", "`"+rule.Code+"` is off.", rule.IfOff, "`"+rule.Code+
				": error`, which a review can accept")
		}
	}
	for file, answers := range e.UnboundAnswers {
		e.addOpen(path.Join(e.Folder, file), noPosition, "recording-unbound",
			text.Count(answers, "recorded answer")+" not bound to a request.",
			"When their prompt changes, these answers still count, although they were made for the old prompt.",
			"record them again, or run `failproof record --stamp` if they are still right")
	}
	if e.NoEmbedderReason != "" {
		e.addNote(configPath, noPosition, "words-alone", "Similarity to expected answers is measured by words: "+
			e.NoEmbedderReason+".",
			"A right answer in other words is shown for review instead of judged.", "run `failproof model pull`")
	}
}

// namesResults reports whether each step with failproof names results of another runner, which need no configuration.
func (e *examination) namesResults() bool {
	return len(e.gates) > 0 && !slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.node.Get("with").Get("results-head") == nil })
}

// checkFolders finds folders with a configuration that no step judges.
func checkFolders(e *examination) {
	folders := []string{}
	for _, service := range e.Services {
		folders = append(folders, path.Join(e.Folder, service))
	}
	if n := len(folders); n > 0 {
		e.addNote("", noPosition, "services", text.Count(n, "folder below has its own configuration", "folders below have their own configurations")+", first "+
			document.Quote(folders[0])+".",
			"Doctor only checks whether a step judges each; their contents were not read.", "run doctor in each")
	}
	if e.Config != nil {
		folders = append(folders, path.Clean(e.Folder))
	}
	if len(e.gates) == 0 {
		return // no-workflow is a finding already
	}
	for _, folder := range folders {
		if slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.mayJudge(folder) }) {
			continue
		}
		where, advice := "the root of the repository", "without a `working-directory`"
		if folder != "." {
			where = "the folder " + document.Quote(folder)
			advice = "with `working-directory: " + document.Line(folder) + "` and an `out` of its own"
		}
		e.addOpen(e.gates[0].workflow.path, noPosition, "folder-unjudged",
			"No step runs failproof in "+where+", which has a configuration.",
			"Changes of its prompts are merged without being judged.",
			"add a step to the job that uses the action, "+advice+
				", and `if: ${{ !cancelled() }}`, so it also runs after a failed step")
	}
}

// checkSuites finds suites that no step judges, because the input `suites` of each step leaves them out.
func checkSuites(e *examination) {
	left, at := e.SuitePaths, gateStep{}
	for _, g := range e.gates {
		if !g.mayJudge(path.Clean(e.Folder)) {
			continue
		}
		selected := g.node.Get("with").Get("suites").AsText()
		if selected == "" || strings.Contains(selected, "${{") {
			return
		}
		globs := config.SplitGlobs(selected)
		left, at = slices.DeleteFunc(slices.Clone(left), func(name string) bool { return suite.Includes(globs, name) }), g
	}
	if at.node == nil || len(left) == 0 {
		return
	}
	e.addOpen(at.workflow.path, at.node.Get("with").KeyPos("suites"), "suite-unjudged", "`suites` leaves out "+
		text.Count(len(left), "suite file")+", first "+document.Quote(path.Join(e.Folder, left[0]))+".",
		"Changes of their prompts are merged without being judged.",
		"remove `suites`: a run judges only what a change touches")
}

// mayJudge reports whether the step may judge the folder. It returns true if a command line or an expression decides
// which folder is judged.
func (g gateStep) mayJudge(folder string) bool {
	if g.uses == nil {
		return true
	}
	folderInput := g.node.Get("with").Get("working-directory")
	if folderInput == nil {
		return folder == "."
	}
	return strings.Contains(folderInput.Text, "${{") || path.Clean(folderInput.Text) == folder
}
