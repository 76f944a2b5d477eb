package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suiteid"
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
	if root.AsMap() == nil {
		f.faults.ErrorAt(root.Pos, "type", "a prompt file is a map with `messages` and `testData`")
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
	s := &Suite{ID: f.file.id, Path: f.faults.Path, Pos: f.root.Pos, Plan: score.Plan{Strategy: score.StrategyAccuracy}, Weight: 1, promptFile: true}
	if s.Description = f.faults.stringKey(f.root, "description"); s.Description == "" {
		s.Description = f.faults.stringKey(f.root, "name")
	}
	checkDefaultID(f.faults, s)
	if list := value(f.root, "messages"); list == nil || list.Kind != document.List || len(list.List()) == 0 {
		f.faults.ErrorAt(f.root.Pos, RuleMessages, "`messages` is missing or no list; a prompt file lists what is sent")
	} else {
		f.prompt = parseMessages(f.faults, list, message{path: f.faults.Path}, "")
	}
	expected := f.readEvaluators()
	s.setSharedPrompt(f.prompt)
	return f.file.readTargets(s, nil, func(suite *Suite) *collector {
		c := f.file.newCollector(suite)
		f.override(&c.envelope.request)
		f.limitRequest(c)
		if f.addRows(c, expected); f.prompt == nil {
			return nil
		}
		return c
	})
}

// RuleNoCases is the rule of the warning that a prompt file of GitHub Models has no test data and is therefore no
// suite.
const RuleNoCases = "no-cases"

// IsPromptFile reports whether the suite is a prompt file of GitHub Models.
func (s *Suite) IsPromptFile() bool { return s.promptFile }

// reportUnreadKeys reports each key of n that is not in known. where is the path of n in the file.
func (f *diagnostics) reportUnreadKeys(n *document.Node, where string, known []string) {
	for _, key := range n.Keys {
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

// stringKey returns the value of an optional key, or "". It reports an error if the value is no string.
func (f *diagnostics) stringKey(n *document.Node, key string) string {
	at := value(n, key)
	if at != nil && at.Kind != document.String {
		f.ErrorAt(at.Pos, "type", "`%s` is not a string", key)
	}
	return at.AsText()
}

// override sets the model and the parameters that the file names in r, in place of the target's.
func (f *modelsFile) override(r *model.Request) {
	r.Model = cmp.Or(f.faults.stringKey(f.root, "model"), r.Model)
	f.readParameters(&r.Parameters, value(f.root, "modelParameters"))
	r.Parameters.ResponseFormat = f.faults.stringKey(f.root, "responseFormat")
	if known := []string{"", "text", "json_object", "json_schema"}; !slices.Contains(known, r.Parameters.ResponseFormat) {
		f.faults.ErrorAt(f.root.Get("responseFormat").Pos, "enum", "responseFormat is %s; expected text, json_object or json_schema",
			document.Quote(r.Parameters.ResponseFormat))
	}
	r.Parameters.JSONSchema = f.jsonSchema()
	if r.Parameters.ResponseFormat == "json_schema" && value(f.root, "jsonSchema") == nil {
		f.faults.ErrorAt(f.root.Get("responseFormat").Pos, "missing-key", "responseFormat json_schema needs `jsonSchema`")
	}
}

// limitRequest limits the model and the number of tokens that a fork's prompt file may request of a live target. It
// records the requests that it refused in the suite.
func (f *modelsFile) limitRequest(c *collector) {
	q := &c.envelope.request
	t, known := f.file.loader.config.Targets[c.suite.Target]
	if known && !t.Live() {
		return
	}
	wants := config.PromptRequest{Model: q.Model, MaxTokens: q.Parameters.MaxTokens}
	may, p := AllowedRequest(f.file.loader.config.PromptBounds, c.suite.ID, wants, c.envelope.target),
		suitePair{head: c.suite}
	c.suite.ignored = append(p.diffSetting("model", may.Model, wants.Model),
		p.diffSetting("max_tokens", formatInt(may.MaxTokens), formatInt(wants.MaxTokens))...)
	q.Model, q.Parameters.MaxTokens = may.Model, may.MaxTokens
}

func formatInt(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// RequestChanges returns the changes of the model and the parameters that prompt files request. It leaves out the
// values that both sides take from their targets, because these are changes of the targets. Call RequestChanges after
// ApplyBase.
func RequestChanges(base, head []*Suite) (changes []config.Change) {
	m := newMatching(base)
	for pair := range Pairs(base, head) {
		b, h := cmp.Or(pair.BaseSuite, m.bases[idOf(pair.HeadSuite)]), pair.HeadSuite
		if b == nil || h == nil || len(b.Cases) == 0 || !b.promptFile && !h.promptFile {
			continue
		}
		was, now := b.Cases[0].parsed, h.Cases[0].parsed
		before, after := was.settings(), now.settings()
		for i, key := range config.PromptFileKeys {
			ofTargets := before[i] == targetSettings(was.target)[i] && after[i] == targetSettings(now.target)[i]
			if before[i] != after[i] && !ofTargets {
				changes = append(changes, suitePair{head: h}.effectiveChange(key, before[i], after[i]))
			}
		}
	}
	return uniqueChanges(changes)
}

// settings returns the settings of the request, in the order of config.PromptFileKeys.
func (r *suiteRequest) settings() [4]string {
	p := r.request.Parameters
	return [...]string{r.request.Model, formatFloat(p.Temperature), formatFloat(p.TopP), formatInt(p.MaxTokens)}
}

func targetSettings(t config.Target) [4]string {
	return [...]string{t.Model, formatFloat(t.Temperature), formatFloat(t.TopP), formatInt(t.MaxTokens)}
}

// IgnoredSettings returns the settings of prompt files that have no effect, because the base does not allow them.
func IgnoredSettings(suites []*Suite) (changes []config.Change) {
	for _, s := range suites {
		changes = append(changes, s.ignored...)
	}
	return uniqueChanges(changes)
}

// AllowedRequest returns the model and the token limit that the suite id may use of target t. requested is what its
// file requests. AllowedRequest looks up the limits by id. If there are none, it takes the id without the target,
// because only one side may have several targets.
func AllowedRequest(b *config.PromptBounds, id string, requested config.PromptRequest,
	t config.Target) config.PromptRequest {
	if b != nil && b.Suites[id] == (config.PromptRequest{}) {
		id = suiteid.AuthorID(id)
	}
	return b.Limit(id, requested, t)
}

// NewPromptBounds returns the limits for a fork's prompt files. Allowed are the models that c or the base's prompt
// files name, and for each suite what its prompt file requests on the base.
func NewPromptBounds(c *config.Config, base []*Suite) *config.PromptBounds {
	b := &config.PromptBounds{Suites: map[string]config.PromptRequest{}}
	for _, t := range c.Targets {
		b.Models = append(b.Models, t.Model)
	}
	for _, s := range base {
		if s.promptFile && len(s.Cases) > 0 {
			q := s.Cases[0].Open().Prompt
			b.Models = append(b.Models, q.Model)
			asks := config.PromptRequest{Model: q.Model, MaxTokens: q.Parameters.MaxTokens}
			b.Suites[s.ID] = asks
			if written := suiteid.AuthorID(s.ID); b.Suites[written] == (config.PromptRequest{}) {
				b.Suites[written] = asks
			}
		}
	}
	return b
}

// readParameters reads the sampling parameters at n into p.
func (f *modelsFile) readParameters(p *model.Parameters, n *document.Node) {
	if n == nil {
		return
	}
	if n.AsMap() == nil {
		f.faults.ErrorAt(n.Pos, "type", "`modelParameters` is not a map")
		return
	}
	f.faults.reportUnreadKeys(n, "modelParameters.", parameterKeys)
	if v, ok := f.faults.numberKey(n, "temperature", 0, 2); ok {
		p.Temperature = &v
	}
	if v, ok := f.faults.numberKey(n, "topP", 0, 1); ok {
		p.TopP = &v
	}
	if v, ok := f.faults.numberKey(n, "maxTokens", 1, 1e7); ok {
		tokens := int(v)
		if float64(tokens) != v {
			f.faults.ErrorAt(n.Get("maxTokens").Pos, "range", "maxTokens is %s; expected a whole number", n.Get("maxTokens").Text)
		}
		p.MaxTokens = &tokens
	}
}

// numberKey returns the value of an optional key that is a number from low to high. It returns false if there is none,
// and reports an invalid value.
func (f *diagnostics) numberKey(n *document.Node, key string, low, high float64) (float64, bool) {
	at := value(n, key)
	if at == nil {
		return 0, false
	}
	v, ok := at.AsNumber()
	if at.Kind == document.Number && !document.Decimal.MatchString(at.Text) {
		return 0, false // parsing reported it
	}
	if !ok || !(v >= low && v <= high) {
		f.ErrorAt(at.Pos, "range", "%s is %s; expected a number from %v to %.0f", key, document.Quote(at.Text), low, high)
		return 0, false
	}
	return v, true
}

// jsonSchema returns the JSON in the string `jsonSchema` without white space, or "". It reports invalid JSON.
func (f *modelsFile) jsonSchema() string {
	text := f.faults.stringKey(f.root, "jsonSchema")
	if text == "" {
		return ""
	}
	at := f.root.Get("jsonSchema").Pos
	root, ds := anyJSON(f.faults.Path, text)
	for _, d := range ds {
		d.Message = document.Line(fmt.Sprintf("in jsonSchema, line %d, column %d: %s", d.Line, d.Column, d.Message))
		d.Line, d.Column = at.Line, at.Column
		f.faults.Add(d)
	}
	if document.HasErrors(ds) {
		return ""
	}
	body, err := json.Marshal(root.Value())
	if err != nil {
		panic("suite: jsonSchema: " + err.Error()) // parsed JSON always marshals
	}
	return string(body)
}

// addRows adds a case to c for each row of testData.
func (f *modelsFile) addRows(c *collector, e *evaluators) {
	data := value(f.root, "testData")
	if data.Kind != document.List {
		f.faults.ErrorAt(data.Pos, "type", "`testData` is no list of rows")
		return
	}
	// number of rows by their made id
	onlyExpected, count := e.expectationColumns(f.prompt), map[string]int{}
	for _, row := range data.List() {
		if row.AsMap() == nil {
			f.faults.ErrorAt(row.Pos, "type", "a row of `testData` is not a map of variables")
			continue
		}
		if !checkVariables(f.faults, row) {
			continue
		}
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

// checkVariables reports whether n is a map whose values can all fill variables: text, numbers, true and false. It adds
// an error for each other value.
func checkVariables(f *diagnostics, n *document.Node) bool {
	if n.AsMap() == nil {
		f.ErrorAt(n.Pos, "type", "expected a map of variables")
		return false
	}
	ok := true
	for i, v := range n.Values {
		if _, scalar := v.AsScalar(); !scalar {
			f.ErrorAt(v.Pos, "type", "variable %s is not text, a number, true or false", document.Quote(n.Keys[i].Text))
			ok = false
		}
	}
	return ok
}
