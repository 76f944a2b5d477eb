package suite

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Keys that failproof reads in a prompt file of GitHub Models. The format may have further keys, so these only cause a
// warning.
var (
	promptKeys    = []string{"name", "description", "model", "modelParameters", "messages", "responseFormat", "jsonSchema", "testData", "evaluators"}
	rowKeys       = []string{"testData", "cases"} // names of the list of rows; a file with `cases` is a suite
	parameterKeys = []string{"temperature", "topP", "maxTokens"}
	roles         = []string{model.RoleSystem, model.RoleUser, model.RoleAssistant}
	idleKeys      = []string{"name", "description", "modelId"} // keys without effect
	evaluatorKeys = []string{"name", "string", "llm", "uses"}
)

// promptSchema is the schema of a prompt file, without the form of its messages. Null stands for an absent key.
var promptSchema = schemaOf(`
	"type": "object",
	"properties": {
		"name": { "type": ["string", "null"] }, "description": { "type": ["string", "null"] }, "model": { "type": ["string", "null"] },
		"responseFormat": { "enum": ["text", "json_object", "json_schema", null] }, "jsonSchema": { "type": ["string", "null"] },
		"modelParameters": { "type": ["object", "null"], "properties": {
			"temperature": { "type": ["number", "null"], "minimum": 0, "maximum": 2 },
			"topP": { "type": ["number", "null"], "minimum": 0, "maximum": 1 },
			"maxTokens": { "type": ["integer", "null"], "minimum": 1, "maximum": 10000000 } } },
		"testData": { "type": ["array", "null"], "items": {
			"type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } } },
		"evaluators": { "type": ["array", "null"], "items": { "type": "object", "properties": {
			"name": { "type": ["string", "null"] }, "uses": { "type": ["string", "null"] },
			"string": { "type": ["object", "null"], "additionalProperties": { "type": ["string", "number", "boolean", "null"] } },
			"llm": { "type": ["object", "null"], "properties": {
				"prompt": { "type": ["string", "null"] }, "systemPrompt": { "type": ["string", "null"] },
				"choices": { "type": ["array", "null"], "items": { "type": "object", "required": ["choice", "score"], "properties": {
					"choice": { "type": ["string", "number", "boolean"], "minLength": 1 },
					"score": { "type": "number", "minimum": 0, "maximum": 1 } } } } } } } } } }`)

// isPromptFile reports whether a file is a prompt file of GitHub Models, which its name shows. A file with the key
// `cases` is a suite instead.
func isPromptFile(name string, root *document.Node) bool {
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	return (ending == ".yml" || ending == ".yaml") && root.Get("cases") == nil &&
		(strings.HasSuffix(stem, ".prompt") ||
			strings.HasSuffix(stem, "_prompt") && root.Get("messages") != nil && root.Get("version") == nil)
}

// modelsFile reads a prompt file of GitHub Models.
type modelsFile struct {
	file   *file
	faults *diagnostics
	root   *document.Node
	prompt *prompt // nil if it cannot be read
}

// readPromptTree returns the suites of a prompt file, one for each target. The file's messages are the prompt, its test
// data are the cases, and its evaluators are the expectation of every case. A file without test data is a prompt for
// other suites, and readPromptTree returns nil.
func (f *file) readPromptTree(root *document.Node) []*Suite {
	p := &modelsFile{file: f, faults: f.faults, root: root}
	f.faults.Add(promptSchema().CheckForeign(f.faults.Path, root)...)
	if root.AsMap() == nil {
		return nil
	}
	if data := value(root, "testData"); data == nil || data.Kind == document.List && len(data.List()) == 0 {
		p.warnNoRows(data)
		return nil
	}
	return p.readSuites()
}

// warnNoRows warns that a file has no test data. If the key for test data seems to be misspelled, it reports that key
// instead.
func (f *modelsFile) warnNoRows(data *document.Node) {
	for _, key := range f.root.Keys {
		if like, _ := text.Suggest(key.Text, rowKeys); like != "" && data == nil {
			f.faults.reportUnreadKey(f.root, key, "", rowKeys)
			return
		}
	}
	f.faults.WarnAt(f.root.Pos, RuleNoCases, "the prompt file is skipped: its `testData` has no row, and so no case")
}

func (f *modelsFile) readSuites() []*Suite {
	f.faults.reportUnreadKeys(f.root, "", promptKeys)
	s := &Suite{ID: f.file.id, Path: f.faults.Path, Pos: f.root.Pos, Plan: score.Plan{Strategy: score.StrategyAccuracy}, Weight: 1, PromptFile: true}
	s.Description = cmp.Or(f.root.Get("description").AsText(), f.root.Get("name").AsText())
	checkDefaultID(f.faults, s)
	if list := value(f.root, "messages"); list == nil || list.Kind != document.List || len(list.List()) == 0 {
		f.faults.ErrorAt(f.root.Pos, RuleMessages, "`messages` is missing or no list; a prompt file lists what is sent")
	} else {
		f.prompt = parseMessages(f.faults, list, message{path: f.faults.Path}, "")
	}
	expected := f.readEvaluators()
	s.setSharedPrompt(f.prompt)
	c := f.file.newCollector(s, nil)
	f.addRows(c, expected)
	return c.perTarget(f.prompt != nil, f.override)
}

// RuleNoCases is the rule of the warning that a prompt file of GitHub Models has no test data and is therefore no
// suite.
const RuleNoCases = "no-cases"

// reportUnreadKeys reports each key of n that is not in known. where is the path of n in the file.
func (f *diagnostics) reportUnreadKeys(n *document.Node, where string, known []string) {
	for key := range n.Entries() {
		if !slices.Contains(known, key.Text) {
			f.reportUnreadKey(n, key, where, known)
		}
	}
}

// reportUnreadKey warns that a key of n has no effect, because it is not in known. If the key is clearly a misspelling
// of a known key, reportUnreadKey reports an error instead, because the value would be ignored.
func (f *diagnostics) reportUnreadKey(n, key *document.Node, where string, known []string) {
	like, near := text.Suggest(key.Text, known)
	message, hint := document.Quote(where+key.Text)+" is not read and changes nothing", ""
	if near {
		hint = "; did you mean `" + like + "`?"
	}
	report := f.WarnAt
	if near && text.IsMisspelling(key.Text, like) && n.Get(like) == nil && !slices.Contains(idleKeys, like) {
		report = f.ErrorAt
	}
	report(key.Pos, "unknown-key", "%s%s", message, hint)
}

// jsonSchema returns the JSON in the string `jsonSchema` without white space, or "". It reports invalid JSON.
func (f *modelsFile) jsonSchema() string {
	at := f.root.Get("jsonSchema")
	if at.AsText() == "" {
		return ""
	}
	root, ds := anyJSON(f.faults.Path, at.Text)
	for _, d := range ds {
		d.Message = document.Line(fmt.Sprintf("in jsonSchema, line %d, column %d: %s", d.Line, d.Column, d.Message))
		d.Line, d.Column = at.Pos.Line, at.Pos.Column
		f.faults.Add(d)
	}
	if document.HasErrors(ds) {
		return ""
	}
	return root.JSON()
}

// addRows adds a case to c for each row of testData.
func (f *modelsFile) addRows(c *collector, e *evaluators) {
	// number of rows by their made id
	onlyExpected, count := e.expectationColumns(f.prompt), map[string]int{}
	for _, row := range f.root.Get("testData").List() {
		k := Case{ID: row.Get("id").AsText(), Pos: row.Pos, Severity: risk.Medium, Body: &Body{Judging: Judging{SkippedEvaluators: e.skipped, Policies: f.file.loader.globalPolicies}}}
		if !validCaseID(k.ID) {
			k.ID = madeRowID(row, onlyExpected)
			if count[k.ID]++; count[k.ID] > 1 { // equal rows get a number, because rows need no ids
				k.ID += "-" + strconv.Itoa(count[k.ID])
			}
		}
		vars := c.readVars(row)
		k.Vars = vars.texts()
		checks := expectationContent{}
		k.Expect = &expect.Expectation{}
		e.addChecks(c, &k, &checks)
		e.addMeasures(c, &k, &checks, row)
		e.addRubric(c, &k)
		c.add(k, vars, f.prompt, checks)
	}
	// Other tools use the columns id and expected, so they are not reported as unused.
	c.used["id"], c.used["expected"] = true, true
}

// expectationColumns returns the columns of a row that only say what is expected. The prompt p does not send them.
func (e *evaluators) expectationColumns(p *prompt) map[string]bool {
	out := map[string]bool{"id": true, "expected": true}
	for _, c := range e.comparisons {
		c.text.eachVariable(func(name string) { out[name] = true })
	}
	for _, one := range e.modelEvaluators {
		one.prompt.eachVariable(func(name string) { out[name] = true })
	}
	p.eachVariable(func(name string) { delete(out, name) })
	return out
}

// eachVariable calls f with each variable that the prompt uses. p may be nil.
func (p *prompt) eachVariable(f func(name string)) {
	if p == nil {
		return
	}
	for i := range p.messages {
		p.messages[i].template.eachPlaceholder(func(name string, _ int) { f(name) })
	}
}

// madeRowID returns an id for a row without one. It is made only from the columns that are not in judging. It therefore
// stays the same when the expectation or the place of the row changes.
func madeRowID(row *document.Node, judging map[string]bool) string {
	own := map[string]string{}
	for key, value := range row.Entries() {
		if !judging[key.Text] {
			own[key.Text], _ = value.AsScalar()
		}
	}
	return "case-" + keyOf(own).String()[:12]
}
