package starter

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/source"
)

// Repository is what a folder holds to begin with.
type Repository struct {
	up          string              // the way from the current folder to the root of its repository, "" for the root itself
	below       string              // the current folder, from there
	prompts     []string            // by name
	vars        map[string][]string // of each of them
	services    []string            // folders below with a configuration of their own
	code        []string            // programs where prompts lie, which may hold some
	data        []string            // files of JSON and YAML there
	foreign     string              // a prompt that is written for another tool, and what it holds of that; "" for none
	promptFiles []string            // *.prompt.yml
	promptfoo   string              // its configuration
	suites      bool                // there are some
	config      string              // the configuration of failproof, "" for none
	keys        []string            // variables with keys of its live targets, by name
	misnamed    string              // a file that is called like one and not read, "" for none
}

// imports reports that there is a configuration of promptfoo to begin with, and nothing of failproof's.
func (r Repository) imports() bool {
	return r.promptfoo != "" && !r.promptfooIsCode() && !r.suites && !r.isConfigured() && len(r.promptFiles) == 0
}

// isConfigured reports that a configuration stands somewhere, or is meant to: none is written beside it.
func (r Repository) isConfigured() bool { return r.config+r.misnamed != "" }

// promptfooIsCode reports that promptfoo's configuration is a program, which is not run.
func (r Repository) promptfooIsCode() bool {
	return r.promptfoo != "" && !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(r.promptfoo))
}

// isEmpty reports that there is nothing to begin with: an example is written. Beside a configuration none is, whose targets may be others.
func (r Repository) isEmpty() bool {
	return len(r.prompts)+len(r.promptFiles) == 0 && !r.suites && !r.isConfigured()
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Survey looks at a folder. What cannot be read is not there.
func Survey(dir string) (r Repository) {
	if root, below, err := source.Within(dir); err == nil && root != "" && below != "." {
		r.below, r.up = below, strings.Repeat("../", strings.Count(below, "/")+1)
	}
	tree, err := source.Worktree(dir)
	if err != nil {
		return r
	}
	defer tree.Close()
	if r.config, _ = config.Find(tree); r.config == "" {
		r.misnamed = config.Misnamed(tree)
	}
	r.readKeys(tree)
	looked := 0
	_ = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error { // what is not listed is not there
		if err != nil || looked == surveyed {
			return fs.SkipDir
		}
		looked++
		if entry.IsDir() {
			if base := path.Base(name); name != "." && (strings.HasPrefix(base, ".") && base != ".github" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		r.consider(name)
		return nil
	})
	r.readPrompts(tree)
	return r
}

// readKeys finds what the workflow has to hand on. Of a configuration that is wrong there is nothing.
func (r *Repository) readKeys(tree fs.FS) {
	if r.config == "" {
		return
	}
	c, _ := config.Load(tree, r.config)
	if c == nil {
		return
	}
	for _, t := range c.Targets {
		if t.Live() {
			r.keys = append(r.keys, t.Variables()...)
		}
	}
	slices.Sort(r.keys)
	r.keys = slices.Compact(r.keys)
}

// surveyed is how many files and folders are looked at.
const surveyed = 20_000

// promptsTaken is how many prompts get a suite: more of them are another kind of files.
const promptsTaken = 100

func (r *Repository) consider(name string) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".prompt.yml"), strings.HasSuffix(base, ".prompt.yaml"):
		r.promptFiles = append(r.promptFiles, name)
	case strings.HasPrefix(name, "suites/") && (strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")):
		r.suites = true
	case path.Dir(name) == "." && strings.HasPrefix(base, "promptfooconfig.") && (r.promptfoo == "" || r.promptfooIsCode()):
		r.promptfoo = name
	case base == path.Base(configFile) && path.Dir(name) != "." && name != configFile:
		r.services = append(r.services, strings.TrimSuffix(path.Dir(name), "/"+path.Dir(configFile)))
	default:
		r.considerPrompt(name)
	}
}

var (
	dataEndings = []string{".json", ".yaml", ".yml"}
	codeEndings = []string{".py", ".ts", ".tsx", ".js", ".mjs", ".go", ".rb", ".java", ".kt", ".cs", ".php", ".rs"}
)

// considerPrompt takes over a file that speaks of a prompt by its name. In a folder of prompts all texts are prompts, and JSON and YAML where it lists messages.
func (r *Repository) considerPrompt(name string) {
	ending, among := path.Ext(name), promptname.InFolder(name)
	if !among && !promptname.IsCalled(name) || promptname.IsDocument(name) || slices.ContainsFunc(strings.Split(path.Dir(name), "/"), promptname.IsOthers) {
		return
	}
	switch {
	case promptname.IsText(name):
		r.prompts = append(r.prompts, name)
	case slices.Contains(dataEndings, ending) && among:
		r.data = append(r.data, name)
	case slices.Contains(codeEndings, ending) && !strings.HasPrefix(path.Base(name), "__"):
		r.code = append(r.code, name)
	}
}

// readPrompts reads what was found, and leaves out what is none after all, or belongs to a folder with a configuration of its own.
func (r *Repository) readPrompts(tree fs.FS) {
	elsewhere := func(name string) bool {
		return slices.ContainsFunc(r.services, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
	}
	r.prompts, r.code, r.data = slices.DeleteFunc(r.prompts, elsewhere), slices.DeleteFunc(r.code, elsewhere), slices.DeleteFunc(r.data, elsewhere)
	seen := r.data[:min(len(r.data), promptsTaken)]
	r.data = nil
	for _, name := range seen {
		if isChat(tree, name) {
			r.prompts = append(r.prompts, name)
		} else {
			r.data = append(r.data, name)
		}
	}
	slices.Sort(r.prompts)
	r.prompts = r.prompts[:min(len(r.prompts), promptsTaken)]
	r.vars = map[string][]string{}
	for _, name := range r.prompts {
		text, _ := fs.ReadFile(tree, name)
		r.vars[name] = variables(string(text))
		if other := anothers.FindString(string(text)); other != "" && r.foreign == "" && (strings.HasPrefix(other, "{%") || len(r.vars[name]) == 0) {
			r.foreign = name + " holds " + other + ", as another tool writes it"
		}
	}
}

var (
	variable = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)
	anothers = regexp.MustCompile(`\{%-? *[a-z]+[^%\n]{0,80}%\}|\$?\{[A-Za-z_][A-Za-z0-9_]*\}`)
)

// variables are the names that a prompt takes, in the order of its text.
func variables(text string) (names []string) {
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// isChat reports a file that lists messages, which is a prompt for a suite to name.
func isChat(tree fs.FS, name string) bool {
	text, ds := document.ReadText(tree, name, document.MaxYAML)
	if document.HasErrors(ds) {
		return false
	}
	root, ds := document.Parse(name, text)
	if root == nil || document.HasErrors(ds) || root.Kind != document.List || root.Len() == 0 {
		return false
	}
	for _, item := range root.Items() {
		if item.Get("role").AsText() == "" || item.Get("content").AsText() == "" || len(item.Keys) != 2 {
			return false
		}
	}
	return true
}

// suiteName is the path of a prompt's suite, without its ending: as the prompt lies, without the folder that holds all of them.
func suiteName(prompt string) string {
	parts := strings.Split(strings.TrimSuffix(prompt, path.Ext(prompt)), "/")
	last := len(parts) - 1
	kept := slices.DeleteFunc(parts[:last:last], promptname.IsFolder)
	kept = append(kept, parts[last])
	for i, part := range kept {
		kept[i] = idPart(part)
	}
	return strings.Join(kept, "/")
}

// notTaken says which files were seen where prompts lie, and get no suite.
func (r Repository) notTaken() (out []string) {
	if r.foreign != "" {
		out = append(out, r.foreign+": a variable is {{ name }} here, and nothing is run; all else is sent as it stands.")
	}
	for _, of := range []struct {
		files []string
		why   string
	}{
		{r.code, "prompts in code are not found: write each into a file of its own that the code reads"},
		{r.data, "a prompt in JSON or YAML is a list of messages, each with role and content alone"},
	} {
		others := ""
		switch n := len(of.files); {
		case n == 0:
			continue
		case n > 1:
			others = fmt.Sprintf(" and %d more", n-1)
		}
		out = append(out, "Not taken: "+of.files[0]+others+"; "+of.why+".")
	}
	return out
}
