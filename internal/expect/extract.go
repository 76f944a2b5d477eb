package expect

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// Extract is one compiled expression of the Expr language that takes something out of what an application answered. It is bounded
// like an assertion, and sees
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

// CompileExtract compiles an expression. Unknown names, and what the language could do without bound, are faults. The error is a
// *CompileError with the place in source.
func CompileExtract(source string) (*Extract, error) {
	program, _, err := compileExpression("expression", source, expr.Env(replyEnvironment{}))
	if err != nil {
		return nil, faultf(err.Offset, "%s", strings.Replace(err.Message, "invalid assertion: ", "invalid expression: ", 1))
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

// Of is what the expression takes out of a reply: nil, a text, a number, a boolean, a list or a map. A field that is not there
// is nil, and one of what is not there an error.
func (x *Extract) Of(r Reply) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(r.Body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	result, err := expr.Run(x.program, replyEnvironment{
		Response: replyParts{JSON: plainNumbers(value), Status: r.Status, Headers: r.Headers}, Budget: newBudget(len(r.Body))})
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(exprFault(err).Message, "invalid assertion: "))
	}
	return result, nil
}
