package promptfoo

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

type test struct {
	origin      node
	description string
	vars        vars
	values      []variable // of a case: one value of each variable
	asserts     []node
	tags        []string
	transform   transform
}

// readTests returns the tests that n lists, also those in files that n names.
func readTests(n node) (out []*test) {
	for _, item := range n.items() {
		if item = resolve(item); item.isMissing() {
			continue
		}
		switch {
		case item.isText():
			out = append(out, readTestFiles(item)...)
		case item.get("path").isText():
			handleKeys(item, "of tests in a file", handlers{"path": func(p node) {
				out = append(out, readTestFiles(p)...)
			}})
		case item.isMap():
			out = append(out, readTest(item))
		default:
			addFinding(ToDo, item, "a test", "it is not a map")
		}
	}
	return out
}

// readTestFiles returns the tests in the files that n names by a path or a pattern.
func readTestFiles(n node) (out []*test) {
	what := "the tests of " + document.Quote(n.Text)
	for _, file := range filesOf(n.src.dir, n, what) {
		switch ext := strings.ToLower(path.Ext(file)); {
		case ext == ".csv":
			out = append(out, readTable(n, file)...)
		case ext == ".jsonl":
			out = append(out, readJSONLines(n, file)...)
		case ext == ".yaml", ext == ".yml", ext == ".json":
			if root, ok := parse(file, n); ok {
				out = append(out, readTests(root)...)
			}
		default:
			addFinding(ToDo, n, what, "a file of tests ends in .csv, .json, .jsonl, .yaml or .yml, and no code is run",
				"its tests in a file of JSON lines")
		}
	}
	return out
}

func readJSONLines(n node, file string) (out []*test) {
	text, ok := read(file, n)
	if !ok {
		return nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		root, ds := document.ParseJSON(file, strings.TrimRight(line, "\r"), document.Position{Line: i + 1, Column: 1})
		if parsed, ok := reportErrors(node{root, file, n.src}, ds); ok {
			out = append(out, readTests(parsed)...)
		}
	}
	return out
}

func readTest(n node) *test {
	t := &test{origin: n}
	tags := func(n node) { t.tags = append(t.tags, readTags(n)...) }
	handleKeys(n, "of a test", handlers{
		"id": nil, "description": func(n node) { t.description = n.text() },
		"vars": func(vars node) {
			t.vars = readVars(resolve(vars), !n.get("options").get("disableVarExpansion").IsTrue())
		},
		"assert":   func(n node) { t.asserts = resolve(n).items() },
		"metadata": tags, "tags": tags,
		"threshold": func(n node) {
			addFinding(Changed, n, "`threshold` of a test",
				"there the mean of its assertions decides; here every assertion must pass")
		},
		"options": func(n node) {
			transform := func(n node) { t.transform = readTransform(n) }
			handleKeys(n, "of a test's options", handlers{"disableVarExpansion": nil, "transform": transform,
				"postprocess": transform, "provider": n.src.readGrader})
		},
	})
	return t
}

// readTransform returns the transform n. It reports code that cannot run.
func readTransform(n node) transform {
	t := parseTransform(n)
	if t.err != nil {
		addFinding(ToDo, n, "`transform`", "it cannot run: "+t.err.Error(),
			"JavaScript that stands in the configuration")
	}
	return t
}

// readTags returns the entries of a map as tags of the form key:text.
func readTags(n node) (out []string) {
	for key, value := range entriesOf(n, "the metadata") {
		for _, item := range value.items() {
			if text := item.text(); item.isScalar() && text != "" {
				out = append(out, key.Text+":"+text)
			} else {
				addFinding(LeftOut, item, "`"+key.Text+"` of the metadata", "a tag must be text")
			}
		}
	}
	return out
}

// withDefaults returns t with those settings of defaults that t lacks. The assertions are only those of t.
func (t *test) withDefaults(defaults *test) test {
	out := *t
	out.vars, out.description = defaults.vars.merge(t.vars), cmp.Or(t.description, defaults.description)
	out.tags = slices.Concat(defaults.tags, t.tags)
	if out.transform.origin.isMissing() {
		out.transform = defaults.transform
	}
	return out
}

// readScenarios returns the tests of all scenarios. Each test of a scenario is returned once for each configuration of
// the scenario. A scenario without tests has its configurations as tests.
func readScenarios(n node) (out []*test) {
	for _, item := range n.items() {
		var configs, tests []*test
		handleKeys(item, "of a scenario", handlers{
			"config": func(n node) { configs = readTests(n) },
			"tests":  func(n node) { tests = readTests(n) },
		})
		if len(tests) == 0 {
			tests = []*test{{}}
		}
		for _, c := range configs {
			for _, t := range tests {
				merged := t.withDefaults(c)
				merged.origin, merged.asserts = c.origin, slices.Concat(c.asserts, t.asserts)
				out = append(out, &merged)
			}
		}
	}
	return out
}

// These match the names of columns that have a meaning for promptfoo.
var (
	expectedColumn = regexp.MustCompile(`^__expected\d*$`)
	metadataColumn = regexp.MustCompile(`^__metadata:([^\[]+)$`)
)

// readTable returns the tests in a CSV file, one for each row. n is the node that names the file.
func readTable(n node, file string) (out []*test) {
	data, ok := read(file, n)
	if !ok {
		return nil
	}
	table, ds := document.NewTable(file, data, 1)
	if reportErrors(node{nil, file, n.src}, ds); table == nil {
		return nil
	}
	for _, name := range table.Header {
		if !isColumn(name.Text) {
			addFinding(ToDo, node{name, file, n.src}, "the column "+document.Quote(name.Text), "failproof has no equivalent")
		}
	}
	for more := true; more; {
		var row *document.Node
		row, ds, more = table.Row()
		if parsed, ok := reportErrors(node{row, file, n.src}, ds); ok {
			out = append(out, readRow(parsed))
		}
	}
	return out
}

// isColumn reports whether the column with the given name is converted.
func isColumn(name string) bool {
	return expectedColumn.MatchString(name) || metadataColumn.MatchString(name) || name == "__description" ||
		varName.MatchString(name) && !strings.HasPrefix(name, "__")
}

// readRow returns the test in a row.
func readRow(n node) *test {
	t := &test{origin: n}
	for key, value := range entriesOf(n, "the row") {
		tag := metadataColumn.FindStringSubmatch(key.Text)
		switch {
		case !isColumn(key.Text):
		case !strings.HasPrefix(key.Text, "__"):
			if values := readValues(value, key.Text, false); len(values) > 0 {
				t.vars = append(t.vars, values)
			}
		case value.Text == "":
		case key.Text == "__description":
			t.description = value.Text
		case tag != nil:
			t.tags = append(t.tags, tag[1]+":"+value.Text)
		default:
			t.asserts = append(t.asserts, cellAssertion(value))
		}
	}
	return t
}

// cellForm matches an assertion in a cell: a type, a threshold in parentheses, and a value after a colon.
var cellForm = regexp.MustCompile(`(?s)^((?:not-)?[a-z][a-z-]*)(?:\(([0-9.]+)\))?(?::(.*))?$`)

// noValue matches the types of assertions that need no value in a cell.
var noValue = regexp.MustCompile(`^(is-.*|contains-(json|xml)|answer-relevance|context-faithfulness)$`)

// cellAssertion returns the assertion in a cell as a map, which is the form of assertions in tests.
func cellAssertion(cell node) node {
	text := strings.TrimSpace(cell.Text)
	kind, value, threshold := "equals", text, ""
	if m := cellForm.FindStringSubmatch(text); m != nil {
		name := cmp.Or(map[string]string{"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}[m[1]], m[1])
		positive := strings.TrimPrefix(name, "not-")
		if _, known := kinds[positive]; known && (strings.Contains(text, ":") || noValue.MatchString(positive)) {
			kind, value, threshold = name, strings.TrimSpace(m[3]), m[2]
		}
	}
	n := cell.with(&document.Node{Kind: document.Map, Pos: cell.Pos})
	for _, entry := range [][2]string{{"type", kind}, {"value", value}, {"threshold", threshold}} {
		if entry[1] != "" {
			n.Keys, n.Values = append(n.Keys, cell.withText(entry[0]).Node), append(n.Values, cell.withText(entry[1]).Node)
		}
	}
	return n
}
