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

// Repository is the result of surveying a folder.
type Repository struct {
	toolRef         string   // the version of failproof in files: the tag of a release, or the branch
	rootPath        string   // the path from the folder to the root of its repository, "" if it is the root
	subfolder       string   // the path from the root to the folder
	prompts         []string // the prompts that get a suite; SKILL.md stands for a skill
	agents          skilleval.Found
	agentFile       string              // the instructions for agents among prompts, or ""
	vars            map[string][]string // the variables of each prompt
	suiteFiles      []string            // the suite of each prompt
	excessPrompts   int                 // the number of prompts beyond the limit
	skipped         []string            // other files that look like prompts, and why they get no suite
	warning         string              // the first warning about a prompt that gets a suite, or ""
	services        []judgedFolder      // folders below with their own configuration
	servicesAlone   bool                // reports whether there are some, and this folder has no configuration
	unread          []string            // folders and configurations of services that cannot be read
	promptsInCode   []string            // places of prompts in programs, and programs in folders of prompts
	evaluations     []string            // places of other tools' evaluations, with the tool's name
	codeBytes       int                 // the bytes of programs that were read
	dataFiles       []string            // files of JSON and YAML in folders of prompts
	promptFiles     []string            // *.prompt.yml
	promptFileSuite string              // the first of promptFiles that is a suite, or ""
	promptfoo       []string            // configurations of promptfoo, by promptfooRank
	hasSuites       bool                // reports whether there are suites
	suiteErrors     int                 // the number of errors in suites
	untested        []string            // prompts that no suite asks, if there are suites
	configPath      string              // failproof's configuration, or ""
	keys            []string            // the variables with keys of live targets, sorted
	misnamedConfig  string              // a file with almost the name of a configuration, or ""
}

// judgedFolder is a folder that a step of the workflow judges.
type judgedFolder struct {
	path string   // relative to the root of the repository, "" for the root
	keys []string // the variables with the keys of models that the step passes on
}

// shouldImport reports whether there is a promptfoo configuration to convert, and no file of failproof.
func (r Repository) shouldImport() bool {
	return len(r.promptfoo) > 0 && !isProgram(r.promptfoo[0]) && !r.hasSuites && !r.isConfigured() &&
		len(r.promptFiles)+len(r.services) == 0
}

// isConfigured reports whether there is a configuration, or a file that is meant to be one.
func (r Repository) isConfigured() bool { return r.configPath+r.misnamedConfig != "" }

// isProgram reports whether a configuration of promptfoo is a program, which is never run.
func isProgram(promptfooPath string) bool {
	return !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(promptfooPath))
}

// isEmpty reports whether the repository needs the example. With a configuration it does not, because the targets may
// differ from those of the example.
func (r Repository) isEmpty() bool {
	return len(r.prompts) == 0 && len(r.agents.Evals) == 0 && r.promptFileSuite == "" && !r.hasSuites &&
		!r.isConfigured() && len(r.services) == 0
}

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Survey surveys a folder. It ignores unreadable files. tag is the running release's tag, or "" for another build.
func Survey(dir, tag string) (r Repository) {
	r.toolRef = cmp.Or(tag, unreleased)
	if root, relPath, err := source.FindRepository(dir); err == nil && root != "" && relPath != "." {
		r.subfolder, r.rootPath = relPath, strings.Repeat("../", strings.Count(relPath, "/")+1)
	}
	tree, err := source.Worktree(dir)
	if err != nil {
		return r
	}
	defer tree.Close()
	if r.configPath, _ = config.Find(tree); r.configPath == "" {
		r.misnamedConfig = config.Misnamed(tree)
	}
	c := readConfig(&r, tree)
	var services []string
	services, r.servicesAlone = config.Services(tree)
	for _, folder := range services {
		service, _ := fs.Sub(tree, folder) // a path that config.Services found is valid
		name, _ := config.Find(service)
		loaded, _ := config.Load(service, name)
		if loaded == nil {
			r.unread = append(r.unread, document.Quote(path.Join(folder, name)))
		}
		r.services = append(r.services, judgedFolder{path.Join(r.subfolder, folder), keysOf(loaded)})
	}
	for _, folder := range config.Walk(tree, func(name string) {
		r.consider(name)
		r.considerCode(tree, name)
	}) {
		r.unread = append(r.unread, document.Quote(folder))
	}
	r.promptfoo = slices.DeleteFunc(r.promptfoo, r.inService)
	slices.SortStableFunc(r.promptfoo, func(a, b string) int { return promptfooRank(a) - promptfooRank(b) })
	r.readAgents(tree)
	r.readSuites(tree, c)
	return r
}

// readConfig returns the current configuration and sets the keys that the workflow must pass on. Without a readable
// configuration, it returns that of the example.
func readConfig(r *Repository, tree fs.FS) *config.Config {
	if r.configPath != "" {
		if loaded, _ := config.Load(tree, r.configPath); loaded != nil {
			r.keys = keysOf(loaded)
			return config.ResolveAlone(loaded, config.CallNew)
		}
	}
	example, _ := config.Load(example, "files/"+configFile) // a part of the program
	example.Suites = config.DefaultSuites
	return example
}

// keysOf returns the variables with the keys of a configuration's live targets, sorted. c may be nil.
func keysOf(c *config.Config) (keys []string) {
	if c == nil {
		return nil
	}
	for _, t := range c.Targets {
		if t.Live() {
			keys = append(keys, t.EnvVars()...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// maxPrompts is the most prompts that get a suite. The other prompts are only counted.
const maxPrompts = 100

// promptfooDepth is the most folders above a configuration of promptfoo.
const promptfooDepth = 2

// promptfooRank returns a number that is lowest for YAML or JSON, and then for the configuration nearest to the root.
func promptfooRank(promptfooPath string) (rank int) {
	if isProgram(promptfooPath) {
		rank = promptfooDepth + 1
	}
	return rank + strings.Count(promptfooPath, "/")
}

func (r *Repository) consider(name string) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".prompt.yml"), strings.HasSuffix(base, ".prompt.yaml"):
		r.promptFiles = append(r.promptFiles, name)
	case strings.HasPrefix(name, "suites/") && (strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")):
		r.hasSuites = true
	case strings.HasPrefix(base, "promptfooconfig.") && strings.Count(name, "/") <= promptfooDepth:
		r.promptfoo = append(r.promptfoo, name)
	case base == skill.FileName: // see readAgents
	default:
		r.considerPrompt(name)
	}
}

var (
	dataEndings = []string{".json", ".yaml", ".yml"}
	codeEndings = []string{".py", ".ts", ".tsx", ".js", ".mjs", ".go", ".rb", ".java", ".kt", ".cs", ".php", ".rs"}
)

// considerPrompt adds a file whose name says that it is a prompt. In a folder of prompts, it adds every text, and JSON
// and YAML to data.
func (r *Repository) considerPrompt(name string) {
	ending, inPromptFolder := path.Ext(name), promptname.InPromptFolder(name)
	if !inPromptFolder && !promptname.IsPrompt(name) || promptname.IsDocument(name) || slices.ContainsFunc(strings.Split(path.Dir(name), "/"), promptname.IsOtherFolder) {
		return
	}
	switch {
	case promptname.IsText(name):
		r.prompts = append(r.prompts, name)
	case slices.Contains(dataEndings, ending) && inPromptFolder:
		r.dataFiles = append(r.dataFiles, name)
	}
}

// maxCodeBytes limits the bytes of all programs that are read, and maxProgramBytes those of one program. A smaller
// program than minProgramBytes counts as minProgramBytes bytes.
const (
	maxCodeBytes    = 8 << 20
	maxProgramBytes = 256 << 10
	minProgramBytes = 4 << 10
)

var (
	promptInCode = regexp.MustCompile(`(?i)role["']?\s*[:=]\s*["']system["']|prompt\s*(?::\s*\w+\s*)?:?=\s*[a-z$@]?["'` + "`" + `]`)
	evaluation   = regexp.MustCompile(`\b(?:from|import|require)\b[ ("'@]+(?:[^"'\n]*["'])?(deepeval|inspect_ai|ragas|evalite|braintrust|autoevals|giskard)\b`)
)

// considerCode looks in a program for a prompt and for other tools' evaluations.
func (r *Repository) considerCode(tree fs.FS, name string) {
	folders := strings.Split(path.Dir(name), "/")
	if r.codeBytes >= maxCodeBytes || !slices.Contains(codeEndings, path.Ext(name)) || slices.Contains(folders, "vendor") {
		return
	}
	text, faults := document.ReadText(tree, name, maxProgramBytes)
	r.codeBytes += max(len(text), minProgramBytes)
	if document.HasErrors(faults) {
		return
	}
	place := func(at int) string { return fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:at], []byte("\n"))) }
	if at := evaluation.FindSubmatchIndex(text); at != nil {
		r.evaluations = append(r.evaluations, fmt.Sprintf("%s (%s)", place(at[2]), text[at[2]:at[3]]))
	}
	if slices.ContainsFunc(folders, promptname.IsOtherFolder) {
		return
	}
	if at := promptInCode.FindIndex(text); at != nil {
		r.promptsInCode = append(r.promptsInCode, place(at[0]))
	} else if promptname.InPromptFolder(name) && !strings.HasPrefix(path.Base(name), "__") {
		r.promptsInCode = append(r.promptsInCode, name)
	}
}

// readSuites reads the existing suites, chooses prompts and names their suites. If there are suites, their author chose
// the prompts, and only skills are added.
func (r *Repository) readSuites(tree *source.Tree, c *config.Config) {
	loaded, ds := suite.Load(tree, c, c.Suites)
	ids, asked := map[string]bool{}, map[string]bool{}
	for _, s := range loaded {
		for _, name := range s.PromptPaths() {
			asked[name] = true
		}
		switch {
		case skilleval.HasEvaluationsName(s.Path): // other skills may still need suites
		case !s.PromptFile:
			r.hasSuites = true
		case r.promptFileSuite == "":
			r.promptFileSuite = s.Path
		}
		ids[strings.ToLower(suiteid.AuthorID(s.ID))] = true
	}
	for _, d := range ds {
		if d.Severity == document.Error && d.Rule != suite.RuleNoSuites && d.Rule != suite.RuleNoCases {
			r.suiteErrors++
		}
		if d.Rule == suite.RuleNoCases {
			r.skipped = append(r.skipped, d.Location()+": "+d.Message)
		}
	}
	if r.shouldImport() {
		return
	}
	if r.hasSuites {
		r.untested = slices.DeleteFunc(r.prompts, func(name string) bool { return asked[name] || r.inService(name) })
		r.prompts, r.dataFiles, r.promptsInCode, r.evaluations, r.skipped = nil, nil, nil, nil, nil
	}
	choosePrompts(r, tree, asked)
	if r.servicesAlone {
		if len(r.prompts) > 0 {
			r.skipped = append(r.skipped, firstNames(r.prompts)+
				"; no configuration is above these prompts: write one, as the folders below have")
		}
		r.prompts = nil
	}
	for nameSuites(r, ids); r.dropInvalid(tree, c); nameSuites(r, ids) {
	}
}

// choosePrompts sets the prompts that get a suite, and their variables. asked has the prompts of existing suites.
func choosePrompts(r *Repository, tree *source.Tree, asked map[string]bool) {
	isAsked := func(name string) bool { return asked[name] }
	r.prompts = append(r.prompts, slices.DeleteFunc(r.agents.SkillsWithoutEvals(), isAsked)...)
	r.limitPrompts()
	if files := skill.InstructionFiles(tree, "."); len(files) > 0 && r.isEmpty() {
		r.agentFile, r.prompts = files[0], files[:1]
	}
	r.vars = map[string][]string{}
	for _, name := range r.prompts {
		if path.Base(name) == skill.FileName || name == r.agentFile {
			r.vars[name] = []string{"task"}
			continue
		}
		if text, ds := document.ReadText(tree, name, document.MaxYAML); !document.HasErrors(ds) {
			r.vars[name] = variables(string(text))
		}
	}
}

// inService reports whether a file is in a folder with its own configuration.
func (r *Repository) inService(name string) bool {
	name = path.Join(r.subfolder, name)
	return slices.ContainsFunc(r.services, func(s judgedFolder) bool { return strings.HasPrefix(name, s.path+"/") })
}
