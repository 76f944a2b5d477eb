package expect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
)

// maxAssertionBytes is the longest source of an assertion in bytes, and maxNodes the largest syntax tree.
const (
	maxAssertionBytes = 4 << 10
	maxNodes          = 1000
)

// assertName is the Name of an assertion: a named form such as contains, a script, or an expression.
const assertName = "assert"

// CompileAssertion compiles an expression in the Expr language, which reads
//
//	response.text           the answer
//	response.json           the answer read as JSON by the heuristics; nil if it is not JSON
//	response.length         its length in characters (runes)
//	response.lines          its number of lines
//	response.words          its number of words
//	response.tool_calls     its tool calls, each with name and arguments
//	response.latency_ms     the time it took, in milliseconds; nil if unknown
//	response.cost_usd       its cost; nil if unknown
//	response.finish_reason  the provider's finish reason; nil if unknown
//	vars                    the case's own variables, as texts
//
// CompileAssertion rejects unknown names, results that cannot be booleans, and functions of the language whose cost has
// no limit. The error is a *CompileError with the place in source.
func CompileAssertion(source string) (*Criterion, error) {
	x, err := compileExpression(assertionKind, source)
	if err != nil {
		return nil, err
	}
	return &Criterion{Name: assertName, Expected: source, AlwaysTrue: !x.readsResponse, Vars: x.vars,
		AllVars: x.dynamicVars > 0, condition: x.mismatch, requiresAbsence: x.requiresAbsence}, nil
}

// compileExpression compiles an expression with limits on its cost. The error is a *CompileError.
func compileExpression(kind exprKind, source string) (*expression, error) {
	switch {
	case len(source) > maxAssertionBytes:
		return nil, faultf(0, "%s of %d bytes; at most %d are allowed", kind.name, len(source), maxAssertionBytes)
	case strings.TrimSpace(source) == "":
		return nil, faultf(0, "invalid %s: it is empty", kind.name)
	}
	x := &expression{source: source}
	options := append(options(), kind.options...)
	program, err := expr.Compile(source, append(options, expr.Patch(x))...)
	if err == nil && x.fault == nil {
		_, err = expr.Compile(source, options...) // with a visitor, Expr checks no arguments of most calls
	}
	fault := x.fault
	if fault == nil && err != nil {
		fault = kind.clarify(source, exprFault(err))
	}
	if fault != nil {
		return nil, faultf(fault.Offset, "invalid %s: %s", kind.name, fault.Message)
	}
	x.program = program
	return x, nil
}

// exprFault returns an error of Expr with its place, and with advice on what to write instead.
func exprFault(err error) *CompileError {
	message, offset := err.Error(), 0
	if at, ok := errors.AsType[*file.Error](err); ok {
		message, offset = at.Message, at.From
	}
	return faultf(offset, "%s", addAdvice(oneLine(message)))
}

func oneLine(s string) string { return truncate(strings.Join(strings.Fields(s), " "), 200) }

type environment struct {
	Response response          `expr:"response"`
	Vars     map[string]string `expr:"vars"`
	Budget   *budget           `expr:"the budget"` // the space keeps expressions from naming it
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

// mismatch evaluates the expression of an assertion. It returns why the answer does not meet it, or "". expr.Run
// recovers panics, mostly an index out of range or a division by zero.
func (e *expression) mismatch(a *Answer) (why string) {
	for _, name := range e.vars {
		if _, ok := a.vars[name]; !ok {
			return notEvaluated(fmt.Sprintf("vars.%s is not defined", name))
		}
	}
	env := e.environment(a)
	result, err := expr.Run(e.program, env)
	unknown := e.unknownFieldMessage(env.Response)
	switch {
	case err != nil && unknown != "":
		return notEvaluated(unknown)
	case err != nil:
		return notEvaluated(exprFault(err).Message)
	case result == true:
		return ""
	case unknown != "":
		return "not true; " + unknown
	}
	return "not true"
}

// unknownFieldMessage returns a message about a part of the response that the assertion reads and that is unknown.
func (e *expression) unknownFieldMessage(r response) string {
	for _, field := range e.optionalFields {
		if map[string]any{"latency_ms": r.LatencyMS, "cost_usd": r.CostUSD, "finish_reason": r.Finish}[field] == nil {
			return "response." + field + " is not known of this answer"
		}
	}
	return ""
}

func notEvaluated(why string) string {
	return "could not be evaluated: " + why
}

func (e *expression) environment(a *Answer) environment {
	env := environment{Vars: a.vars, Budget: newBudget(), Response: a.response()}
	if strings.Contains(e.source, "json") {
		env.Response.JSON = a.exprJSONValue()
	}
	return env
}

// response returns the answer as expressions read it, without its JSON.
func (a *Answer) response() response {
	if a.exprResponse != nil {
		return *a.exprResponse
	}
	a.exprResponse = &response{
		Text:   a.Text,
		Length: utf8.RuneCountInString(a.Text),
		Lines:  len(slices.Collect(strings.Lines(a.Text))), // a line feed at the end begins no further line
		Words:  len(strings.Fields(a.Text)),
	}
	if a.LatencyMS != nil {
		a.exprResponse.LatencyMS = *a.LatencyMS
	}
	if a.CostUSD != nil {
		a.exprResponse.CostUSD = *a.CostUSD
	}
	if a.Finish != "" {
		a.exprResponse.Finish = a.Finish
	}
	for _, c := range a.toolCalls() {
		c.Arguments = plainNumbers(c.Arguments)
		a.exprResponse.Calls = append(a.exprResponse.Calls, c)
	}
	return *a.exprResponse
}

// exprJSONValue returns the answer's JSON for expressions, which share it because they cannot change it.
func (a *Answer) exprJSONValue() any {
	if a.exprJSON == nil {
		a.exprJSON = plainNumbers(a.json().value)
	}
	return a.exprJSON
}

// Extract is a compiled Expr expression that takes a value from an application's reply. It has the limits of an
// assertion and reads
//
//	response.json     the body
//	response.status   the HTTP status
//	response.headers  the headers, by their names in lower case
type Extract struct{ compiled *expression }

// Reply is an application's HTTP response.
type Reply struct {
	Body    []byte // JSON
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

// CompileExtract compiles an expression. It rejects unknown names and functions whose cost has no limit. The error is a
// *CompileError with the place in source.
func CompileExtract(source string) (*Extract, error) {
	x, err := compileExpression(extractKind, source)
	if err != nil {
		return nil, err
	}
	return &Extract{x}, nil
}

// String returns the expression as written; "" for nil.
func (e *Extract) String() string {
	if e == nil {
		return ""
	}
	return e.compiled.source
}

// Equal reports whether both expressions have the same text.
func (e *Extract) Equal(other *Extract) bool { return e.String() == other.String() }

// Eval returns the expression's value for a reply: nil, a text, a number, a boolean, a list or a map. A missing field
// is nil, and a field of a missing value is an error.
func (e *Extract) Eval(r Reply) (any, error) {
	body := strictJSON(string(r.Body))
	if body.fault != "" {
		return nil, errors.New(body.fault)
	}
	result, err := expr.Run(e.compiled.program, replyEnvironment{Budget: newBudget(),
		Response: replyParts{JSON: plainNumbers(body.value), Status: r.Status, Headers: r.Headers}})
	if err != nil {
		return nil, exprFault(err)
	}
	return result, nil
}
