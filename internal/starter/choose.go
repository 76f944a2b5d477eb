package starter

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// limitPrompts keeps at most maxPrompts prompts. Those in text files come before those in JSON or YAML. choose drops
// files in folders with their own configuration.
func (r *Repository) limitPrompts() {
	r.promptsInCode = slices.DeleteFunc(r.promptsInCode, r.inService)
	candidates := slices.DeleteFunc(slices.Concat(r.prompts, r.dataFiles), r.inService)
	r.prompts, r.dataFiles = candidates[:min(len(candidates), maxPrompts)], nil
	r.excessPrompts = len(candidates) - len(r.prompts)
	slices.Sort(r.prompts)
}

// dropInvalid drops the prompts whose suites would be invalid under the current configuration, and reports whether it
// dropped any.
func (r *Repository) dropInvalid(tree *source.Tree, c *config.Config) bool {
	files, globs := map[string]string{}, slices.Clone(c.Suites)
	for i, name := range r.suiteFiles {
		if files[name] = string(suiteText(*r, name, r.prompts[i])); suite.Includes(c.Suites, name) {
			globs = append(globs, name)
		}
	}
	loaded, ds := suite.Load(source.Overlay(tree, tree, files), c, globs)
	valid, prompts := map[string]bool{}, []string{}
	for _, s := range loaded {
		valid[s.Path] = true
	}
	r.warning = ""
	for i, name := range r.prompts {
		suiteFile := r.suiteFiles[i]
		about := func(d document.Diagnostic, severity document.Severity) bool {
			return d.Severity == severity && (d.Path == name || d.Path == suiteFile)
		}
		if valid[suiteFile] {
			prompts = append(prompts, name)
			at := slices.IndexFunc(ds, func(d document.Diagnostic) bool { return about(d, document.Warning) })
			if at >= 0 && r.warning == "" {
				r.warning = ds[at].Location() + ": " + ds[at].Message
			}
			continue
		}
		at := slices.IndexFunc(ds, func(d document.Diagnostic) bool { return about(d, document.Error) })
		switch {
		case at < 0:
			r.skipped = append(r.skipped,
				fmt.Sprintf("%s; `suites` of %s does not name %s", name, r.configPath, suiteFile))
		case ds[at].Rule == suite.RuleMessages:
			r.dataFiles = append(r.dataFiles, name)
		case ds[at].Path == name:
			r.skipped = append(r.skipped, ds[at].Location()+": "+ds[at].Message)
		default:
			r.skipped = append(r.skipped, name+": "+ds[at].Message)
		}
	}
	dropped := len(prompts) < len(r.prompts)
	r.prompts = prompts
	return dropped
}

var (
	variableForm      = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)
	otherVariableForm = regexp.MustCompile(`(?:^|[^\w\\{}])\{([a-z_][a-z0-9_]{2,})\}`)
)

// variables returns the names of a prompt's variables, in the order of the text. If there are none, it returns those in
// the form {name} of other tools, of which reading the suite then warns.
func variables(text string) (names []string) {
	for _, form := range []*regexp.Regexp{variableForm, otherVariableForm} {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
		if len(names) > 0 {
			break
		}
	}
	return names
}

// nameSuites sets a suite file for each prompt. Its id differs from all others, also in lower case.
func nameSuites(r *Repository, ids map[string]bool) {
	ids, r.suiteFiles = maps.Clone(ids), nil
	for _, prompt := range r.prompts {
		name := suiteName(prompt)
		if ids[strings.ToLower(name)] { // a.md and a.txt
			name += "-" + strings.TrimPrefix(path.Ext(prompt), ".")
		}
		for ids[strings.ToLower(name)] { // prompts/a.md and prompt/a.md
			name += "-2"
		}
		ids[strings.ToLower(name)] = true
		r.suiteFiles = append(r.suiteFiles, "suites/"+name+".yaml")
	}
}

// suiteName returns the path of a prompt's suite without extension: the prompt's path, from which it drops folders such
// as prompts/.
func suiteName(prompt string) string {
	if path.Base(prompt) == skill.FileName {
		return idPart(path.Base(path.Dir(prompt)))
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(prompt, path.Ext(prompt)), ".prompt"), "/")
	last := len(parts) - 1
	names := slices.DeleteFunc(parts[:last:last], promptname.IsPromptFolder)
	names = append(names, parts[last])
	for i, part := range names {
		names[i] = idPart(part)
	}
	return strings.Join(names, "/")
}

// maxNames is the most files that a line names.
const maxNames = 3

// skippedFiles returns lines about files that look like prompts and get no suite.
func skippedFiles(r Repository) (out []string) {
	if r.warning != "" {
		out = append(out, r.warning)
	}
	for _, reason := range r.skipped {
		out = append(out, "Not taken: "+reason+".")
	}
	if r.excessPrompts > 0 {
		out = append(out, fmt.Sprintf("Not taken: %d more prompts; write suites for those that you want judged.", r.excessPrompts))
	}
	for _, files := range []struct {
		files []string
		why   string
	}{
		{r.promptsInCode, "prompts in code are not judged: write each into a file of its own that the code reads"},
		{r.evaluations, "evaluations of other tools: write what they check as cases of a suite"},
		{r.dataFiles, "a prompt in JSON or YAML is a list of messages, each with role and content alone"},
	} {
		if len(files.files) == 0 {
			continue
		}
		out = append(out, "Not taken: "+firstNames(files.files)+"; "+files.why+".")
	}
	return out
}

// firstNames names the first of files, and counts the others.
func firstNames(files []string) string {
	names := strings.Join(files[:min(len(files), maxNames)], ", ")
	if n := len(files) - maxNames; n > 0 {
		names += fmt.Sprintf(" and %d more", n)
	}
	return names
}
