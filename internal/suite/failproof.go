package suite

import (
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
)

// Largest lengths of ids, in bytes. The id of a suite becomes part of the path of a recording.
const (
	maxCaseID  = 128
	maxSuiteID = 1024
)

// The characters of an id. It does not begin with a mark.
const (
	idMarks      = "._-"
	idCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + idMarks
)

func validCaseID(id string) bool {
	return id != "" && len(id) <= maxCaseID && strings.IndexByte(idMarks, id[0]) < 0 &&
		strings.TrimLeft(id, idCharacters) == ""
}

// validSuiteID reports whether the parts of id, joined by '/', have the form of a case id.
func validSuiteID(id string) bool {
	for part := range strings.SplitSeq(id, "/") {
		if !validCaseID(part) {
			return false
		}
	}
	return len(id) <= maxSuiteID
}

// contractSchema is the schema of the lines of a file in the form of the FailProof data contract. Exporters write null
// for an absent field.
var contractSchema = schemaOf(`"items": {
	"type": "object", "additionalProperties": false, "required": ["case_id", "suite_id", "prompt"],
	"properties": {
		"case_id": { "$ref": "#/$defs/case_id_form" }, "suite_id": { "$ref": "#/$defs/suite_id_form" },
		"prompt": { "type": "string" },
		"prompt_vars": { "type": ["object", "null"], "additionalProperties": { "type": ["string", "number", "boolean"] } },
		"expected_response": { "type": ["string", "number", "boolean", "null"], "minLength": 1 },
		"expected_classification": { "enum": ["pass", "fail", null] },
		"tags": { "type": ["array", "null"], "items": { "type": "string" } }
	} }`)

// contractReader reads a file of JSON lines in the form of the FailProof data contract.
type contractReader struct {
	file   *file
	faults *diagnostics
	suites []*collector          // in the order of their first lines
	byID   map[string]*collector // by suite_id
}

// readLines returns the suites in a file of JSON lines, which has one case on each line. The lines with the same
// suite_id make one suite. The suites are in the order of their first lines.
func (f *file) readLines() (all []*Suite) {
	c := &contractReader{file: f, faults: f.faults, byID: map[string]*collector{}}
	schema, whole := contractSchema(), f.faults.text
	for line, n := range c.lines { // one at a time, because the tree of a line is large
		if !isPlainCase(n) {
			f.faults.Add(schema.Check(f.faults.Path, document.ListOf(document.Position{}, n))...)
		}
		f.faults.text = line
		c.readLine(n)
		f.faults.text = whole
	}
	if len(c.suites) == 0 && !f.faults.HasErrors() {
		f.faults.ErrorAt(document.Position{}, "no-cases", "the file has no case; write one JSON object a line")
	}
	for _, suite := range c.suites {
		all = append(all, suite.perTarget(true, nil)...)
	}
	return all
}

// isPlainCase reports whether a line surely fits the schema, as most do. The schema is not checked then, because that
// takes as long and as much memory as all the rest of reading a line.
func isPlainCase(line *document.Node) bool {
	for key, value := range line.Entries() {
		switch key.Text {
		case "case_id", "suite_id", "prompt", "expected_response":
			if value.AsText() == "" {
				return false
			}
		case "prompt_vars":
			for _, one := range value.Entries() {
				if one.Kind != document.String {
					return false
				}
			}
			if value.Kind != document.Map {
				return false
			}
		default:
			return false
		}
	}
	return line.Get("prompt") != nil && validCaseID(line.Get("case_id").AsText()) && validSuiteID(line.Get("suite_id").AsText())
}

// lines yields the lines of the file with their values. It leaves out those that have an earlier error. It reports an
// answer in place of a case once for the file.
func (c *contractReader) lines(yield func(sourceText, *document.Node) bool) {
	skipLines := map[int]bool{}
	for _, d := range c.file.earlierErrors {
		skipLines[d.Line] = true
	}
	text, hasBOM := strings.CutPrefix(c.faults.text.text, "\ufeff")
	if hasBOM {
		c.faults.WarnAt(document.Position{Line: 1, Column: 1}, "byte-order-mark", "the file begins with a byte order mark, which is ignored; save it as UTF-8 without one")
	}
	number, answers := 0, false
	for line := range strings.Lines(text) {
		if number++; strings.TrimSpace(line) == "" || skipLines[number] {
			continue
		}
		at := sourceText{strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), document.Position{Line: number, Column: 1}}
		n, ds := document.ParseJSON(c.faults.Path, at.text, at.start)
		c.faults.Add(ds...)
		switch isAnswer := value(n, "prompt") == nil && value(n, "raw_response") != nil; {
		case n == nil, isAnswer && answers:
		case isAnswer:
			answers = true
			c.faults.ErrorAt(n.Pos, "answers", "the line is an answer, and no case; take the file out of `suites`, such as with %s behind its patterns, or write it elsewhere",
				document.Quote("!"+c.faults.Path))
		default:
			if !yield(at, n) {
				return
			}
		}
	}
}

// readLine adds the case n, unless it lacks what a case needs, which the schema reports. It copies the texts that the
// case keeps, so that the text of the file does not stay in memory.
func (c *contractReader) readLine(n *document.Node) {
	id, suite, text := n.Get("case_id").AsText(), n.Get("suite_id").AsText(), n.Get("prompt")
	if !validCaseID(id) || !validSuiteID(suite) || text == nil || text.Kind != document.String {
		return
	}
	p := parsePrompt(c.faults, message{role: model.RoleUser, text: strings.Clone(text.Text), path: c.faults.Path, at: text.Pos})
	judging := Judging{Expect: emptyExpectation, Policies: c.file.loader.globalPolicies, Tags: texts(n.Get("tags").List()),
		AgreesWithFail: n.Get("expected_classification").AsText() == string(classify.Fail)}
	k := Case{ID: strings.Clone(id), Pos: n.Pos, Severity: risk.Medium, Body: &Body{Judging: judging}}
	checks := expectationContent{}
	if expected, _ := n.Get("expected_response").AsScalar(); expected != "" {
		expected = strings.Clone(expected)
		match, err := expect.CompileMatch(expected, expect.ModeFailProof)
		if err != nil {
			c.faults.reportCompileError(n.Get("expected_response"), expected, "expected_response", err)
			return
		}
		c.faults.warnAlwaysTrue(n.Get("expected_response").Pos, match)
		k.Expect = &expect.Expectation{Criteria: []*expect.Criterion{match}}
		checks.Criteria = []criterion{{match.EffectiveMode(), expected}}
	}
	to := c.byID[suite]
	if to == nil {
		suite = strings.Clone(suite) // does not keep the file's text in memory
		to = c.file.newCollector(&Suite{ID: suite, Path: c.faults.Path, Pos: n.Pos, Plan: score.Plan{Strategy: score.StrategyAccuracy}, Weight: 1,
			JSONLines: true}, nil)
		c.byID[suite], c.suites = to, append(c.suites, to)
	}
	vars := to.readVars(n.Get("prompt_vars"))
	for i, v := range vars {
		name := c.file.names.get(v.name, func() *string { return new(strings.Clone(v.name)) })
		vars[i] = variable{*name, strings.Clone(v.text)}
	}
	k.Vars = vars.texts()
	to.add(k, vars, p, checks)
}

// value returns the value of an optional field, or nil. It takes null for an absent field, because exporters write
// null.
func value(n *document.Node, key string) *document.Node {
	if v := n.Get(key); v != nil && v.Kind != document.Null {
		return v
	}
	return nil
}
