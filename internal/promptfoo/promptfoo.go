// Package promptfoo converts a configuration of promptfoo to suites and a configuration of failproof, and reports what
// it could not convert. It reads through an fs.FS, runs no code and writes nothing: files are returned as values.
package promptfoo

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Input says what to import.
type Input struct {
	Tree    fs.FS  // what may be read; no path leads out of it
	Config  string // promptfoo's configuration, a path in the tree
	InPlace bool   // the result goes to the tree's root
	Results []byte // what `promptfoo eval -o output.json` wrote; nil: nothing

	ResultsName string // what they are called in findings
}

// File is a file of the result. Its name is relative to the folder that it is written to.
type File struct {
	Name string
	Text []byte
}

// Extent says how much was imported.
type Extent string

const (
	Whole  Extent = "in full"
	InPart Extent = "in part"
	None   Extent = "not at all"
)

// Result is what was made of a configuration.
type Result struct {
	Files    []File // by name
	Findings []Finding
	Suites   int
	Cases    int
	Answers  []Answer // of Input.Results
	Targets  []string // by name, those that ask
	Copied   []string // files of the source, by path, of which copies are judged
}

// Extent returns Whole if nothing is left to do, and None if there is no case.
func (r Result) Extent() Extent {
	switch {
	case r.Cases == 0:
		return None
	case slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == ToDo }):
		return InPart
	}
	return Whole
}

// Import converts a configuration. Errors in its files are among the findings.
func Import(in Input) Result {
	src := &source{tree: in.Tree, dir: path.Dir(in.Config)}
	out := &output{src: src, inPlace: in.InPlace, copies: map[string]string{}, inJSON: map[string]string{},
		names: map[string]bool{}}
	im := &importer{in: in, src: src, out: out}
	file := node{&document.Node{}, in.Config}
	switch path.Ext(in.Config) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py":
		im.src.addToDo(file, "the file", "it is code, which is not run", "the same configuration as YAML")
		return im.result()
	}
	root, ok := im.src.parse(in.Config, file)
	if !ok {
		return im.result()
	}
	if root.Get("cases") != nil && root.Get("version") != nil && root.Get("prompts") == nil {
		im.src.addToDo(root, "the file", "it is a suite of failproof, not a configuration of promptfoo", "")
		return im.result()
	}
	if root.Kind != document.Map {
		im.src.addToDo(root, "the file", "it is not a map of prompts, providers and tests", "")
		return im.result()
	}
	im.src.root = root
	im.all(root)
	return im.result()
}

// importer holds what was read so far.
type importer struct {
	in  Input
	src *source
	out *output

	targets []*target
	unasked []string // what is said in the configuration of providers that are no target
	judge   *target  // nil: none is named
	judged  bool     // some case has a rubric
	shared  *test    // defaultTest
	repeat  int
	suites  []*suite
	answers []Answer
}

// node is a value in a file of promptfoo's.
type node struct {
	*document.Node
	path string
}

func (n node) get(key string) node { return node{n.Get(key), n.path} }

func (n node) missing() bool { return n.Node == nil || n.Kind == document.Null }

// text returns a scalar's text, "" for anything else.
func (n node) text() string {
	text, _ := n.AsScalar()
	return text
}

func (n node) isText() bool { return n.Node != nil && n.Kind == document.String }

func (n node) isScalar() bool {
	_, is := n.AsScalar()
	return is
}

func (n node) isMap() bool { return n.AsMap() != nil }

// items returns the items of a list. Any other value is its own only item.
func (n node) items() (out []node) {
	if !n.missing() && n.Kind != document.List {
		return []node{n}
	}
	for _, item := range n.List() {
		out = append(out, node{item, n.path})
	}
	return out
}

// entries yields the keys and values of a map.
func (n node) entries() iter.Seq2[node, node] {
	return func(yield func(key, value node) bool) {
		for key, value := range n.Entries() {
			if !yield(node{key, n.path}, node{value, n.path}) {
				return
			}
		}
	}
}

// texts returns the texts of a list's items.
func (n node) texts() (out []string) {
	for _, item := range n.items() {
		out = append(out, item.text())
	}
	return out
}

// handlers convert the values of a map, by key. A nil handler means that the value is read elsewhere.
type handlers map[string]func(value node)

// keep returns a handler that stores a value to be read later.
func keep(to *node) func(node) { return func(n node) { *to = n } }

// keys passes each value of a map to the handler of its key, in the order of the file. A key without a handler is a
// finding, so that nothing is dropped silently.
func (src *source) keys(n node, of string, by handlers) {
	for key, value := range n.entries() {
		switch handle, ok := by[key.Text]; {
		case ok && handle != nil:
			handle(value)
		case ok || value.missing():
		case strings.HasPrefix(key.Text, "x-"):
			src.addLeftOut(key, "`"+key.Text+"` "+of, "other keys refer to it; its content is written out there")
		default:
			src.addToDo(key, "`"+key.Text+"` "+of, "failproof has no equivalent", "")
		}
	}
}

// skip returns a handler that reports a value as left out, because it judges no answer.
func (src *source) skip(what, why string) func(node) {
	return func(n node) { src.addLeftOut(n, what, why) }
}

// skipAll adds such a handler for each of these keys.
func (src *source) skipAll(by handlers, why string, names ...string) {
	for _, name := range names {
		by[name] = src.skip("`"+name+"`", why)
	}
}

// toDo returns a handler that reports a value which somebody has to convert.
func (src *source) toDo(what, why, instead string) func(node) {
	return func(n node) { src.addToDo(n, what, why, instead) }
}

func (im *importer) result() Result {
	r := Result{Findings: im.src.findings, Answers: im.answers, Suites: len(im.suites),
		Copied: slices.Sorted(maps.Keys(im.out.copies))}
	for _, s := range im.suites {
		r.Cases += len(s.cases)
	}
	for _, t := range im.targets {
		r.Targets = append(r.Targets, t.name)
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(rank(a.Level)-rank(b.Level), cmp.Compare(a.Path, b.Path), cmp.Compare(a.At.Line, b.At.Line),
			cmp.Compare(a.At.Column, b.At.Column))
	})
	seen := map[Finding]bool{} // a test is read for each prompt
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		before := seen[f]
		seen[f] = true
		return before
	})
	if r.Cases > 0 {
		r.Files = im.out.files
	}
	r.Files = append(r.Files, File{ListName, list(im.in.Config, r)})
	slices.SortFunc(r.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return r
}

func rank(l Level) int { return slices.Index([]Level{ToDo, Changed, LeftOut}, l) }

// all converts the keys of the configuration.
func (im *importer) all(root node) {
	var prompts, providers, tests, scenarios node
	by := handlers{
		"$schema": nil, "description": nil, "defaultTest": nil, "assertionTemplates": nil, "assertionSets": nil,
		"prompts": keep(&prompts), "providers": keep(&providers), "targets": keep(&providers),
		"tests": keep(&tests), "scenarios": keep(&scenarios),
		"evaluateOptions": im.evaluateOptions, "commandLineOptions": im.evaluateOptions,
		"env": func(n node) { reportEnvironment(im.src, n) },
		"extensions": im.src.toDo("`extensions`", "they are code that runs around the tests",
			"a step of the workflow before failproof's"),
		"nunjucksFilters": im.src.toDo("`nunjucksFilters`", "they are code; prompts have only variables",
			"write the filter's output into the variable"),
		"derivedMetrics": im.src.toDo("`derivedMetrics`", "they are code over scores", ""),
		"tracing":        im.src.toDo("`tracing`", "answers are judged, not traces", ""),
		"redteam": im.src.toDo("`redteam`", "promptfoo's red teaming is not converted",
			"probes of failproof are suites with `strategy: probe`"),
		"tags":     im.src.skip("`tags` of the configuration", "they only group runs"),
		"metadata": im.src.skip("`metadata` of the configuration", "it only describes runs"),
	}
	im.src.skipAll(by, "failproof writes its own reports", "outputPath", "sharing", "writeLatestResults", "outputs")
	im.src.keys(root, "of the configuration", by)
	im.providers(providers)
	im.shared = &test{vars: newVars(), expand: true}
	if n := im.src.fromFile(root.get("defaultTest"), "`defaultTest`"); !n.missing() {
		im.shared = readTest(im.src, n)
	}
	forms := readPrompts(im.src, prompts)
	cases := slices.Concat(readTests(im.src, tests), readScenarios(im.src, scenarios))
	for _, t := range append([]*test{im.shared}, cases...) {
		for _, n := range t.graders {
			im.grader(n)
		}
	}
	asked := func(t *test) bool { return t.vars.of["prompt"] != nil }
	if prompts.missing() && slices.ContainsFunc(cases, asked) {
		own := node{&document.Node{Kind: document.String, Text: "{{prompt}}", Pos: tests.Pos}, tests.path}
		forms = readPromptText(im.src, own, "")
	}
	if len(cases) == 0 && len(tests.items())+len(scenarios.items()) == 0 { // it asks each prompt once then
		cases = []*test{{at: root, vars: newVars()}}
	}
	im.build(root, forms, cases)
	if im.results(); len(im.suites) > 0 {
		im.configuration()
	}
}

func (im *importer) evaluateOptions(n node) {
	by := handlers{"repeat": func(n node) {
		if k, err := strconv.Atoi(n.text()); err == nil && k >= 1 && k <= 100 {
			im.repeat = k
			return
		}
		im.src.addToDo(n, "`repeat`", "`trials` of a suite is a number from 1 to 100", "")
	}}
	im.src.skipAll(by, "only for display", "showProgressBar", "verbose", "table", "share", "write")
	im.src.skipAll(by, "each target's `concurrency` and `requests_per_minute` set the pace",
		"maxConcurrency", "delay")
	im.src.skipAll(by, "answers are cached anyway", "cache")
	im.src.skipAll(by, "each target has a `timeout`", "timeoutMs")
	im.src.keys(n, "of the options", by)
}

// reportEnvironment reports variables without their values, which may be keys.
func reportEnvironment(src *source, n node) {
	for key, value := range n.entries() {
		src.addToDo(value, fmt.Sprintf("the variable %s of `env`", document.Quote(key.Text)),
			"keys are never written into files, and prompts cannot read the environment",
			"set it in `env:` of the workflow's step, and name it with `api_key_env` of the target")
	}
}
