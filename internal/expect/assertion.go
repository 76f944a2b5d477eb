package expect

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// maxAssertion bounds the source of an assertion, in bytes, and maxNodes its syntax tree.
const (
	maxAssertion = 4 << 10
	maxNodes     = 1000
)

// Assertion is a condition that must hold of an answer: a form that has a name, a script, or an expression of the
// Expr language, which sees
//
//	response.text           the answer
//	response.json           the answer read as JSON by the heuristics, nil if it is none
//	response.length         its length in characters (runes)
//	response.lines          how many lines it has
//	response.words          how many words it has
//	response.tool_calls     the tools that it calls, each with name and arguments
//	response.latency_ms     how long it took, in milliseconds
//	response.cost_usd       what it cost
//	response.finish_reason  why it ends, as the provider wrote it
//	vars                    the case's own variables, as texts
//
// The three before vars are nil where they are not known of an answer.
type Assertion struct {
	source   string
	form     judge // of a form; nil: it is an expression or a script
	script   *Script
	always   bool // a form that every answer meets
	program  *vm.Program
	vars     []string // names it takes from vars, in the order of the text
	allVars  bool     // it takes others too, by names that are not written there
	facts    []string // the parts of response that may not be known, which it takes
	negative bool     // it demands that something is absent
	pattern  *pattern // of the form regex
	readsDoc bool     // it looks at response.json
}

// CompileAssertion compiles an assertion. Unknown names, a result that cannot be a boolean, and what the language could
// do without bound are faults. The error is a *CompileError with the place in source.
func CompileAssertion(source string) (*Assertion, error) {
	program, survey, err := compileExpression("assertion", source, hinted, expr.Env(environment{}), expr.AsBool())
	if err != nil {
		return nil, err
	}
	return &Assertion{
		source: source, program: program,
		vars: survey.vars, allVars: survey.whole > 0, facts: survey.facts, negative: survey.negative,
		readsDoc: strings.Contains(source, "json"),
		always:   !survey.answer,
	}, nil
}

// invalid names what a fault of an expression makes invalid.
func invalid(what string, fault *CompileError) *CompileError {
	return faultf(fault.Offset, "invalid %s: %s", what, fault.Message)
}

// compileExpression compiles an expression with its bounds. what names it in an error, and hint adds advice to an error
// of the language. The error is a *CompileError.
func compileExpression(what, source string, hint func(string, *CompileError) *CompileError,
	more ...expr.Option) (*vm.Program, *survey, error) {
	switch {
	case len(source) > maxAssertion:
		return nil, nil, faultf(0, "%s of %d bytes; at most %d are allowed", what, len(source), maxAssertion)
	case !utf8.ValidString(source):
		return nil, nil, faultf(0, "%s is not valid UTF-8", what)
	}
	s := &survey{what: what}
	program, err := expr.Compile(source, append(options(s), more...)...)
	switch {
	case s.fault != nil:
		return nil, nil, s.fault
	case err != nil:
		return nil, nil, invalid(what, hint(source, exprFault(err)))
	}
	return program, s, nil
}

func exprFault(err error) *CompileError {
	offset := 0
	if at, is := errors.AsType[*file.Error](err); is {
		offset = at.From
	}
	return faultf(offset, "%s", exprWords(err))
}

// exprWords says what is wrong with an expression, and what to write instead.
func exprWords(err error) string {
	message := err.Error()
	if at, is := errors.AsType[*file.Error](err); is {
		message = at.Message
	}
	return instead(oneLine(message))
}

func oneLine(s string) string { return cut(strings.Join(strings.Fields(s), " "), 200) }

// Vars returns the names that the assertion takes from vars, in the order of its text, so that an undefined one is
// reported before anything is asked.
func (as *Assertion) Vars() []string { return as.vars }

// AllVars reports an assertion that may take any of vars, as vars[response.text] and len(vars) do.
func (as *Assertion) AllVars() bool { return as.allVars }

type environment struct {
	Response response          `expr:"response"`
	Vars     map[string]string `expr:"vars"`
	Budget   *budget           `expr:"the budget"` // no name that can be written in an expression
}

type response struct {
	Text   string     `expr:"text"`
	JSON   any        `expr:"json"`
	Length int        `expr:"length"`
	Lines  int        `expr:"lines"`
	Words  int        `expr:"words"`
	Calls  []toolCall `expr:"tool_calls"`

	LatencyMS any `expr:"latency_ms"`
	CostUSD   any `expr:"cost_usd"`
	Finish    any `expr:"finish_reason"`
}

// judge says why the assertion does not hold of an answer; "" if it does.
func (as *Assertion) judge(a *Answer, vars map[string]string) (why string) {
	switch {
	case as.form != nil:
		why = as.form(a)
	case as.script != nil:
		why = as.judgeScript(a, vars)
	default:
		why = as.evaluate(a, vars)
	}
	if why == "" && a.Truncated && as.negative {
		why = "the answer is truncated at its length limit, so the missing text may contain it"
	}
	return why
}

// evaluate returns "" if the assertion holds for the answer, and why not otherwise. The machine recovers its own
// panics, mostly an index out of range or a division by zero in the assertion.
func (as *Assertion) evaluate(a *Answer, vars map[string]string) (why string) {
	for _, name := range as.vars {
		if _, ok := vars[name]; !ok {
			return couldNot(fmt.Sprintf("vars.%s is not defined", name))
		}
	}
	env := as.environment(a, vars)
	result, err := expr.Run(as.program, env)
	if err != nil {
		if unknown := as.unknown(env.Response); unknown != "" {
			return couldNot(unknown)
		}
		return couldNot(exprWords(err))
	}
	switch result {
	case true:
		return ""
	case false:
		if unknown := as.unknown(env.Response); unknown != "" {
			return "not true; " + unknown
		}
		return "not true"
	}
	return couldNot(fmt.Sprintf("the result is %T, neither true nor false", result))
}

// unknown names the part of the response that the assertion needs and that is not known; "" for none.
func (as *Assertion) unknown(r response) string {
	for _, fact := range as.facts {
		if map[string]any{"latency_ms": r.LatencyMS, "cost_usd": r.CostUSD, "finish_reason": r.Finish}[fact] == nil {
			return "response." + fact + " is not known of this answer"
		}
	}
	return ""
}

func couldNot(why string) string {
	return "could not be evaluated: " + why
}

func (as *Assertion) environment(a *Answer, vars map[string]string) environment {
	env := environment{Vars: vars, Budget: newBudget(), Response: a.response()}
	if as.readsDoc {
		env.Response.JSON = a.document()
	}
	return env
}

// response is what expressions see of the answer, but for its JSON; made once.
func (a *Answer) response() response {
	if a.forExpr != nil {
		return *a.forExpr
	}
	a.forExpr = &response{
		Text:   a.Text,
		Length: utf8.RuneCountInString(a.Text),
		Lines:  countLines(a.Text),
		Words:  countWords(a.Text),
	}
	if a.LatencyMS != nil {
		a.forExpr.LatencyMS = *a.LatencyMS
	}
	if a.CostUSD != nil {
		a.forExpr.CostUSD = *a.CostUSD
	}
	if a.Finish != "" {
		a.forExpr.Finish = a.Finish
	}
	for _, c := range a.calls() {
		c.Arguments = plainNumbers(c.Arguments)
		a.forExpr.Calls = append(a.forExpr.Calls, c)
	}
	return *a.forExpr
}

// document returns the answer's JSON for expressions. It is made once, since none of them changes it.
func (a *Answer) document() any {
	if a.jsonForExpr == nil {
		a.jsonForExpr = plainNumbers(a.json().value)
	}
	return a.jsonForExpr
}

// countLines counts lines; a line feed at the end begins no further one.
func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func countWords(text string) int {
	n := 0
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

// Extract is one compiled expression of the Expr language that takes something out of what an application answered.
// It is bounded like an assertion, and sees
//
//	response.json     the body
//	response.status   the status of HTTP
//	response.headers  the headers, by their names in lower case
type Extract struct {
	source  string
	program *vm.Program
}

// Reply is what an application answered.
type Reply struct {
	Body    []byte // sound JSON
	Status  int
	Headers map[string]string // by their names in lower case
}

type replyEnvironment struct {
	Response replyParts `expr:"response"`
	Budget   *budget    `expr:"the budget"`
}

type replyParts struct {
	JSON    any               `expr:"json"`
	Status  int               `expr:"status"`
	Headers map[string]string `expr:"headers"`
}

// CompileExtract compiles an expression. Unknown names, and what the language could do without bound, are faults. The
// error is a *CompileError with the place in source.
func CompileExtract(source string) (*Extract, error) {
	unhinted := func(_ string, fault *CompileError) *CompileError { return fault }
	program, _, err := compileExpression("expression", source, unhinted, expr.Env(replyEnvironment{}))
	if err != nil {
		return nil, err
	}
	return &Extract{source: source, program: program}, nil
}

// String is the expression as it is written.
func (x *Extract) String() string {
	if x == nil {
		return ""
	}
	return x.source
}

// Equal reports the same expression.
func (x *Extract) Equal(other *Extract) bool { return x.String() == other.String() }

// Of returns the value that the expression takes out of a reply: nil, a text, a number, a boolean, a list or a map. A
// missing field is nil, and a field of a missing value is an error.
func (x *Extract) Of(r Reply) (any, error) {
	body := strictJSON(string(r.Body))
	if body.fault != "" {
		return nil, errors.New(body.fault)
	}
	result, err := expr.Run(x.program, replyEnvironment{
		Response: replyParts{JSON: plainNumbers(body.value), Status: r.Status, Headers: r.Headers},
		Budget:   newBudget()})
	if err != nil {
		return nil, errors.New(exprWords(err))
	}
	return result, nil
}
