package suite

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// caseIDPattern matches a case id: a letter or digit, then up to 127 letters, digits, '.', '_' and '-'. The parts of a
// suite id, joined by '/', have the same form.
const caseIDPattern = `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`

var (
	caseIDForm  = regexp.MustCompile(`^` + caseIDPattern + `$`)
	suiteIDForm = regexp.MustCompile(`^` + caseIDPattern + `(/` + caseIDPattern + `)*$`)
)

func validCaseID(id string) bool { return caseIDForm.MatchString(id) }

// maxSuiteID is the largest length of a suite id, in bytes. The id becomes part of the path of a recording.
const maxSuiteID = 1024

func validSuiteID(id string) bool { return len(id) <= maxSuiteID && suiteIDForm.MatchString(id) }

// contractFields are the fields that a case has in the FailProof data contract.
var contractFields = []string{"case_id", "suite_id", "prompt", "prompt_vars", "expected_response", "expected_classification", "tags"}

// contractReader reads a file of JSON lines in the form of the FailProof data contract.
type contractReader struct {
	file   *file
	faults *diagnostics
	suites []*Suite
	byID   map[string][]*collector // by suite_id: the collectors of the suite, one for each target

	answersReported bool // an answer in place of a case was reported, which is done once for the file
}

// readLines returns the suites in a file of JSON lines, which has one case on each line. The lines with the same
// suite_id make one suite. The suites are in the order of their first lines.
func (f *file) readLines() []*Suite {
	c := &contractReader{file: f, faults: f.faults, byID: map[string][]*collector{}}
	skipLines := make(map[int]bool, len(f.earlierErrors)) // lines to leave out
	for _, d := range f.earlierErrors {
		skipLines[d.Line] = true
	}
	text, hasBOM := strings.CutPrefix(f.faults.text.text, "\ufeff")
	if hasBOM {
		f.faults.WarnAt(document.Position{Line: 1, Column: 1}, "byte-order-mark", "the file begins with a byte order mark, which is ignored; save it as UTF-8 without one")
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) != "" && !skipLines[number] {
			c.readLine(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"),
				document.Position{Line: number, Column: 1})
		}
	}
	if len(c.suites) == 0 && !f.faults.HasErrors() {
		f.faults.ErrorAt(document.Position{}, "no-cases", "the file has no case; write one JSON object a line")
	}
	for _, id := range slices.Sorted(maps.Keys(c.byID)) {
		reportAllVars(c.byID[id])
	}
	return c.suites
}

func (c *contractReader) readLine(text string, at document.Position) {
	c.faults.text = sourceText{text, at}
	n, ds := document.ParseJSON(c.faults.Path, text, at)
	c.faults.Add(ds...)
	if n == nil {
		return
	}
	if n.AsMap() == nil {
		c.faults.ErrorAt(n.Pos, "type", "a line holds one JSON object with case_id, suite_id and prompt")
		return
	}
	if value(n, "prompt") == nil && value(n, "raw_response") != nil {
		if c.answersReported {
			return
		}
		c.answersReported = true
		c.faults.ErrorAt(n.Pos, "answers", "the line is an answer, and no case; take the file out of `suites`, such as with %s behind its patterns, or write it elsewhere",
			document.Quote("!"+c.faults.Path))
		return
	}
	c.checkFields(n)
	id, p, suite := c.identifier(n, "case_id", validCaseID), c.readPrompt(n), c.identifier(n, "suite_id", validSuiteID)
	k := Case{Body: &Body{}}
	if ok := c.readExpectation(&k, n); !c.checkTags(n) || !ok || suite == "" || id == "" || p == nil {
		return
	}
	k.ID, k.Pos = id, n.Pos
	checks := expectationContent{}
	for _, match := range k.Expect.Criteria {
		checks.Criteria = append(checks.Criteria, criterion{match.EffectiveMode(), n.Get("expected_response").Text})
	}
	for _, dst := range c.collectors(suite, n.Pos) {
		k.Vars = dst.readVars(n.Get("prompt_vars"))
		dst.add(k, p, checks)
	}
}

// collectors returns the collectors of the suite with the given id, one for each target. It makes them if the suite is
// new.
func (c *contractReader) collectors(id string, at document.Position) []*collector {
	if known := c.byID[id]; known != nil {
		return known
	}
	s := &Suite{ID: id, Path: c.faults.Path, Pos: at, Plan: score.Plan{Strategy: score.StrategyAccuracy}, Weight: 1, JSONLines: true}
	for _, one := range c.file.suitePerTarget(s, nil) {
		c.suites = append(c.suites, one)
		c.byID[id] = append(c.byID[id], c.file.newCollector(one))
	}
	return c.byID[id]
}

// checkFields reports fields that the contract does not have.
func (c *contractReader) checkFields(n *document.Node) {
	for _, key := range n.Keys {
		if !slices.Contains(contractFields, key.Text) {
			hint := cmp.Or(text.Hint("did you mean `%s`?", key.Text, contractFields), "the contract has "+nameList(contractFields))
			c.faults.ErrorAt(key.Pos, "unknown-key", "unknown field %s; %s", document.Quote(key.Text), hint)
		}
	}
}

// value returns the value of an optional field, or nil. It takes null for an absent field, because exporters write
// null.
func value(n *document.Node, key string) *document.Node {
	if v := n.Get(key); v != nil && v.Kind != document.Null {
		return v
	}
	return nil
}

// requiredString returns the value of a field that must be a string. It reports an error and returns nil if it is not.
func (c *contractReader) requiredString(n *document.Node, key string) *document.Node {
	at := value(n, key)
	switch {
	case at == nil:
		c.faults.ErrorAt(n.Pos, "missing-key", "`%s` is missing", key)
		return nil
	case at.Kind != document.String:
		c.faults.ErrorAt(at.Pos, "type", "`%s` is not a string; put it in quotes", key)
		return nil
	}
	return at
}

// identifier returns the value of a required id. It reports an error and returns "" if the id is invalid.
func (c *contractReader) identifier(n *document.Node, key string, valid func(string) bool) string {
	at := c.requiredString(n, key)
	if at != nil && !valid(at.Text) {
		c.faults.ErrorAt(at.Pos, "id", "%s %s is not an id: a letter or digit, then letters, digits, '.', '_' and '-', at most 128%s",
			key, document.Quote(at.Text), map[bool]string{true: "; a suite_id may join such parts by '/'"}[key == "suite_id"])
		return ""
	}
	return at.AsText()
}

// readPrompt returns the prompt of a case, which is one user message, or nil on an error. It also checks the form of
// prompt_vars.
func (c *contractReader) readPrompt(n *document.Node) *prompt {
	at, vars := c.requiredString(n, "prompt"), value(n, "prompt_vars")
	if at == nil || vars != nil && !checkVariables(c.faults, vars) {
		return nil
	}
	return parsePrompt(c.faults, message{role: model.RoleUser, text: at.Text, path: c.faults.Path, at: at.Pos})
}

// checkTags reports whether tags are absent or a list of strings. If not, it adds an error.
func (c *contractReader) checkTags(n *document.Node) bool {
	tags := value(n, "tags")
	if tags == nil {
		return true
	}
	ok := tags.Kind == document.List
	for _, tag := range tags.List() {
		ok = ok && tag.Kind == document.String
	}
	if !ok {
		c.faults.ErrorAt(tags.Pos, "type", "`tags` is not a list of strings")
	}
	return ok
}

// readExpectation reads into k the fields that decide how an answer is judged, and reports whether they are valid.
func (c *contractReader) readExpectation(k *Case, n *document.Node) bool {
	k.Severity = risk.Medium
	k.Expect, k.Policies = &expect.Expectation{}, c.file.loader.globalPolicies
	k.Tags = texts(value(n, "tags").List())
	switch node := value(n, "expected_classification"); {
	case node == nil || node.Kind == document.String && node.Text == classPass:
	case node.Kind == document.String && node.Text == classFail:
		k.AgreesWithFail = true
	default:
		c.faults.ErrorAt(node.Pos, "enum", "expected_classification is %s; the contract knows pass and fail", document.Quote(node.Text))
		return false
	}
	node := value(n, "expected_response")
	text, ok := node.AsScalar()
	switch {
	case node == nil:
		return true
	case !ok:
		c.faults.ErrorAt(node.Pos, "type",
			"`expected_response` is not text; write the text of a list or map as a string")
		return false
	case text == "":
		c.faults.ErrorAt(node.Pos, "empty", "`expected_response` is empty and no answer would meet it; leave it out if nothing is expected")
		return false
	}
	match, err := expect.CompileMatch(text, expect.ModeFailProof)
	if err != nil {
		c.faults.reportCompileError(node, text, "expected_response", err)
		return false
	}
	c.faults.warnAlwaysTrue(node.Pos, match)
	k.Expect = &expect.Expectation{Criteria: []*expect.Match{match}}
	return true
}
