package doctor

import (
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

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
