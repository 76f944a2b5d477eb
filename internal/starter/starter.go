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

// Write writes the files that the repository lacks, and returns the next steps. It calls onFile for each file, and
// keeps existing files. It writes nothing before an import, which sets the keys that the workflow needs, and nothing if
// it can read none of the prompts. If live is set, the files call a model instead of using recorded answers. A link
// that leads out of the repository is an error.
func (r Repository) Write(dir string, live bool, onFile func(name string, isNew bool)) (next []string, err error) {
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
	return nextSteps(r, dir, live, hadWorkflow), nil
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
