package promptfoo

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

type suite struct {
	group
	id       string // the name of its file is suites/ID.yaml
	prompt   *prompt
	toolFile string // path of the file with its tools, relative to the folder suites, or ""
	defaults *expectation
	unset    []string // variables of the prompt that some test does not set
	left     bool     // whether an assertion about all its answers was not converted
	cases    []*testCase
}

type testCase struct {
	*test
	suite  *suite
	id     string
	part   string // the JavaScript that takes a part of each answer, or ""
	expect *expectation
	left   bool // whether an assertion about answers to this case was not converted
}

// group has the targets of one suite. They have the same tools, instructions, schema and transform.
type group struct {
	tools   string // JSON in the form of Chat Completions, or ""
	part    node   // the transform that takes a part of each answer
	system  string
	schema  string
	targets []*target
}

// maxCases is the largest number of cases of an import.
const maxCases = 100_000

// build makes a suite for each combination of a prompt in forms and a group of targets, and writes all suites.
func (im *importer) build(root node, forms []*prompt, tests []*test) {
	if len(forms) == 0 {
		if len(im.src.root.get("prompts").items()) == 0 {
			im.src.add(ToDo, root, "the prompts", "there are none", "`prompts` of promptfoo's configuration")
		}
		return
	}
	var cases []*test
	for _, t := range tests {
		if cases = append(cases, im.combinations(t)...); len(cases) > maxCases {
			im.src.add(ToDo, t.at, "the tests from here on", fmt.Sprintf("there are more than %d", maxCases), "")
			break
		}
	}
	for i, form := range forms {
		if form.name == "" && len(forms) == 1 {
			form.name = im.in.ownName("prompt")
		}
		form.name = im.out.free("suites/" + cmp.Or(form.name, "prompt-"+strconv.Itoa(i+1)))[len("suites/"):]
	}
	for _, form := range forms {
		for i, g := range im.groups(form) {
			s := im.suite(form, g, cases)
			if s.id = form.name; i > 0 {
				s.id = im.out.free("suites/" + form.name + "-" + slug(g.targets[0].name))[len("suites/"):]
			}
			if len(s.cases) > 0 {
				im.suites = append(im.suites, s)
				im.judged = im.judged || len(s.defaults.rubric) > 0 ||
					slices.ContainsFunc(s.cases, func(k *testCase) bool { return len(k.expect.rubric) > 0 })
			}
		}
	}
	im.writeSuites(root)
}

// ownName returns a name for the configuration. It is NAME for the file promptfooconfig.NAME.yaml, or else the name of
// the folder, or else the name of the file. If none of these is usable, it returns otherwise.
func (in Input) ownName(otherwise string) string {
	base := strings.TrimSuffix(path.Base(in.Config), path.Ext(in.Config))
	_, name, _ := strings.Cut(base, ".")
	if slug(base) == "promptfooconfig" {
		base = ""
	}
	return cmp.Or(slug(name), slug(path.Base(path.Dir(in.Config))), slug(base), otherwise) // slug(".") is ""
}

// maxTargets is the largest number of targets of a suite.
const maxTargets = 16

// groups returns the targets of the prompt form, in groups with the same tools, instructions, schema and transform.
func (im *importer) groups(form *prompt) (out []group) {
	for _, t := range im.targets.all {
		if len(t.prompts) > 0 && !slices.Contains(t.prompts, form.label) && !slices.Contains(t.prompts, form.name) {
			continue
		}
		g := group{tools: offeredTools(im.src, t), system: t.system, part: t.transform}
		if !t.schema.missing() {
			g.schema = jsonOf(t.schema.Node)
		}
		i := slices.IndexFunc(out, func(o group) bool {
			return o.tools == g.tools && o.system == g.system && o.schema == g.schema && o.part.text() == g.part.text()
		})
		if i < 0 {
			i, out = len(out), append(out, g)
		}
		if len(out[i].targets) == maxTargets {
			im.src.add(ToDo, t.from, t.title(),
				fmt.Sprintf("a suite has at most %d targets", maxTargets), "a suite of its own, with `target`")
			continue
		}
		out[i].targets = append(out[i].targets, t)
	}
	if len(out) == 0 {
		return []group{{}}
	}
	return out
}

// offeredTools returns the tools of a target as JSON in the form of Chat Completions, or "" if there are none. It
// reports tools that it cannot convert.
func offeredTools(src *source, t *target) string {
	all := listOf()
	for _, item := range t.tools.items() {
		for _, one := range functions(item) {
			if one != nil {
				all.items = append(all.items, one)
			} else {
				src.add(ToDo, item, "a tool of "+document.Quote(t.id), "it is not a function with a name and parameters",
					"a file of functions, `tools` of the suite")
			}
		}
	}
	if len(all.items) == 0 {
		return ""
	}
	return all.json()
}

// functions returns the tools in an item, which may have the form of OpenAI, Anthropic or Google. A tool in another
// form is nil.
func functions(item node) (out []*value) {
	for _, key := range []string{"functionDeclarations", "function_declarations"} {
		for _, one := range item.get(key).items() {
			out = append(out, function(one, "parameters"))
		}
	}
	switch f := item.get("function"); {
	case len(out) > 0:
		return out
	case f.isMap():
		return []*value{function(f, "parameters")}
	case !item.get("input_schema").missing():
		return []*value{function(item, "input_schema")}
	case item.get("type").text() == "function", // the Responses API
		item.get("name").isText() && item.get("parameters").isMap(): // an older form
		return []*value{function(item, "parameters")}
	}
	return []*value{nil}
}

func function(n node, parameters string) *value {
	if !n.get("name").isText() || !varName.MatchString(strings.ReplaceAll(n.get("name").Text, "-", "_")) {
		return nil
	}
	f := mapOf()
	for _, key := range []string{"name", "description", parameters} {
		if v := n.get(key); !v.missing() {
			f.set(strings.Replace(key, "input_schema", "parameters", 1), plainTypes(valueOf(v.Node)))
		}
	}
	return mapOf().set("type", str("function")).set("function", f)
}

// plainTypes writes the types in the schema v in lower case, as JSON Schema does, and returns v. Google writes them in
// capitals.
func plainTypes(v *value) *value {
	for i, item := range v.items {
		if v.kind == document.Map && v.keys[i] == "type" &&
			slices.Contains([]string{"OBJECT", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY"}, item.text) {
			item.text = strings.ToLower(item.text)
		}
		plainTypes(item)
	}
	return v
}

// combinations returns the cases of the test t, completed by defaultTest. There is one case for each combination of the
// values that variables list.
func (im *importer) combinations(t *test) (out []*test) {
	whole := t.over(im.shared)
	whole.description = t.description // ids come from it
	each, ok := whole.vars.each()
	if !ok {
		im.src.add(ToDo, t.at, "a test", fmt.Sprintf("its lists of values come to more than %d cases", maxCombined),
			"the combinations that matter")
		return nil
	}
	for _, vars := range each {
		one := whole
		one.vars = fillNested(im.src, vars)
		out = append(out, &one)
	}
	return out
}

func (im *importer) suite(form *prompt, g group, tests []*test) *suite {
	s := &suite{group: g, prompt: form, defaults: &expectation{}}
	if g.tools != "" {
		s.toolFile = im.out.jsonFile("tools/tools.json", g.tools)
	}
	for _, t := range tests {
		for _, name := range slices.Concat(form.vars, parseTemplate(g.system).vars) {
			if t.vars.values[name] == nil && !slices.Contains(s.unset, name) {
				s.unset = append(s.unset, name)
			}
		}
	}
	ctx, before := context{tools: g.tools != ""}, len(im.src.findings)
	im.schemas(s)
	for _, n := range im.shared.asserts {
		if !byCase(im.src.resolve(n)) {
			im.assertion(n, subject(im.src, s, im.shared), ctx, s.defaults)
		}
	}
	if s.defaults.refusal {
		s.defaults.onlyRefuses()
	}
	s.left = im.src.leftSince(before)
	ids := map[string]bool{}
	for _, t := range tests {
		s.cases = append(s.cases, im.newCase(s, t, ctx, ids))
	}
	return s
}

// schemas adds the schema of the prompt, or else of a target, to the suite as its expected format.
func (im *importer) schemas(s *suite) {
	n := s.prompt.schema
	for _, t := range s.targets {
		if n.missing() {
			n = t.schema
		} else if s.prompt.schema.Node != nil && t.value.get("structured_output") == nil &&
			t.provider() != "http" {
			t.value.set("structured_output", raw("true"))
		}
	}
	if n.missing() {
		return
	}
	a := &assertion{im: im, from: n, kind: "response_format", value: n, to: s.defaults}
	a.reportRefusal(convertJSON(a))
}

func (im *importer) newCase(s *suite, t *test, ctx context, ids map[string]bool) *testCase {
	own := context{vars: t.vars.texts(), tools: ctx.tools}
	before := len(im.src.findings)
	k := &testCase{test: t, suite: s, expect: &expectation{shared: s.defaults}}
	part := subject(im.src, s, t)
	k.part, _ = partOf(part.text())
	for _, n := range im.shared.asserts {
		if byCase(im.src.resolve(n)) {
			im.assertion(n, part, own, k.expect)
		}
	}
	for _, n := range t.asserts {
		im.assertion(n, part, own, k.expect)
	}
	if k.expect.refusal || s.defaults.refusal {
		k.expect.onlyRefuses()
	}
	if n := len(t.asserts) + len(im.shared.asserts); !t.average.missing() && n > 1 {
		im.src.add(Changed, t.average, "`threshold` of a test",
			"there the mean of its assertions decides; here every assertion must pass", "")
	} else if !t.average.missing() {
		im.src.add(LeftOut, t.average, "`threshold` of a test", "it has one assertion, which decides", "")
	}
	k.id, k.left = caseID(k, ids), s.left || im.src.leftSince(before)
	return k
}

// subject returns the transform whose result the assertions of the test t judge. It is the transform of the test, or
// else of the targets.
func subject(src *source, s *suite, t *test) node {
	if t.subject.missing() {
		return s.part
	}
	if part, _ := partOf(s.part.text()); part != "" {
		src.add(ToDo, t.subject, "`transform`", "the provider has a transform as well, whose result this one gets",
			"one transform that does both")
	}
	return t.subject
}

// caseID returns an id for the case from its description or its variables, and adds the id to taken.
func caseID(k *testCase, taken map[string]bool) string {
	id := slug(k.description)
	if id == "" {
		var parts []string
		for _, name := range k.vars.names {
			if one := k.vars.values[name][0]; one.text != "" && len(one.text) <= 200 && !strings.Contains(one.text, "\n") &&
				one.file == "" {
				parts = append(parts, one.text)
			}
		}
		id = slug(strings.Join(parts, " "))
	}
	id = cmp.Or(id, "case")
	free := freeName(id, "", func(name string) bool { return taken[name] })
	taken[free] = true
	return free
}

// freeName returns stem followed by ending. If that name is taken, it puts a number between stem and ending.
func freeName(stem, ending string, taken func(string) bool) string {
	free := stem + ending
	for i := 2; taken(free); i++ {
		free = fmt.Sprintf("%s-%d%s", stem, i, ending)
	}
	return free
}
