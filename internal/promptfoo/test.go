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
	at          node
	description string
	vars        *vars
	asserts     []node
	tags        []string
	subject     node   // `transform` of its options
	average     node   // its `threshold`
	graders     []node // providers that grade, in the order of the file
	expand      bool   // a list is a value for each case
}

// readTests reads a list of tests, or the files that hold them.
func readTests(src *source, n node) (out []*test) {
	for _, item := range n.items() {
		switch {
		case item.isText():
			out = append(out, readTestFiles(src, item, item.Text)...)
		case item.get("path").isText():
			src.keys(item, "of tests in a file", handlers{"path": func(p node) {
				out = append(out, readTestFiles(src, p,
					p.Text)...)
			}})
		case item.Kind == document.Map && !item.get("$ref").missing():
			if to := src.resolve(item); to.Node != item.Node {
				out = append(out, readTests(src, to)...)
			}
		case item.Kind == document.Map:
			out = append(out, readTest(src, item))
		default:
			src.addToDo(item, "a test", "it is not a map", "")
		}
	}
	return out
}

// readTestFiles reads the tests of a file, or of those that a pattern names.
func readTestFiles(src *source, n node, text string) (out []*test) {
	what := "the tests of " + document.Quote(text)
	if strings.HasPrefix(text, "huggingface://") || strings.HasPrefix(text, "http://") ||
		strings.HasPrefix(text, "https://") {
		src.addToDo(n, what, "they are stored elsewhere, and nothing is fetched",
			"download them as CSV or JSON lines into the repository, and name that file")
		return nil
	}
	for _, file := range src.filesOf(n, what, text) {
		switch ext := strings.ToLower(path.Ext(file)); {
		case ext == ".csv":
			out = append(out, readTable(src, n, file)...)
		case ext == ".jsonl":
			out = append(out, readLines(src, n, file)...)
		case ext == ".yaml", ext == ".yml", ext == ".json":
			src.following(n, func() {
				if root, ok := src.parse(file, n); ok {
					out = append(out, readTests(src, root)...)
				}
			})
		case codeFile.MatchString(file):
			src.addToDo(n, what, "a program makes them, and nothing is run",
				"run it once and save its output in a file of JSON lines")
		default:
			src.addToDo(n, what, "a file of tests ends in .csv, .json, .jsonl, .yaml or .yml", "")
		}
	}
	return out
}

func readLines(src *source, n node, file string) (out []*test) {
	text, ok := src.read(file, n)
	if !ok {
		return nil
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		root, ds := document.ParseJSON(file, strings.TrimRight(line, "\r"),
			document.Position{Line: i + 1, Column: 1})
		if one, ok := src.sound(node{root, file}, ds); ok && one.Kind == document.Map {
			out = append(out, readTest(src, one))
		}
	}
	return out
}

func readTest(src *source, n node) *test {
	t := &test{at: n, vars: newVars(), expand: !n.get("options").get("disableVarExpansion").IsTrue()}
	src.keys(n, "of a test", handlers{
		"description": func(n node) { t.description = n.text() },
		"vars":        func(n node) { t.vars = readVars(src, src.resolve(n), t.expand) },
		"assert": func(n node) {
			if n = src.resolve(n); n.isText() {
				src.addToDo(n, "the assertions of "+document.Quote(n.Text), "assertions belong in the test", "")
				return
			}
			t.asserts = n.items()
		},
		"metadata":  func(n node) { t.tags = append(t.tags, readTags(src, n)...) },
		"tags":      func(n node) { t.tags = append(t.tags, readTags(src, n)...) },
		"threshold": keep(&t.average),
		"options":   func(n node) { readTestOptions(src, t, n) },
		"provider": func(n node) {
			if n.isMap() && !n.get("text").missing() { // an old form of options.provider
				t.graders = append(t.graders, n)
				return
			}
			src.addToDo(n, "`provider` of a test", "targets are set for a suite, not for a case",
				"a suite of its own for these tests, with `target`")
		},
		"providers": src.toDo("`providers` of a test", "targets are set for a suite, not for a case",
			"a suite of its own for these tests, with `target`"),
		"prompts": src.toDo("`prompts` of a test", "each prompt becomes a suite with all tests",
			"take the case out of the suites of the other prompts"),
		"assertScoringFunction": src.toDo("`assertScoringFunction`", "it is code; every assertion must pass", ""),
		"providerOutput": src.toDo("`providerOutput`", "answers are in recordings",
			"a line in recordings/, bound with `failproof record --stamp`"),
		"id": nil,
	})
	return t
}

func readTestOptions(src *source, t *test, n node) {
	src.keys(n, "of a test's options", handlers{
		"disableVarExpansion": nil,
		"transform":           func(n node) { t.subject = readTransform(src, n) },
		"postprocess":         func(n node) { t.subject = readTransform(src, n) },
		"provider":            func(n node) { t.graders = append(t.graders, n) },
		"rubricPrompt":        src.toDo("`rubricPrompt`", ownQuestion, criteriaInstead),
		"factuality":          src.toDo("`factuality` of the options", "a criterion is met or not met", ""),
		"transformVars":       src.toDo("`transformVars`", "it is code", "write its output into the variables"),
		"prefix": src.toDo("`prefix` of a prompt", "a prompt is the text of its file",
			"write it into the prompt"),
		"suffix": src.toDo("`suffix` of a prompt", "a prompt is the text of its file", "write it into the prompt"),
		"storeOutputAs": src.toDo("`storeOutputAs`", "cases do not see each other's answers",
			"the turns written out, in `messages` of the case"),
		"delay": src.skip("`delay`",
			"each target's `requests_per_minute` sets the pace"),
		"runSerially":          src.skip("`runSerially`", "cases do not see each other"),
		"openAiGradingOptions": src.toDo("`openAiGradingOptions`", "the judge is a target of the configuration", ""),
	})
}

// readTransform returns code that takes a part of each answer. Code that cannot run is reported here and at each
// assertion that needs it.
func readTransform(src *source, n node) node {
	if _, err := partOf(n.text()); err != nil {
		src.addToDo(n, "`transform`", "it cannot run: "+err.Error(), "JavaScript that stands in the configuration")
	}
	return n
}

// readTags returns tags.
func readTags(src *source, n node) (out []string) {
	for key, value := range n.entries() {
		for _, item := range value.items() {
			if text := item.text(); item.isScalar() && text != "" {
				out = append(out, key.Text+":"+text)
			} else {
				src.addLeftOut(item, "`"+key.Text+"` of the metadata", "a tag must be text")
			}
		}
	}
	return out
}

// withShared returns a test with the defaults of defaultTest.
func (im *importer) withShared(t *test) *test {
	out := *t
	out.vars = im.shared.vars.over(t.vars)
	out.tags = slices.Concat(im.shared.tags, t.tags)
	if out.subject.missing() {
		out.subject = im.shared.subject
	}
	if out.average.missing() {
		out.average = im.shared.average
	}
	return &out
}

// readScenarios returns the tests of scenarios, once for each of their configurations.
func readScenarios(src *source, n node) (out []*test) {
	for _, item := range n.items() {
		if item.isText() {
			src.addToDo(item, "the scenarios of "+document.Quote(item.Text), "scenarios belong in the configuration",
				"")
			continue
		}
		var configs, tests []*test
		src.keys(item, "of a scenario", handlers{
			"description": src.skip("`description` of a scenario", "its cases have descriptions of their own"),
			"config":      func(n node) { configs = readTests(src, n) },
			"tests":       func(n node) { tests = readTests(src, n) },
		})
		for _, c := range configs {
			for _, t := range tests {
				both := *t
				both.vars, both.asserts = c.vars.over(t.vars), slices.Concat(c.asserts, t.asserts)
				both.tags, both.graders = slices.Concat(c.tags, t.tags), slices.Concat(c.graders, t.graders)
				both.description = cmp.Or(t.description, c.description)
				out = append(out, &both)
			}
			if len(tests) == 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// column matches a column that promptfoo gives a meaning.
var (
	expectedColumn  = regexp.MustCompile(`^__expected(\d*)$`)
	metadataColumn  = regexp.MustCompile(`^__metadata:(.+?)(\[\])?$`)
	thresholdColumn = regexp.MustCompile(`^__config:__expected(\d*):threshold$`)
)

// readTable reads the tests of a CSV file, one a row.
func readTable(src *source, n node, file string) (out []*test) {
	data, ok := src.read(file, n)
	if !ok {
		return nil
	}
	table, ds := document.NewTable(file, data, 1)
	if src.sound(node{nil, file}, ds); table == nil {
		return nil
	}
	for _, name := range table.Header {
		checkHeader(src, node{name, file})
	}
	for more := true; more; {
		var row *document.Node
		row, ds, more = table.Row()
		if one, ok := src.sound(node{row, file}, ds); ok {
			out = append(out, readRow(src, one))
		}
	}
	return out
}

// checkHeader reports a column that is not converted.
func checkHeader(src *source, n node) {
	switch name := n.Text; {
	case expectedColumn.MatchString(name), metadataColumn.MatchString(name), thresholdColumn.MatchString(name),
		name == "__description", name == "__threshold", varName.MatchString(name) && !strings.HasPrefix(name, "__"):
	case name == "__metric":
		src.addLeftOut(n, "the column `__metric`", ownMetric)
	default:
		src.addToDo(n, "the column "+document.Quote(name), "failproof has no equivalent", "")
	}
}

// readRow reads a row as a test. Thresholds have columns of their own.
func readRow(src *source, n node) *test {
	t := &test{at: n, vars: newVars(), expand: true}
	thresholds := map[string]string{}
	for key, value := range n.entries() {
		if m := thresholdColumn.FindStringSubmatch(key.Text); m != nil {
			thresholds[cmp.Or(m[1], "1")] = value.Text
		}
	}
	for key, value := range n.entries() {
		switch m, tag := expectedColumn.FindStringSubmatch(key.Text), metadataColumn.FindStringSubmatch(key.Text); {
		case m != nil && strings.TrimSpace(value.Text) != "":
			t.asserts = append(t.asserts, cellAssertion(value, thresholds[cmp.Or(m[1], "1")]))
		case tag != nil && value.Text != "":
			t.tags = append(t.tags, cellTags(tag[1], value.Text, tag[2] != "")...)
		case key.Text == "__description":
			t.description = value.Text
		case key.Text == "__threshold" && value.Text != "":
			t.average = value
		case varName.MatchString(key.Text) && !strings.HasPrefix(key.Text, "__"):
			if values := readValues(src, value, key.Text, false); len(values) > 0 {
				t.vars.set(key.Text, values)
			}
		}
	}
	return t
}

// cellTags returns the tags of a cell. In a list, commas separate them and \, is a comma.
func cellTags(name, text string, list bool) (out []string) {
	parts := []string{text}
	if list {
		parts = strings.Split(strings.ReplaceAll(text, `\,`, "\x00"), ",")
	}
	for _, part := range parts {
		out = append(out, name+":"+strings.TrimSpace(strings.ReplaceAll(part, "\x00", ",")))
	}
	return out
}

// cellForm matches an assertion in a cell: type, threshold in brackets, value.
var cellForm = regexp.MustCompile(`(?s)^((?:not-)?[a-z][a-z-]*)(?:\(([0-9.]+)\))?(?::(.*))?$`)

// noValue are the assertions that need no value in a cell.
var noValue = []string{"is-json", "contains-json", "is-xml", "contains-xml", "is-sql", "contains-sql", "is-html",
	"contains-html", "is-refusal", "is-valid-openai-tools-call",
	"is-valid-openai-function-call", "is-valid-function-call", "answer-relevance", "context-faithfulness",
	"context-relevance", "not-empty"}

// cellAssertion returns the assertion of a cell in the form that tests have.
func cellAssertion(from node, threshold string) node {
	text := strings.TrimSpace(from.Text)
	kind, value := "equals", text
	if m := cellForm.FindStringSubmatch(text); m != nil {
		name := cmp.Or(map[string]string{"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}[m[1]], m[1])
		if plain := strings.TrimPrefix(name, "not-"); kinds[plain].convert != nil &&
			(strings.Contains(text, ":") || slices.Contains(noValue, plain)) {
			kind, value, threshold = name, strings.TrimSpace(m[3]), cmp.Or(m[2], threshold)
		}
	}
	n := &document.Node{Kind: document.Map, Pos: from.Pos}
	for i, text := range []string{kind, value, threshold} {
		if text != "" {
			n.Keys = append(n.Keys, &document.Node{Kind: document.String,
				Text: []string{"type", "value", "threshold"}[i],
				Pos:  from.Pos})
			n.Values = append(n.Values, &document.Node{Kind: document.String, Text: text, Pos: from.Pos})
		}
	}
	return node{n, from.path}
}
