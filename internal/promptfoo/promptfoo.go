// Package promptfoo converts a configuration of promptfoo to suites and a configuration of failproof, and reports what
// it cannot convert. It runs no code and writes nothing. It returns the files of the result as values.
package promptfoo

import (
	"cmp"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// Input is a configuration to convert.
type Input struct {
	Tree    fs.FS  // the files that may be read
	Config  string // the path of promptfoo's configuration in Tree
	InPlace bool   // whether the result is written to the root of Tree
	Results []byte // the output of `promptfoo eval -o output.json`, or nil

	ResultsName string // how findings name Results
}

// File is a file of the result. Its name is relative to the output folder.
type File struct {
	Name string
	Text []byte
}

// Extent says how much of a configuration was converted.
type Extent string

const (
	ExtentFull Extent = "in full"
	ExtentPart Extent = "in part"
	ExtentNone Extent = "not at all"
)

// Result is the result of converting a configuration.
type Result struct {
	Files    []File // sorted by name
	Findings []Finding
	Suites   int
	Cases    int
	Answers  []Answer // from Input.Results
	Copied   []string // the paths of source files of which suites read copies
}

// Extent returns ExtentNone if there is no case, ExtentFull if no finding is a ToDo, and ExtentPart otherwise.
func (r Result) Extent() Extent {
	switch {
	case r.Cases == 0:
		return ExtentNone
	case slices.ContainsFunc(r.Findings, Finding.isToDo):
		return ExtentPart
	}
	return ExtentFull
}

// Import converts a configuration. Errors in the configuration's files become findings.
func Import(in Input) Result {
	src := &source{tree: in.Tree, dir: path.Dir(in.Config)}
	im := &importer{in: in, src: src,
		targets: &targets{hasStored: in.Results != nil, names: text.Names{Fold: true}},
		out: &output{src: src, inPlace: in.InPlace, copies: map[string]string{}, byText: map[string]string{},
			names: text.Names{Fold: true}}}
	freeName(&im.targets.names, replayName, "")
	src.readGrader = im.targets.readGrader
	switch root, ok := parse(in.Config, node{&document.Node{}, in.Config, src}); {
	case !ok:
	case root.Get("cases") != nil && root.Get("version") != nil && root.Get("prompts") == nil:
		addFinding(ToDo, root, "the file", "it is a suite of failproof, not a configuration of promptfoo")
	case root.Kind != document.Map:
		addFinding(ToDo, root, "the file", "it is not a map of prompts, providers and tests")
	default:
		src.root = root
		im.convert()
	}
	return im.result()
}

// importer has the source, and the parts of the result that are converted so far.
type importer struct {
	in  Input
	src *source
	out *output

	targets     *targets
	hasRubric   bool  // whether a case has a rubric
	defaultTest *test // the content of defaultTest

	sharedAsserts, caseAsserts []node // the assertions of defaultTest without and with variables

	repeat  int
	suites  []*suite
	answers []Answer
}

// node is a value in a file of promptfoo.
type node struct {
	*document.Node
	path string // the path of the file
	src  *source
}

// with returns value as a node of the same file.
func (n node) with(value *document.Node) node { return node{value, n.path, n.src} }

// withText returns a text at the place of n.
func (n node) withText(text string) node {
	return n.with(&document.Node{Kind: document.String, Text: text, Pos: n.Pos})
}

func (n node) get(key string) node { return n.with(n.Get(key)) }

func (n node) isMissing() bool { return n.Node == nil || n.Kind == document.Null }

// text returns the text of a scalar, or "" for any other value.
func (n node) text() string {
	text, _ := n.AsScalar()
	return text
}

func (n node) isText() bool { return n.Node != nil && n.Kind == document.String }

func (n node) isScalar() bool {
	_, ok := n.AsScalar()
	return ok
}

func (n node) isList() bool { return n.Node != nil && n.Kind == document.List }

func (n node) isMap() bool { return n.AsMap() != nil }

// namesFile reports whether n is a path that begins with file://, as promptfoo names files.
func (n node) namesFile() bool { return strings.HasPrefix(n.text(), "file://") }

// items returns the items of a list. Any other value is returned as the only item.
func (n node) items() (out []node) {
	if !n.isMissing() && n.Kind != document.List {
		return []node{n}
	}
	for _, item := range n.List() {
		out = append(out, n.with(item))
	}
	return out
}

// entriesOf yields the keys and values of n, which may be missing. If n is not a map, it adds a finding, in which label
// names the part of the configuration.
func entriesOf(n node, label string) iter.Seq2[node, node] {
	if !n.isMissing() && !n.isMap() {
		addFinding(ToDo, n, label, "this is not a map")
	}
	return func(yield func(key, value node) bool) {
		for key, value := range n.Entries() {
			if !yield(n.with(key), n.with(value)) {
				return
			}
		}
	}
}

// texts returns the texts of the items of n.
func (n node) texts() (out []string) {
	for _, item := range n.items() {
		out = append(out, item.text())
	}
	return out
}

// handlers has, for each known key of a map, the function that converts the value, or nil if other code reads it.
type handlers map[string]func(value node)

// storeIn returns a handler that stores the value in *dst.
func storeIn(dst *node) func(node) { return func(n node) { *dst = n } }

// handleKeys passes each value of the map n to the handler of its key, in file order. It reports every key without a
// handler, so that nothing is dropped silently. In findings, what says where the key is.
func handleKeys(n node, what string, byKey handlers) {
	for key, value := range entriesOf(n, "the keys "+what) {
		byKey, known := byKey[key.Text]
		why, harmless := ignoredKeys[key.Text]
		switch {
		case byKey != nil:
			byKey(value)
		case known || value.isMissing():
		case harmless:
			addFinding(LeftOut, value, "`"+key.Text+"`", why)
		case strings.HasPrefix(key.Text, "x-"):
			addFinding(LeftOut, key, "`"+key.Text+"` "+what, "other keys refer to it; its content is written out there")
		default:
			no := unconvertedKeys[key.Text]
			addFinding(ToDo, key, "`"+key.Text+"` "+what, cmp.Or(no.why, "failproof has no equivalent"), no.instead)
		}
	}
}

const toolChoiceReason = "the model decides whether it calls a tool"

// ignoredKeys has promptfoo's keys that do not affect how answers are judged, each with why it is left out.
var ignoredKeys = text.ByName(map[string]string{
	"outputPath|sharing|writeLatestResults|outputs": "failproof writes its own reports",
	"showProgressBar|verbose|table|share|write":     "only for display",

	"maxConcurrency|delay":      "each target's `concurrency` and `requests_per_minute` set the pace",
	"timeoutMs|timeout":         "each target has a `timeout`",
	"maxRetries":                "failproof decides on retries, up to the target's `patience`",
	"cost|inputCost|outputCost": "the target's `price` sets what tokens cost, in dollars a million",
	"toolConfig|tool_config":    toolChoiceReason,
	"cache":                     "answers are cached anyway",
	"tags":                      "they only group runs",
	"metadata":                  "it only describes runs",
	"description":               "its cases have descriptions of their own",
	"metric":                    "a custom metric only groups assertions; it does not affect pass or fail",
	"weight":                    "every assertion must pass",
	"apiVersion":                "the address with `/openai/v1` has no version",
	"showThinking":              "reasoning text is not part of an answer",
	"apiKeyRequired":            "a target without `api_key_env` needs no key",
	"store":                     "nothing is uploaded",
	"loggingConfig":             "it does not change answers",
	"runSerially":               "cases do not see each other",
})

// unconvertedKeys has promptfoo's keys without an equivalent in failproof, each with the reason and the nearest one.
var unconvertedKeys = text.ByName(map[string]conversionError{
	"env": {"keys are never written into files, and prompts cannot read the environment",
		"set them in `env:` of the workflow's step, and name them with `api_key_env` of the target"},
	"redteam": {"promptfoo's red teaming is not converted", "suites with `strategy: probe`"},
	"rubricPrompt": {"the judge's question is fixed, so that no answer can escape its block",
		"criteria in `rubric`"},
	"prefix|suffix":             {"a prompt is the text of its file", "write it into the prompt"},
	"provider|providers":        {"targets are set for a suite, not for a case", "a suite of its own, with `target`"},
	"prompts":                   {"each prompt becomes a suite with all tests", "take the case out of the other suites"},
	"tool_choice|function_call": {toolChoiceReason, "`expected_tools` lists the calls that the answer must make"},
})

func (im *importer) result() Result {
	r := Result{Answers: im.answers, Suites: len(im.suites), Copied: slices.Sorted(maps.Keys(im.out.copies))}
	for _, s := range im.suites {
		r.Cases += len(s.cases)
	}
	slices.SortStableFunc(im.src.findings, func(a, b Finding) int {
		return cmp.Or(rank(a.Level)-rank(b.Level), cmp.Compare(a.Path, b.Path), cmp.Compare(a.At.Line, b.At.Line),
			cmp.Compare(a.At.Column, b.At.Column), cmp.Compare(a.What+a.Why, b.What+b.Why))
	})
	r.Findings = slices.Compact(im.src.findings) // a test is read once for each prompt
	if r.Cases > 0 {
		r.Files = im.out.files
	}
	r.Files = append(r.Files, File{FindingsFile, findingsMarkdown(im.in.Config, r)})
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return r
}

func rank(l Level) int { return slices.Index([]Level{ToDo, Changed, LeftOut}, l) }

// convert converts the configuration.
func (im *importer) convert() {
	root := im.src.root
	var prompts, providers, tests, scenarios node
	setRepeat := func(n node) {
		var err error
		if im.repeat, err = strconv.Atoi(n.text()); err != nil || im.repeat < 1 || im.repeat > 100 {
			im.repeat = 1
			addFinding(ToDo, n, "`repeat`", "`trials` of a suite is a number from 1 to 100")
		}
	}
	readOptions := func(n node) { handleKeys(n, "of the options", handlers{"repeat": setRepeat}) }
	handleKeys(root, "of the configuration", handlers{
		"$schema": nil, "description": nil, "defaultTest": nil, "assertionTemplates": nil, "assertionSets": nil,
		"prompts": storeIn(&prompts), "providers": storeIn(&providers), "targets": storeIn(&providers),
		"tests": storeIn(&tests), "scenarios": storeIn(&scenarios),
		"evaluateOptions": readOptions, "commandLineOptions": readOptions,
	})
	im.targets.read(providers)
	im.defaultTest = readTest(contentOf(root.get("defaultTest")))
	for _, n := range flatten(im.defaultTest.asserts) {
		if usesVariables(n.get("value")) {
			im.caseAsserts = append(im.caseAsserts, n)
		} else {
			im.sharedAsserts = append(im.sharedAsserts, n)
		}
	}
	allPrompts := readPrompts(prompts)
	cases := slices.Concat(readTests(tests), readScenarios(scenarios))
	setsPrompt := func(t *test) bool { return t.vars.index("prompt") >= 0 }
	if i := slices.IndexFunc(cases, setsPrompt); prompts.isMissing() && i >= 0 {
		allPrompts = readPromptText(cases[i].origin.withText("{{prompt}}"), "")
	}
	if len(cases) == 0 && len(tests.items())+len(scenarios.items()) == 0 { // promptfoo sends each prompt once then
		cases = []*test{{origin: root}}
	}
	im.buildSuites(allPrompts, cases)
	if im.assignAnswers(); len(im.suites) > 0 {
		im.writeConfig()
	}
}
