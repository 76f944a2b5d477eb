package expect

import (
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// Names of the functions that the survey calls. They hold a space, so no expression can.
const (
	fnTurn     = "a turn"
	fnTextTurn = "a text turn"
	fnAdd      = "add values"
	fnAddTexts = "add texts"
	nameBudget = "the budget"
)

// survey walks an assertion before it is compiled: it notes what the assertion uses, refuses what has no bound, and puts
// the budget into loops and additions.
type survey struct {
	vars     []string
	whole    int      // how often vars stands there without a name that is written
	facts    []string // parts of response that may not be known
	negative bool
	answer   bool // it looks at the response
	fault    *CompileError
}

// Visit is called for every node, children first.
func (s *survey) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		s.member(n)
	case *ast.UnaryNode:
		s.negative = s.negative || n.Operator == "not" || n.Operator == "!"
	case *ast.BuiltinNode:
		s.negative = s.negative || n.Name == "none"
		if !slices.Contains(allowedBuiltins[:], n.Name) {
			s.refuse(n, instead("unknown name "+n.Name)) // Expr reads the loops among its functions even where they are disabled
		}
	case *ast.IdentifierNode:
		s.answer = s.answer || n.Value == "response"
		if n.Value == "vars" {
			s.whole++ // until the member that it is of has a name
		}
		if n.Value == "$env" {
			s.refuse(n, "unknown name $env")
		}
	case *ast.VariableDeclaratorNode:
		s.declaration(n)
	case *ast.PredicateNode:
		n.Node = &ast.SequenceNode{Nodes: []ast.Node{turn(n.Node), n.Node}}
	case *ast.BinaryNode:
		if n.Operator == "+" && !isNumber(n.Left) && !isNumber(n.Right) {
			ast.Patch(node, addition(n))
		}
	}
}

// refuse keeps the first fault in the order of the text.
func (s *survey) refuse(n ast.Node, message string) {
	if at := n.Location().From; s.fault == nil || at < s.fault.Offset {
		s.fault = faultf(at, "invalid assertion: %s", message)
	}
}

func (s *survey) member(n *ast.MemberNode) {
	object, ok := n.Node.(*ast.IdentifierNode)
	name, named := n.Property.(*ast.StringNode)
	switch {
	case !ok || !named:
	case object.Value == "vars":
		if s.whole--; !slices.Contains(s.vars, name.Value) {
			s.vars = append(s.vars, name.Value)
		}
	case object.Value == "response" && slices.Contains([]string{"latency_ms", "cost_usd", "finish_reason"}, name.Value):
		s.facts = append(s.facts, name.Value)
	}
}

// declaration allows `let` for plain values and for parts of the response. Lists built of named lists could double with
// every name, and a short assertion compare for ever.
func (s *survey) declaration(n *ast.VariableDeclaratorNode) {
	if !isScalar(n.Value) && !isPath(n.Value) {
		s.refuse(n.Value, "let may name a text, a number, a boolean or a part of the response")
	}
}

func isPath(n ast.Node) bool {
	for {
		switch inner := n.(type) {
		case *ast.MemberNode:
			n = inner.Node
		case *ast.ChainNode:
			n = inner.Node
		case *ast.IdentifierNode:
			return true
		default:
			return false
		}
	}
}

func isScalar(n ast.Node) bool {
	switch typeOf(n).Kind() {
	case reflect.String, reflect.Bool:
		return true
	}
	return isNumber(n)
}

func isNumber(n ast.Node) bool {
	switch k := typeOf(n).Kind(); {
	case k >= reflect.Int && k <= reflect.Uint64, k == reflect.Float32, k == reflect.Float64:
		return true
	}
	return false
}

// addition is a + b as a call that pays for the text it makes.
func addition(n *ast.BinaryNode) ast.Node {
	if typeOf(n.Left).Kind() == reflect.String && typeOf(n.Right).Kind() == reflect.String {
		return call(fnAddTexts, n.Left, n.Right)
	}
	return call(fnAdd, n.Left, n.Right)
}

// typeOf returns the type that the checker found; any if it found none.
func typeOf(n ast.Node) reflect.Type {
	if t := n.Type(); t != nil {
		return t
	}
	return reflect.TypeFor[any]()
}

// turn is the call that pays for one turn of a loop with this body.
func turn(body ast.Node) ast.Node {
	found := textWork(false)
	ast.Walk(&body, &found)
	if found {
		return call(fnTextTurn)
	}
	return call(fnTurn)
}

func call(name string, arguments ...ast.Node) ast.Node {
	budget := ast.Node(&ast.IdentifierNode{Value: nameBudget})
	return &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: append([]ast.Node{budget}, arguments...)}
}

// textWork is true once a node was seen that may walk or copy a text or list.
type textWork bool

func (w *textWork) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BuiltinNode:
		switch n.Name {
		case "len", "abs", "int", "float", "ceil", "floor", "round", "type":
		default:
			*w = true
		}
	case *ast.CallNode:
		switch callee, _ := n.Callee.(*ast.IdentifierNode); {
		case callee != nil && (callee.Value == fnTurn || callee.Value == fnAdd || callee.Value == fnAddTexts):
			// Additions pay for themselves.
		default:
			*w = true
		}
	case *ast.BinaryNode:
		switch n.Operator {
		case "matches", "contains", "in", "not in":
			*w = true
		}
	}
}
