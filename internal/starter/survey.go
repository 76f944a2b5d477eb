package starter

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/promptname"
	"github.com/failproof/failproof/internal/skill"
	"github.com/failproof/failproof/internal/skilleval"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Repository is what a folder holds to begin with.
type Repository struct {
	ref         string   // what of failproof the files name: the tag of a release, or the branch
	up          string   // the way from the current folder to the root of its repository, "" for the root itself
	below       string   // the current folder, from there
	prompts     []string // by name: those that a suite is written for, skills by their SKILL.md
	agents      skilleval.Found
	told        string              // the prompt that is a file of instructions for agents, "" for none
	vars        map[string][]string // of each of them
	suiteFiles  []string            // the suites of the prompts, one each
	beyond      int                 // prompts that are too many to have a suite each
	refused     []string            // what else was seen where prompts lie, and why it has no suite; sentences without their end
	warning     string              // what a reader says of a prompt that is asked all the same, "" for nothing
	services    []string            // folders below with a configuration of their own
	code        []string            // places of prompts in programs, and programs where prompts lie
	evaluations []string            // places of other tools' evaluations, with the tool
	programs    int                 // bytes of them that were read
	data        []string            // files of JSON and YAML there
	promptFiles []string            // *.prompt.yml
	held        string              // the first of them that is a suite, "" for none
	promptfoo   string              // its configuration
	suites      bool                // there are some
	config      string              // the configuration of failproof, "" for none
	keys        []string            // variables with keys of its live targets, by name
	misnamed    string              // a file that is called like one and not read, "" for none
}

// imports reports whether there is a promptfoo configuration to import, and nothing of failproof's.
func (r Repository) imports() bool {
	return r.promptfoo != "" && !r.promptfooIsCode() && !r.suites && !r.isConfigured() && len(r.promptFiles) == 0
}

// isConfigured reports whether there is a configuration, or a file meant as one, so that none is written beside it.
func (r Repository) isConfigured() bool { return r.config+r.misnamed != "" }

// promptfooIsCode reports that promptfoo's configuration is a program, which is not run.
func (r Repository) promptfooIsCode() bool {
	return r.promptfoo != "" && !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(r.promptfoo))
}

// isEmpty reports whether there is nothing to start from, so that an example is written. Beside a configuration there
// is none, since its targets may differ.
func (r Repository) isEmpty() bool {
	return len(r.prompts) == 0 && len(r.agents.Evals) == 0 && r.held == "" && !r.suites && !r.isConfigured()
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Survey surveys a folder. Unreadable files count as missing. tag is the running release's, "" for another build.
func Survey(dir, tag string) (r Repository) {
	r.ref = cmp.Or(tag, unreleased)
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
	c := readConfig(&r, tree)
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
		r.considerCode(tree, name)
		return nil
	})
	if r.inService(r.promptfoo) {
		r.promptfoo = ""
	}
	r.readAgents(tree)
	r.readSuites(tree, c)
	return r
}

// readConfig returns the configuration in force, or the example's if there is none that can be read, and finds the keys
// that the workflow has to pass on.
func readConfig(r *Repository, tree fs.FS) *config.Config {
	if r.config != "" {
		if own, _ := config.Load(tree, r.config); own != nil {
			for _, t := range own.Targets {
				if t.Live() {
					r.keys = append(r.keys, t.Variables()...)
				}
			}
			slices.Sort(r.keys)
			r.keys = slices.Compact(r.keys)
			return config.Own(own, config.AskNew)
		}
	}
	first, ds := config.Load(example, "files/"+configFile)
	if first == nil {
		panic(fmt.Sprint("starter: the first configuration: ", ds))
	}
	first.Suites = config.DefaultSuites
	return first
}

// surveyed is how many files and folders are looked at.
const surveyed = 20_000

// promptsTaken is how many prompts get a suite: more of them are another kind of files.
const promptsTaken = 100

// promptfooDepth is how many folders deep a configuration of promptfoo is looked for.
const promptfooDepth = 2

// promptfooRank is lowest for the configuration to import: YAML or JSON before code, then the one nearest to the root.
func promptfooRank(r Repository) (rank int) {
	if r.promptfooIsCode() {
		rank = promptfooDepth + 1
	}
	return rank + strings.Count(r.promptfoo, "/")
}

func (r *Repository) consider(name string) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".prompt.yml"), strings.HasSuffix(base, ".prompt.yaml"):
		r.promptFiles = append(r.promptFiles, name)
	case strings.HasPrefix(name, "suites/") && (strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")):
		r.suites = true
	case strings.HasPrefix(base, "promptfooconfig.") && strings.Count(name, "/") <= promptfooDepth:
		if next := (Repository{promptfoo: name}); r.promptfoo == "" || promptfooRank(next) < promptfooRank(*r) {
			r.promptfoo = name
		}
	case base == skill.Name: // see readAgents
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

// considerPrompt takes a file whose name says that it is a prompt. In a folder of prompts these are all texts, and JSON
// and YAML that lists messages.
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
	}
}

// Programs are read up to so many bytes together, and so many each. One counts as programLeast at least.
const (
	programsRead = 8 << 20
	programSize  = 256 << 10
	programLeast = 4 << 10
)

var (
	promptInCode = regexp.MustCompile(`(?i)role["']?\s*[:=]\s*["']system["']|prompt\s*(?::\s*\w+\s*)?:?=\s*[a-z$@]?["'` + "`" + `]`)
	evaluation   = regexp.MustCompile(`\b(?:from|import|require)\b[ ("'@]+(?:[^"'\n]*["'])?(deepeval|inspect_ai|ragas|evalite|braintrust|autoevals|giskard)\b`)
)

// considerCode looks in a program for a prompt in its text, and for other tools' evaluations.
func (r *Repository) considerCode(tree fs.FS, name string) {
	folders := strings.Split(path.Dir(name), "/")
	if r.programs >= programsRead || !slices.Contains(codeEndings, path.Ext(name)) || slices.Contains(folders, "vendor") {
		return
	}
	text, faults := document.ReadText(tree, name, programSize)
	r.programs += max(len(text), programLeast)
	if document.HasErrors(faults) {
		return
	}
	place := func(at int) string { return fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:at], []byte("\n"))) }
	if at := evaluation.FindSubmatchIndex(text); at != nil {
		r.evaluations = append(r.evaluations, fmt.Sprintf("%s (%s)", place(at[2]), text[at[2]:at[3]]))
	}
	if slices.ContainsFunc(folders, promptname.IsOthers) {
		return
	}
	if at := promptInCode.FindIndex(text); at != nil {
		r.code = append(r.code, place(at[0]))
	} else if promptname.InFolder(name) && !strings.HasPrefix(path.Base(name), "__") {
		r.code = append(r.code, name)
	}
}

// readSuites reads the suites that there are, and where there is none those that would be written.
func (r *Repository) readSuites(tree *source.Tree, c *config.Config) {
	there, ds := suite.Load(tree, c, c.Suites)
	ids := map[string]bool{}
	for _, s := range there {
		switch {
		case skilleval.IsNamed(s.Path): // which other skills may lack
		case !s.IsPromptFile():
			r.suites = true
		case r.held == "":
			r.held = s.Path
		}
		ids[strings.ToLower(suiteid.AuthorID(s.ID))] = true
	}
	for _, d := range ds {
		if d.Rule == suite.RuleNoCases {
			r.refused = append(r.refused, d.Place()+": "+d.Message)
		}
	}
	if r.suites || r.imports() {
		r.prompts = nil
		return
	}
	choosePrompts(r, tree)
	for nameSuites(r, ids); r.refuse(tree, c); nameSuites(r, ids) {
	}
}

// choosePrompts settles which prompts get a suite, and which variables each has.
func choosePrompts(r *Repository, tree *source.Tree) {
	r.prompts = append(r.prompts, r.agents.Bare()...)
	r.choose()
	if files := skill.InstructionFiles(tree, "."); len(files) > 0 && r.isEmpty() {
		r.told, r.prompts = files[0], files[:1]
	}
	r.vars = map[string][]string{}
	for _, name := range r.prompts {
		if path.Base(name) == skill.Name || name == r.told {
			r.vars[name] = []string{"task"}
			continue
		}
		if text, ds := document.ReadText(tree, name, document.MaxYAML); !document.HasErrors(ds) {
			r.vars[name] = variables(string(text))
		}
	}
}

// inService reports a file of a folder with a configuration of its own.
func (r *Repository) inService(name string) bool {
	return slices.ContainsFunc(r.services, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
}
