package promptfoo

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

type suite struct {
	id          string // the name of its file is suites/ID.yaml
	prompt      *prompt
	targets     []*target
	like        *target // the tools, instructions, schema and transform of all its targets
	toolFile    string  // path of the file with its tools, relative to the folder suites, or ""
	defaults    *expectation
	unset       []string // variables of the prompt that some test does not set
	unconverted bool     // whether an assertion about all its answers was not converted
	cases       []*testCase
}

type testCase struct {
	*test
	suite       *suite
	id          string
	expect      *expectation
	unconverted bool // whether an assertion about answers to this case was not converted
}

// maxCases is the largest number of cases of an import.
const maxCases = 100_000

// buildSuites makes a suite for each combination of a prompt in prompts and a group of targets, and writes all suites.
func (im *importer) buildSuites(prompts []*prompt, tests []*test) {
	if len(prompts) == 0 {
		if root := im.src.root; len(root.get("prompts").items()) == 0 {
			addFinding(ToDo, root, "the prompts", "there are none", "`prompts` of promptfoo's configuration")
		}
		return
	}
	var cases []*test
	for _, t := range tests {
		if cases = append(cases, im.combinations(t)...); len(cases) > maxCases {
			addFinding(ToDo, t.origin, "the tests from here on", fmt.Sprintf("there are more than %d", maxCases))
			break
		}
	}
	for i, p := range prompts {
		if p.name == "" && len(prompts) == 1 {
			p.name = im.in.configName("prompt")
		}
		p.name = im.out.reserveName("suites/" + cmp.Or(p.name, "prompt-"+strconv.Itoa(i+1)))[len("suites/"):]
	}
	for _, p := range prompts {
		for i, g := range im.groups(p) {
			s := im.newSuite(p, g, cases)
			if s.id = p.name; i > 0 {
				s.id = im.out.reserveName("suites/" + p.name + "-" + slug(g[0].name))[len("suites/"):]
			}
			if len(s.cases) > 0 {
				im.suites = append(im.suites, s)
			}
		}
	}
	im.writeSuites()
}

// configName returns a name for the configuration. It is NAME for the file promptfooconfig.NAME.yaml, or else the name
// of the folder, or else the name of the file. If none of these is usable, it returns fallback.
func (in Input) configName(fallback string) string {
	base := strings.TrimSuffix(path.Base(in.Config), path.Ext(in.Config))
	_, name, _ := strings.Cut(base, ".")
	if slug(base) == "promptfooconfig" {
		base = ""
	}
	return cmp.Or(slug(name), slug(path.Base(path.Dir(in.Config))), slug(base), fallback) // slug(".") is ""
}

// maxTargets is the largest number of targets of a suite.
const maxTargets = 16

// groups returns the targets of the prompt p, in groups with the same tools, instructions, schema and transform.
func (im *importer) groups(p *prompt) (out [][]*target) {
	for _, t := range im.targets.list {
		if len(t.prompts) > 0 && !slices.Contains(t.prompts, p.label) && !slices.Contains(t.prompts, p.name) {
			continue
		}
		i := slices.IndexFunc(out, func(g []*target) bool { return formOf(g[0]) == formOf(t) })
		switch {
		case i < 0:
			out = append(out, []*target{t})
		case len(out[i]) == maxTargets:
			addFinding(ToDo, t.origin, t.title(),
				fmt.Sprintf("a suite has at most %d targets", maxTargets), "a suite of its own, with `target`")
		default:
			out[i] = append(out[i], t)
		}
	}
	if len(out) > 0 {
		return out
	} else if len(im.targets.list) > 0 {
		addFinding(ToDo, p.origin, "the targets of a prompt", "no provider names its label in `prompts`",
			"`target` of the suite")
	}
	return [][]*target{nil}
}

// formOf returns what targets of a suite have in common.
func formOf(t *target) string {
	return strings.Join([]string{t.tools, t.system, jsonOf(t.schema.Node), t.transform.origin.text()}, "\n")
}

// readTools reads n, the tools of the target. It reports tools that it cannot convert.
func readTools(t *target, n node) {
	tools := listOf()
	for _, item := range n.items() {
		if tool := toolIn(item); tool != nil {
			tools.items = append(tools.items, tool)
		} else {
			addFinding(ToDo, item, "a tool of "+document.Quote(t.id),
				"it is not a function with a name and parameters", "a file of functions, `tools` of the suite")
		}
	}
	if len(tools.items) > 0 {
		t.tools = tools.json()
	}
}

// toolIn returns the tool in item, which has the form of OpenAI or Anthropic, or nil if it has another form.
func toolIn(item node) *value {
	f, parameters := item.get("function"), "parameters"
	switch {
	case f.isMap():
	case !item.get("input_schema").isMissing():
		f, parameters = item, "input_schema"
	case item.get("type").text() == "function", // the Responses API
		item.get("name").isText() && item.get("parameters").isMap(): // an older form
		f = item
	}
	if name := f.get("name"); !name.isText() || !varName.MatchString(strings.ReplaceAll(name.Text, "-", "_")) {
		return nil
	}
	function := mapOf()
	for _, key := range []string{"name", "description", parameters} {
		if v := f.get(key); !v.isMissing() {
			function.set(strings.Replace(key, "input_schema", "parameters", 1), convertNode(v.Node))
		}
	}
	return mapOf().set("type", str("function")).set("function", function)
}

// combinations returns the cases of the test t, completed by defaultTest, for each combination of its listed values.
func (im *importer) combinations(t *test) (out []*test) {
	complete := t.withDefaults(im.defaultTest)
	complete.description = t.description // ids come from it
	each, ok := complete.vars.combinations()
	if !ok {
		addFinding(ToDo, t.origin, "a test",
			fmt.Sprintf("its lists of values come to more than %d cases", maxCombined), "the combinations that matter")
		return nil
	}
	for _, combo := range each {
		expanded := complete
		expanded.values = fillNested(combo)
		out = append(out, &expanded)
	}
	return out
}

func (im *importer) newSuite(p *prompt, targets []*target, tests []*test) *suite {
	s := &suite{prompt: p, targets: targets, like: &target{}}
	if len(targets) > 0 {
		s.like = targets[0]
	}
	s.defaults = &expectation{defaults: &expectation{}, hasTools: s.like.tools != "",
		transform: transformOf(s, im.defaultTest)}
	if s.like.tools != "" {
		s.toolFile = im.out.jsonFile("tools/tools.json", s.like.tools)
	}
	system, _ := parseTemplate(s.like.system) // readSystem reports errors
	for _, t := range tests {
		for _, name := range slices.Concat(p.vars, system.vars) {
			if t.vars.index(name) < 0 && !slices.Contains(s.unset, name) {
				s.unset = append(s.unset, name)
			}
		}
	}
	before := len(im.src.findings)
	if n := s.like.schema; !n.isMissing() {
		a := &assertion{im: im, origin: n, name: "response_format", kind: "response_format", value: n, expect: s.defaults}
		a.reportError(convertJSON(a))
	}
	im.convertAll(im.sharedAsserts, s.defaults)
	s.unconverted = slices.ContainsFunc(im.src.findings[before:], Finding.isToDo)
	ids := &text.Names{}
	for _, t := range tests {
		s.cases = append(s.cases, im.newCase(s, t, ids))
	}
	return s
}

func (im *importer) newCase(s *suite, t *test, ids *text.Names) *testCase {
	before := len(im.src.findings)
	k := &testCase{test: t, suite: s, expect: &expectation{defaults: s.defaults, vars: textsOf(t.values),
		hasTools: s.defaults.hasTools, transform: transformOf(s, t)}}
	im.convertAll(slices.Concat(im.caseAsserts, flatten(t.asserts)), k.expect)
	if len(im.sharedAsserts) > 0 && k.expect.transform.origin.text() != s.defaults.transform.origin.text() {
		addFinding(ToDo, t.transform.origin, "`transform`", "the assertions of `defaultTest` do not get its result",
			"these assertions in each test")
	}
	if k.expect.expectsRefusal && len(im.sharedAsserts) > 0 && !s.defaults.expectsRefusal {
		addFinding(Changed, t.origin, "the assertions of `defaultTest`",
			"a case that expects a refusal has no other criterion")
	}
	k.id = caseID(k, ids)
	k.unconverted = s.unconverted || slices.ContainsFunc(im.src.findings[before:], Finding.isToDo)
	return k
}

// transformOf returns the transform whose result the test's assertions judge: that of the test, or else of the targets.
func transformOf(s *suite, t *test) transform {
	if t.transform.origin.isMissing() {
		return s.like.transform
	}
	if s.like.transform.code != "" {
		addFinding(ToDo, t.transform.origin, "`transform`",
			"the provider has a transform as well, whose result this one gets", "one transform that does both")
	}
	return t.transform
}

// caseID returns an id for the case from its description or its variables.
func caseID(k *testCase, ids *text.Names) string {
	id := slug(k.description)
	if id == "" {
		var parts []string
		for _, v := range k.values {
			if v.text != "" && len(v.text) <= 200 && !strings.Contains(v.text, "\n") && v.file == "" {
				parts = append(parts, v.text)
			}
		}
		id = slug(strings.Join(parts, " "))
	}
	return freeName(ids, cmp.Or(id, "case"), "")
}

// freeName returns stem followed by ending. If that name is taken, it puts a number between stem and ending.
func freeName(names *text.Names, stem, ending string) string {
	return names.Free(stem+ending, func(i int) string { return fmt.Sprintf("%s-%d%s", stem, i, ending) })
}
