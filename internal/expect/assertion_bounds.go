package expect

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
	"github.com/expr-lang/expr/vm/runtime"
)

// Names of functions that exprVisitor inserts. They contain a space, so that no expression can name them.
const (
	fnIteration = "a turn"
	fnMatches   = "match"
	nameBudget  = "the budget"
)

// expression is a compiled expression and what it reads. It is an ast.Visitor: it visits the syntax tree before that is
// compiled, rejects what it cannot limit, and makes every loop, function and operator pay for its work.
type expression struct {
	source  string
	program *vm.Program

	vars            []string // variables read by name
	dynamicVars     int      // number of uses of vars without a literal name
	optionalFields  []string // parts of response that are read and may be unknown
	requiresAbsence bool
	readsResponse   bool
	fault           *CompileError
}

// Visit is called for every node, children first.
func (e *expression) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		e.visitMember(n)
		wrapPayment(fnWalk, &n.Property)
	case *ast.SliceNode:
		wrapPayment(fnWalk, &n.From, &n.To)
	case *ast.PairNode:
		wrapPayment(fnWalk, &n.Key)
	case *ast.CallNode:
		e.visitCall(node, n.Callee.String(), n.Arguments)
	case *ast.UnaryNode:
		e.requiresAbsence = e.requiresAbsence || n.Operator == "not" || n.Operator == "!"
	case *ast.BuiltinNode:
		e.requiresAbsence = e.requiresAbsence || n.Name == "none"
		if !slices.Contains(allowedBuiltins[:], n.Name) {
			// Expr parses its loop functions even if they are disabled
			e.refuse(n, addAdvice("unknown name "+n.Name))
		}
		e.visitCall(node, n.Name, n.Arguments)
	case *ast.IdentifierNode:
		e.visitIdentifier(n)
	case *ast.PredicateNode:
		n.Node = &ast.SequenceNode{Nodes: []ast.Node{iterationPayment(n.Node), n.Node}}
	case *ast.BinaryNode:
		e.visitOperator(node, n)
	}
}

func (e *expression) visitIdentifier(n *ast.IdentifierNode) {
	switch n.Value {
	case "response":
		e.readsResponse = true
	case "vars":
		e.dynamicVars++ // visitMember subtracts it again for a literal name
	case "$env":
		e.refuse(n, "unknown name $env")
	}
}

// refuse records an error. The first one in the text is kept.
func (e *expression) refuse(n ast.Node, message string) {
	if at := n.Location().From; e.fault == nil || at < e.fault.Offset {
		e.fault = faultf(at, "%s", message)
	}
}

func (e *expression) visitMember(n *ast.MemberNode) {
	object, ok := n.Node.(*ast.IdentifierNode)
	name, named := n.Property.(*ast.StringNode)
	switch {
	case !ok || !named:
	case object.Value == "vars":
		if e.dynamicVars--; !slices.Contains(e.vars, name.Value) {
			e.vars = append(e.vars, name.Value)
		}
	case object.Value == "response" && slices.Contains([]string{"latency_ms", "cost_usd", "finish_reason"}, name.Value):
		e.optionalFields = append(e.optionalFields, name.Value)
	}
}

func isNumber(n ast.Node) bool {
	k := typeOf(n).Kind()
	return k >= reflect.Int && k <= reflect.Uint64 || k == reflect.Float32 || k == reflect.Float64
}

// typeOf returns the type that the checker found; any if it found none.
func typeOf(n ast.Node) reflect.Type {
	if t := n.Type(); t != nil {
		return t
	}
	return reflect.TypeFor[any]()
}

// iterationPayment returns a call that pays for one iteration of a loop with this body.
func iterationPayment(body ast.Node) ast.Node {
	var nodes counter
	ast.Walk(&body, &nodes)
	return call(fnIteration, &ast.IntegerNode{Value: max(iterationCost, int(nodes)*nodeCost)})
}

// counter counts the nodes of a syntax tree. It is an ast.Visitor.
type counter int

func (c *counter) Visit(*ast.Node) { *c++ }

// patch replaces a node by another of the same type.
func patch(node *ast.Node, other ast.Node) {
	nature := *(*node).Nature()
	ast.Patch(node, other)
	other.SetNature(nature)
}

func call(name string, arguments ...ast.Node) ast.Node {
	return &ast.CallNode{Callee: &ast.IdentifierNode{Value: name},
		Arguments: append([]ast.Node{&ast.IdentifierNode{Value: nameBudget}}, arguments...)}
}

// allowedBuiltins are Expr's functions that assertions may use. Left out are functions of the clock (now, date,
// timezone) and functions with large results (repeat, reduce, concat, flatten, toJSON, …).
var allowedBuiltins = [...]string{
	"all", "none", "any", "one", "filter", "map", "find", "findIndex", "findLast", "findLastIndex",
	"count", "sum", "sortBy",
	"len", "type", "abs", "ceil", "floor", "round", "int", "float", "string", "trim", "trimPrefix",
	"trimSuffix", "upper", "lower",
	"indexOf", "lastIndexOf", "hasPrefix", "hasSuffix", "max", "min", "mean", "median", "first", "last", "get", "take",
	"reverse", "sort",
}

func options() []expr.Option {
	out := []expr.Option{
		expr.MaxNodes(maxNodes), expr.DisableAllBuiltins(),
		expr.Function(fnIteration, func(params ...any) (any, error) {
			return 0, params[0].(*budget).spend(params[1].(int))
		}, new(func(*budget, int) int)),
		expr.Function(fnMatches, matchText, new(func(*budget, any, any) bool)),
		expr.Function("keys", keysOf, new(func(any) []any)),
		expr.Function("values", valuesOf, new(func(any) []any)),
		expr.Function("uniq", uniqueOf, new(func(any) []any)),
		expr.Function("split", splitText, new(func(string, string) []string)),
		expr.Function("replace", replaceIn, new(func(string, string, string) string)),
		expr.Function("join", joinTexts, new(func([]any) string), new(func([]any, string) string),
			new(func([]string) string), new(func([]string, string) string)),
	}
	for _, name := range allowedBuiltins {
		out = append(out, expr.EnableBuiltin(name))
	}
	for name, pay := range payments {
		out = append(out, paymentFunction(name, pay))
	}
	return out
}

// keysOf returns the sorted keys of an object. Expr's own function returns them in random order.
func keysOf(params ...any) (any, error) {
	return entries(params[0], func(_, key reflect.Value) any { return key.String() })
}

func valuesOf(params ...any) (any, error) {
	return entries(params[0], func(object, key reflect.Value) any { return object.MapIndex(key).Interface() })
}

func entries(value any, get func(object, key reflect.Value) any) ([]any, error) {
	object := reflect.ValueOf(value)
	if object.Kind() != reflect.Map || object.Type().Key().Kind() != reflect.String {
		return nil, fmt.Errorf("expected an object, got %s", typeName(value))
	}
	keys := object.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	out := make([]any, len(keys))
	for i, key := range keys {
		out[i] = get(object, key)
	}
	return out, nil
}

// uniqueOf returns the distinct items of a list. It compares pairwise, so the length of the list is limited.
func uniqueOf(params ...any) (any, error) {
	list := reflect.ValueOf(params[0])
	if list.Kind() != reflect.Slice {
		return nil, fmt.Errorf("expected a list, got %s", typeName(params[0]))
	}
	if list.Len() > maxUniqueItems {
		return nil, errBudget
	}
	out := []any{}
	for i := range list.Len() {
		item := list.Index(i).Interface()
		if !slices.ContainsFunc(out, func(other any) bool { return runtime.Equal(other, item) }) {
			out = append(out, item)
		}
	}
	return out, nil
}

// Largest results of one call: a text in bytes, a list in items.
const (
	maxResultBytes = 16 << 20
	maxResultItems = 100_000
)

var (
	errResultTooLong = errors.New("the text it makes is too long")
	errTooManyItems  = fmt.Errorf("it splits a text into more than %d parts", maxResultItems)
)

func splitText(params ...any) (any, error) {
	parts := strings.SplitN(params[0].(string), params[1].(string), maxResultItems+1)
	if len(parts) > maxResultItems {
		return nil, errTooManyItems
	}
	return parts, nil
}

func replaceIn(params ...any) (any, error) {
	s, before, after := params[0].(string), params[1].(string), params[2].(string)
	if strings.Count(s, before) > (maxResultBytes-len(s))/max(1, len(after)) {
		return nil, errResultTooLong
	}
	return strings.ReplaceAll(s, before, after), nil
}

// joinTexts joins a list of texts, with an optional text between them.
func joinTexts(params ...any) (any, error) {
	glue := ""
	if len(params) == 2 {
		glue = params[1].(string)
	}
	list := reflect.ValueOf(params[0])
	if list.Kind() != reflect.Slice {
		return nil, fmt.Errorf("expected a list, got %s", typeName(params[0]))
	}
	var out strings.Builder
	for i := range list.Len() {
		item, ok := list.Index(i).Interface().(string)
		if !ok {
			return nil, fmt.Errorf("expected a list of texts, got %s in it", typeName(list.Index(i).Interface()))
		}
		if i > 0 {
			out.WriteString(glue)
		}
		if out.Len()+len(item)+len(glue) > maxResultBytes {
			return nil, errResultTooLong
		}
		out.WriteString(item)
	}
	return out.String(), nil
}

func typeName(v any) string {
	if v == nil {
		return "nothing"
	}
	return fmt.Sprintf("%T", v)
}

// plainNumbers copies a JSON value with numbers that Expr can compute with: int if they fit, else float64.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := strconv.Atoi(string(v)); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			return f
		}
		return string(v) // out of range: comparing it as a number is an error, not an infinity
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = plainNumbers(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainNumbers(item)
		}
		return out
	}
	return value
}
