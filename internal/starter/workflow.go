package starter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/text"
)

// judgedFolders returns the folders that the workflow judges: this one, unless services stand in its place, and those
// below with a configuration.
func (r Repository) judgedFolders(live bool) []judgedFolder {
	if r.servicesAlone {
		return r.services
	}
	return append([]judgedFolder{{r.subfolder, r.liveKeys(live)}}, r.services...)
}

// liveKeys returns the variables with the keys of models that the step of this folder must pass on.
func (r Repository) liveKeys(live bool) []string {
	if live && r.configPath == "" {
		return []string{"OPENAI_API_KEY"}
	}
	return r.keys
}

// secrets returns entries of a map of variables in a workflow, each with the secret of its name.
func secrets(names []string, separator string) string {
	var entries []string
	for _, name := range names {
		entries = append(entries, fmt.Sprintf("%s: ${{ secrets.%[1]s }}", name))
	}
	return strings.Join(entries, separator)
}

// workflowText returns the workflow with a step for each folder.
func workflowText(file []byte, folders []judgedFolder) []byte {
	begin := bytes.Index(file, []byte(workflowUses))
	end := begin + bytes.IndexByte(file[begin:], '\n') + 1
	uses, steps, given := string(file[begin:end]), "", newInputs()
	for i, folder := range folders {
		steps += uses
		if inputs := given.of(folder.path, len(folders) > 1); len(inputs) > 0 {
			steps += "        with:\n          " + strings.Join(inputs, "\n          ") + "\n"
		}
		if i > 0 {
			steps += "        if: ${{ !cancelled() }} # also after a failed step\n"
		}
		if len(folder.keys) > 0 {
			steps += "        env:\n          " + secrets(folder.keys, "\n          ") + "\n"
		}
	}
	return slices.Replace(file, begin, end, []byte(steps)...)
}

// inputs are the names that the steps of a workflow have taken: those of their runs, and of folders for their files.
type inputs struct{ names, outs text.Names }

func newInputs() *inputs {
	in := &inputs{text.Names{Fold: true}, text.Names{Fold: true}}
	for _, taken := range []string{"out", "cache"} { // folders of failproof itself
		in.outs.Free(taken, nil)
	}
	return in
}

// of returns the inputs of a step that judges a folder, as lines of YAML. The step has a folder for its files if it is
// one of several. It has a name if its folder is none, because it means something else or another step has it.
func (in *inputs) of(folder string, several bool) (lines []string) {
	if folder == "" {
		return nil // the defaults
	}
	lines = []string{"working-directory: " + yamlText(folder)}
	id := idPart(folder)
	out := in.outs.Free(id, func(n int) string { return fmt.Sprintf("%s-%d", id, n) })
	if several {
		lines = append(lines, "out: "+yamlText(".failproof/"+out))
	}
	usual := github.FitName(folder)
	name := usual
	if github.ValidName(usual) != nil {
		name = "folder " + out
	}
	name = in.names.Free(name, func(n int) string { return fmt.Sprintf("folder %s-%d", out, n) })
	if name != usual {
		lines = append(lines, "name: "+yamlText(name))
	}
	return lines
}
