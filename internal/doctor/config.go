package doctor

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/text"
)

// checkConfig looks at configuration, suites and recordings.
func (e *examination) checkConfig() {
	faults := slices.DeleteFunc(slices.Clone(e.Faults), func(d document.Diagnostic) bool { return d.Severity != document.Error })
	if len(faults) > 0 {
		what := strings.TrimSuffix(faults[0].Message, ".")
		if len(faults) > 1 {
			what = fmt.Sprintf("%s (and %d more)", what, len(faults)-1)
		}
		e.open(e.inRepository(faults[0].Path), faults[0].At(), "fault", "A file has a fault: "+what+".",
			"What depends on it is not judged, and runs end with 2 or undecided.", "failproof validate lists all")
	}
	if e.Config == nil {
		return
	}
	at, g := e.inRepository(e.Config.Path), e.Config.Gate
	if g.FailOn == config.FailOnNever {
		e.open(at, nowhere, "report-only", "`fail_on: never` is set.", "The gate reports and blocks nothing.", "remove it when the first weeks are over")
	}
	if g.At(config.MaxRegressions).Level != config.Err {
		e.open(at, nowhere, "regressions-pass", "`max_regressions` is not at the level error.", "A change that breaks answers is merged.", "`max_regressions: 0`")
	}
	for _, rule := range gate.Rules {
		if key, ok := rule.Key(); ok && rule.IfOff != "" && g.At(key).Level == config.Off {
			e.open(at, nowhere, "level-off", "`"+rule.Code+"` is off.", rule.IfOff, "`"+rule.Code+": error`, which a review can accept")
		}
	}
	for _, k := range e.Keyless {
		e.open(e.inRepository(k.Path), nowhere, "recording-unbound", text.Count(k.Answers, "recorded answer")+" without a word of what is answered.",
			"When their prompt changes, these answers still count, although they were made for the old prompt.", "write them anew, or `failproof record --stamp` where they stand")
	}
	if e.Words != "" {
		e.note(at, nowhere, "words-alone", "Likeness to expected answers is measured by words: "+e.Words+".", "A right answer in other words is shown for review and not judged.", "see `failproof model pull`")
	}
}

// checkFolders looks for folders with a configuration that no step judges.
func (e *examination) checkFolders() {
	folders := []string{}
	for _, service := range e.Services {
		folders = append(folders, path.Join(e.Folder, service))
	}
	if n := len(folders); n > 0 {
		e.note("", nowhere, "services", text.Count(n, "folder")+" below have configurations of their own, first "+document.Quote(folders[0])+".",
			"What stands in them was not looked at, but whether a step judges each.", "run this in each")
	} else if e.Config != nil {
		folders = append(folders, path.Clean(e.Folder))
	}
	if len(e.gates) == 0 {
		return // which is said
	}
	for _, folder := range folders {
		if slices.ContainsFunc(e.gates, func(g gateStep) bool { return g.judges(folder) }) {
			continue
		}
		where := "without a `working-directory`"
		if folder != "." {
			where = "with `working-directory: " + document.Line(folder) + "` and an `out` of its own"
		}
		e.open(e.gates[0].workflow.path, nowhere, "folder-unjudged", "No step judges "+folderName(folder)+".", "Whatever a pull request makes of its prompts is merged unseen.",
			"give the job one more step that uses the action, "+where+", and `if: ${{ !cancelled() }}`, so that it runs where another one failed")
	}
}

func folderName(folder string) string {
	if folder == "." {
		return "the root of the repository, which has a configuration"
	}
	return "the folder " + document.Quote(folder) + ", which has a configuration"
}

// judges reports whether a step may judge a folder. What a command line or an expression makes of it is not known, and believed.
func (g gateStep) judges(folder string) bool {
	if g.uses == nil {
		return true
	}
	in := g.node.Get("with").Get("working-directory")
	if in == nil {
		return folder == "."
	}
	return strings.Contains(in.Text, "${{") || path.Clean(in.Text) == folder
}
