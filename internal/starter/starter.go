// Package starter writes the first configuration, suites and workflow of a repository, and the repository of the demo.
package starter

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/text"
)

// example has the files for a repository without prompts. Its recorded answers have their request keys.
//
//go:embed all:files
var example embed.FS

// The files of the example that depend on the repository, and their parts.
const (
	configFile     = ".github/failproof.yml"
	workflowFile   = ".github/workflows/failproof.yml"
	attributesFile = ".gitattributes"
	schemaLine     = "# yaml-language-server: $schema=https://raw.githubusercontent.com/failproof/failproof/main/schemas/%s.schema.json\n"
	workflowUses   = "      - uses: failproof/failproof@"
	resultsPage    = "https://github.com/failproof/failproof/blob/main/docs/reference/results.md"
	unreleased     = "main" // the version of failproof in files that no release wrote
)

// liveConfig is the configuration with a live model.
const liveConfig = `# What failproof judges, the model it calls, and the thresholds. On a pull request the gate is read from the base branch.
version: 1
targets:
  model:
    provider: openai
    model: gpt-5-mini
    base_url: https://api.openai.com/v1
    api_key_env: OPENAI_API_KEY # the name of the variable, never the key
    max_tokens: 500
    price: { input_per_million: 0.25, output_per_million: 2.00 } # in dollars, by your provider's list
gate: { max_regressions: 0 } # by default the score must also reach 0.85, within noise
limits: { max_cost_usd: 5 }
`

// file is a file to write unless it exists.
type file struct {
	name string // relative to the surveyed folder; it may be above it
	text []byte
}

// AnswerPlace is the place of the recorded answer to a case. File is "" if the case needs none.
type AnswerPlace struct {
	File, SuiteID, CaseID string
	FileExists            bool // reports whether File exists
	OtherRunner           bool // reports whether the configuration names results of another runner, so that there are no cases
}

// Write writes the files that the repository lacks, and returns the next steps. It calls onFile for each file, and
// keeps existing files. It writes nothing before an import, which sets the keys that the workflow needs, and nothing if
// it can read none of the prompts. If live is set, the files call a model instead of using recorded answers. The
// function firstAnswer returns the place of the answer to the first case of the suites. A link that leads out of the
// repository is an error.
func (r Repository) Write(dir string, live bool, onFile func(name string, isNew bool),
	firstAnswer func() (AnswerPlace, bool)) (next []string, err error) {
	if r.shouldImport() {
		return promptfooSteps(r), nil
	}
	if r.isEmpty() && len(r.skipped) > 0 { // there are prompts, so an example would not be about this repository
		return slices.Concat(promptfooSteps(r), skippedFiles(r),
			[]string{"Nothing is written, because no prompt can be read. When one can: failproof init"}), nil
	}
	root, err := os.OpenRoot(filepath.Join(dir, filepath.FromSlash(r.rootPath)))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	hadWorkflow := false // reports whether the workflow existed
	for _, f := range r.files(live) {
		name := path.Join(r.subfolder, f.name)
		err := output.WriteNew(root, name, f.text)
		if errors.Is(err, fs.ErrExist) && f.name == attributesFile {
			err = addAttribute(root, name, f.text)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		hadWorkflow = hadWorkflow || err != nil && f.name == r.rootPath+workflowFile
		onFile(f.name, err == nil)
	}
	return nextSteps(r, live, hadWorkflow, firstAnswer), nil
}

var generatedLine = regexp.MustCompile(`(?m)^recordings/.*linguist-generated`)

// addAttribute adds a line to .gitattributes. It returns fs.ErrExist if the file sets or unsets that attribute already.
func addAttribute(root *os.Root, name string, line []byte) error {
	text, err := regular.ReadIn(root, filepath.FromSlash(name), document.MaxYAML)
	switch {
	case err != nil:
		return err
	case generatedLine.Match(text):
		return fs.ErrExist
	case len(text) > 0 && text[len(text)-1] != '\n':
		text = append(text, '\n')
	}
	return output.Replace(root, name, append(text, line...))
}

// files returns the files to write: those of the example, and a suite for each prompt.
func (r Repository) files(live bool) (out []file) {
	root := text.Must(fs.Sub(example, "files"))
	_ = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, _ error) error { // a part of the program
		if entry.IsDir() || skipsFile(r, name, live) {
			return nil
		}
		data := r.withRelease(text.Must(fs.ReadFile(root, name)))
		switch {
		case name == configFile:
			data = configText(r, data, live)
		case name == workflowFile:
			data, name = workflowText(data, r.judgedFolders(live)), r.rootPath+name
		}
		out = append(out, file{name, data})
		return nil
	})
	for i, name := range r.suiteFiles {
		out = append(out, file{name, suiteText(r, name, r.prompts[i])})
	}
	return out
}

// skipsFile reports whether this repository does not need a file of the example.
func skipsFile(r Repository, name string, live bool) bool {
	switch {
	case name == workflowFile:
		return false
	case r.servicesAlone:
		return true
	case name == attributesFile:
		return live // there are no recordings
	case name == configFile: // it would take precedence over one elsewhere
		return r.isConfigured() && r.configPath != configFile
	}
	return !r.isEmpty() || live && strings.HasPrefix(name, "recordings/")
}

// configText returns the configuration of the example, or one with a live model. It adds a judge if skills need one.
func configText(r Repository, data []byte, live bool) []byte {
	if live {
		return withJudge(r, append(r.withRelease(fmt.Appendf(nil, schemaLine, "config")), liveConfig...), "model")
	}
	data = withJudge(r, data, "")
	if len(r.promptFiles)+len(r.agents.Evals) > 0 { // the default patterns of suites include these files
		data = suitesLine.ReplaceAll(data, nil)
	}
	return data
}

// IsSample reports whether a file is one that init writes into an empty repository, unchanged.
func IsSample(tag, name string, text []byte) bool {
	for _, live := range []bool{false, true} {
		files := Repository{toolRef: cmp.Or(tag, unreleased)}.files(live)
		if slices.ContainsFunc(files, func(f file) bool { return f.name == name && bytes.Equal(f.text, text) }) {
			return true
		}
	}
	return false
}

// withRelease replaces the version of failproof in a text by the running release.
func (r Repository) withRelease(text []byte) []byte {
	return toolVersion.ReplaceAll(text, []byte("${1}"+r.toolRef))
}

var toolVersion = regexp.MustCompile(`(failproof/failproof[@/])` + unreleased + `\b`)

var suitesLine = regexp.MustCompile(`(?m)^suites:.*\n`)

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

// suiteText returns a suite for a prompt, with a case for its author to complete.
func suiteText(r Repository, name, prompt string) []byte {
	b := r.withRelease(fmt.Appendf(nil, schemaLine, "suite"))
	promptRef := yamlText(strings.Repeat("../", strings.Count(name, "/")) + prompt)
	switch {
	case prompt == r.agentFile:
		promptRef = "{ instructions: " + promptRef + " }"
	case path.Base(prompt) == skill.FileName:
		promptRef = "{ skill: " + strings.Replace(promptRef, "/"+skill.FileName, "", 1) + " }"
	}
	b = fmt.Appendf(b, "version: 1\nprompt: %s\ncases:\n  - id: first\n", promptRef)
	for i, name := range r.vars[prompt] {
		if i == 0 {
			b = append(b, "    vars: # what your users say\n"...)
		}
		b = fmt.Appendf(b, "      %s: an example\n", name)
	}
	return append(b,
		"    # What must be true of the answer, for example:\n    # assert: [{ contains: refund }, \"response.length < 600\"]\n"...)
}

func yamlText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// maxIDBytes is the most bytes of an id. Its limit leaves room for a suffix.
const maxIDBytes = 100

// idPart returns a file's name as a part of an id, or "prompt" if the name has no usable character.
func idPart(name string) string {
	name = strings.Trim(notInID.ReplaceAllString(name, "-"), "-._")
	return cmp.Or(name[:min(len(name), maxIDBytes)], "prompt")
}

// nextSteps returns lines about the repository and the next commands. hadWorkflow is true if the workflow existed
// before; it may then judge another folder.
func nextSteps(r Repository, live, hadWorkflow bool, firstAnswer func() (AnswerPlace, bool)) (out []string) {
	out = append(out, "")
	if r.misnamedConfig != "" {
		out = append(out, r.misnamedConfig+" is not read: call it "+strings.TrimSuffix(r.misnamedConfig, ".yaml")+
			".yml")
	}
	if len(r.unread) > 0 {
		out = append(out, "Not read: "+firstNames(r.unread)+"; the workflow may lack steps or keys for what is there.")
	}
	out = append(out, promptfooSteps(r)...)
	if n := len(r.services); n > 0 {
		line := text.Count(n, "folder below has its own configuration", "folders below have their own configurations")
		if !hadWorkflow {
			line += "; the workflow has a step for each"
		}
		out = append(out, line+".")
	}
	if r.subfolder != "" && hadWorkflow && !r.servicesAlone {
		step := fmt.Sprintf("uses: failproof/failproof@%s, if: ${{ !cancelled() }}, with: { %s }", r.toolRef,
			strings.Join(newInputs().of(r.subfolder, true), ", "))
		if keys := r.liveKeys(live); len(keys) > 0 {
			step += ", env: { " + secrets(keys, ", ") + " }"
		}
		out = append(out, "The workflow at the root of the repository was there already. If none of its steps judges this folder, add one: "+step)
	} else if r.subfolder != "" && !r.servicesAlone {
		out = append(out, "The workflow is written at the root of the repository, and judges "+r.subfolder+".")
	}
	if summary := skillsSummary(r); summary != "" {
		out = append(out, summary)
	}
	if r.promptFileSuite != "" {
		out = append(out, r.promptFileSuite+
			" holds a suite already, as every prompt file of GitHub Models with a row of `testData` does.")
	}
	out = append(out, suiteSteps(r)...)
	last := "Then commit it all: from the next pull request on, the gate comments."
	if hadWorkflow {
		last = "Then commit it all. The workflow was there already: `failproof doctor --offline` says what it lacks, such as a step or a key."
	}
	return append(append(out, nextCommands(r, live, firstAnswer)...), last)
}

// promptfooSteps returns the steps for configurations of promptfoo.
func promptfooSteps(r Repository) []string {
	if len(r.promptfoo) == 0 {
		return nil
	}
	first := r.promptfoo[0]
	switch next := text.Command("failproof import promptfoo", first); {
	case isProgram(first):
		return []string{first + " is a configuration of promptfoo in code, which is not run: write what it gives as YAML, then: failproof import promptfoo promptfooconfig.yaml"}
	case len(r.promptfoo) > 1:
		return []string{firstNames(r.promptfoo) + " are configurations of promptfoo.",
			"In the folder of each that is not converted: failproof import promptfoo FILE, then: failproof init"}
	case r.shouldImport():
		return []string{first + " is a configuration of promptfoo; `import` converts it.", "Next: " + next,
			"It writes suites, a configuration and a list of what is left to do; with --results the answers that promptfoo stored become recordings.",
			"Then: failproof init, which writes the workflow with the keys of the models, and suites for skills."}
	case !(r.hasSuites && r.isConfigured()): // otherwise it is converted or not needed
		return []string{first + " is a configuration of promptfoo. To take it over into a folder of its own, where copies of its prompts are judged: " + next + " --out promptfoo"}
	}
	return nil
}

// suiteSteps returns lines about the prompts with and without a suite.
func suiteSteps(r Repository) (out []string) {
	const write = ": write there what users say and what must be true of the answer."
	if r.hasSuites {
		out = append(out, "There are suites already.")
	}
	switch suites := r.suiteFiles; {
	case len(suites) == 1:
		out = append(out, suites[0]+" tests "+r.prompts[0]+write)
	case len(suites) > 1:
		out = append(out, fmt.Sprintf("%d prompts have a suite each, first %s", len(suites), suites[0])+write)
	}
	return append(out, skippedFiles(r)...)
}

// nextCommands returns the next commands and their explanations.
func nextCommands(r Repository, live bool, firstAnswer func() (AnswerPlace, bool)) []string {
	switch {
	case r.servicesAlone:
		return []string{"Next: failproof validate"}
	case live:
		return []string{"Next: failproof run --dry-run",
			"It says what would be asked and what that costs; then set OPENAI_API_KEY and leave --dry-run out.",
			"On GitHub, the key is a secret of the repository: Settings, Secrets and variables, Actions, OPENAI_API_KEY.",
			"The pull request that adds all this calls no model: merge it, or give the step of the workflow `bootstrap: true`."}
	case r.isEmpty():
		return []string{"Next: failproof run",
			"When you change a prompt, write its answers in recordings/ again, then: failproof record --stamp",
			"For the answers of a model in place of recorded ones: failproof init --live, in a folder without a configuration"}
	}
	a, known := firstAnswer()
	if !known {
		a = AnswerPlace{File: "recordings/SUITE.jsonl", SuiteID: "SUITE", CaseID: "CASE"}
	}
	switch {
	case a.OtherRunner:
		return []string{"Next: failproof gate",
			"Let a job of the workflow run your runner before the gate: " + resultsPage + " has such workflows."}
	case a.FileExists:
		return []string{"Next: failproof run"}
	case a.File == "":
		return []string{"Next: failproof validate", "Then: failproof run --dry-run",
			"It says what would be asked of a model and what that costs; leave --dry-run out to ask."}
	}
	return []string{"Next: failproof validate",
		"Then write answers, a line each, and bind them with `failproof record --stamp`. In " + a.File +
			fmt.Sprintf(`: {"suite_id": %q, "case_id": %q, "raw_response": "…"}`, a.SuiteID, a.CaseID),
		"`failproof validate --json` names all cases.",
		"Or let a model give them: add a live target to " + cmp.Or(r.configPath, configFile) +
			" and run `failproof record`."}
}
