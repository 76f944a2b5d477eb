package expect

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"regexp"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// Expr limits its memory in items, not bytes, and does not limit its time. A budget limits both for one evaluation.
// Each function pays for what it reads and then for the text that it makes. A unit is about 16 ns.
const (
	budgetUnits   = 1 << 26
	iterationCost = 64 // least cost of an iteration of a loop, so that at most a million iterations are allowed
	nodeCost      = 2  // per node of a loop's body
	valueCost     = 16 // per value, without its text
	keyCost       = 48 // per key of a map, including sorting, without the key itself
	bytesPerUnit  = 4  // bytes of a text per unit

	stepsPerUnit = maxRegexWork / budgetUnits
	patternCost  = 256 // per instruction of a pattern that is compiled during the evaluation
	maxTrimBytes = 32  // most bytes of trim's second argument
)

var errBudget = errors.New("it takes too much work; loops and texts in assertions are limited")

// budget is the work that one evaluation may still do.
type budget struct {
	units    int
	patterns map[string]*pattern // compiled ones, by source
}

func newBudget() *budget { return &budget{units: budgetUnits, patterns: map[string]*pattern{}} }

func (b *budget) spend(units int) error {
	if units < 0 || units > b.units {
		return errBudget
	}
	b.units -= units
	return nil
}

// Names of functions that pay for a value and return it. See payments.
const (
	fnText   = "pay for a text"
	fnValue  = "pay for a value"
	fnList   = "pay for a list"
	fnSort   = "pay for a sorted list"
	fnKey    = "pay for a sorted value"
	fnResult = "pay for what was made"
	fnCutset = "pay for characters"
)

var payments = map[string]func(b *budget, value any) error{
	fnText: func(b *budget, value any) error { // any other value is free
		if text, ok := value.(string); ok {
			return b.spend(len(text) / bytesPerUnit)
		}
		return nil
	},
	fnValue: func(b *budget, value any) error { return b.payValue(value, 1) },
	fnList: func(b *budget, value any) error { // the operator `in` looks up a key in a map, but walks a list
		if k := reflect.ValueOf(value).Kind(); k == reflect.Map || k == reflect.Struct {
			return nil
		}
		return b.payValue(value, 1)
	},
	fnSort: func(b *budget, value any) error {
		v := reflect.ValueOf(value)
		if v.Kind() != reflect.Slice { // Expr sorts it to an empty list
			return fmt.Errorf("expected a list, got %s", typeName(value))
		}
		return b.payValue(value, bits.Len(uint(v.Len())))
	},
	fnKey: func(b *budget, value any) error { return b.payValue(value, bits.Len(conf.DefaultMemoryBudget)) },
	fnResult: func(b *budget, value any) error {
		switch v := value.(type) {
		case string:
			return b.spend(len(v))
		case []string:
			return b.spend(len(v) * valueCost)
		}
		return nil
	},
	fnCutset: func(_ *budget, value any) error {
		if text, ok := value.(string); ok && len(text) > maxTrimBytes {
			return fmt.Errorf("trim takes at most %d bytes of characters, %d are given", maxTrimBytes, len(text))
		}
		return nil
	},
}

// paymentFunction defines a function that pays for a value of any type and returns it.
func paymentFunction(name string, pay func(*budget, any) error) expr.Option {
	return func(c *conf.Config) {
		c.Functions[name] = &builtin.Function{
			Name:     name,
			Func:     func(params ...any) (any, error) { return params[1], pay(params[0].(*budget), params[1]) },
			Validate: func(arguments []reflect.Type) (reflect.Type, error) { return arguments[1], nil },
		}
	}
}

// payValue pays the given number of times for a value and all values in it. A list that occurs twice counts twice,
// because comparing and printing walk it twice.
func (b *budget) payValue(value any, times int) error {
	v := reflect.ValueOf(value)
	units := valueCost
	var errs error
	inside := func(parts ...reflect.Value) bool { // false if the budget is spent
		for _, part := range parts {
			errs = cmp.Or(errs, b.payValue(part.Interface(), times))
		}
		return errs == nil
	}
	switch v.Kind() {
	case reflect.String:
		units += v.Len() / bytesPerUnit
	case reflect.Slice:
		for i := 0; i < v.Len() && inside(v.Index(i)); i++ {
		}
	case reflect.Map:
		units += v.Len() * keyCost
		for entry := v.MapRange(); entry.Next() && inside(entry.Key(), entry.Value()); {
		}
	case reflect.Struct:
		for i := 0; i < v.NumField() && inside(v.Field(i)); i++ {
		}
	}
	return cmp.Or(errs, b.spend(units*times))
}

// wrapPayment wraps nodes so that evaluating them pays for their values. Literals, numbers and booleans are free.
func wrapPayment(name string, nodes ...*ast.Node) {
	for _, node := range nodes {
		if *node != nil && !hasFixedSize(*node) && !isNumber(*node) && typeOf(*node).Kind() != reflect.Bool {
			patch(node, call(name, *node))
		}
	}
}

// hasFixedSize reports whether the source bounds the size of a node's value, as of a literal or a list of literals.
func hasFixedSize(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.NilNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode,
		*ast.ConstantNode, *ast.PredicateNode:
		return true
	case *ast.BinaryNode:
		return n.Operator == ".." // Expr limits its items
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(item ast.Node) bool { return !hasFixedSize(item) })
	}
	return false
}

// visitOperator makes an operator pay for its operands. A comparison costs no more than one of them.
func (s *exprVisitor) visitOperator(node *ast.Node, n *ast.BinaryNode) {
	switch n.Operator {
	case "+":
		if !isNumber(n.Left) && !isNumber(n.Right) {
			patch(node, call(addFunction(n), n.Left, n.Right)) // which pays for the text that it makes
		}
	case "==", "!=", "<", ">", "<=", ">=":
		if !hasFixedSize(n.Right) && !isNumber(n.Right) {
			wrapPayment(fnValue, &n.Left)
		}
	case "matches":
		if mayBeText(n.Left) && mayBeText(n.Right) {
			s.visitMatches(node, n)
			return
		}
		wrapPayment(fnText, &n.Left)
	case "contains":
		wrapPayment(fnText, &n.Left)
	case "startsWith", "endsWith":
		wrapPayment(fnText, &n.Right)
	case "in", "not in":
		wrapPayment(fnText, &n.Left)
		wrapPayment(fnList, &n.Right)
	}
}

// addFunction returns the name of the function that replaces a plus operator.
func addFunction(n *ast.BinaryNode) string {
	if typeOf(n.Left).Kind() == reflect.String && typeOf(n.Right).Kind() == reflect.String {
		return fnAddTexts
	}
	return fnAdd
}

// argumentPayments has the payment for each argument of a function; "" for a free one. Functions that are not listed
// pay for all values of their arguments.
var argumentPayments = map[string][]string{
	"len": {fnText}, "indexOf": {fnText}, "lastIndexOf": {fnText}, "int": {fnText}, "float": {fnText},
	"hasPrefix": {"", fnText}, "hasSuffix": {"", fnText}, "trimPrefix": {"", fnText}, "trimSuffix": {"", fnText},
	"trim": {fnText, fnCutset}, "get": {"", fnValue}, "sort": {fnSort},
	"type": {}, "abs": {}, "ceil": {}, "floor": {}, "round": {}, "first": {}, "last": {}, "take": {}, "reverse": {},
}

// textMakers are the functions that make a text. A call pays for that text too, from the budget of the evaluation.
var textMakers = []string{"lower", "upper", "replace", "split", "string", "join"}

// visitCall makes a call pay for its arguments and for the text that it makes. Loops pay by iterationPayment.
func (s *exprVisitor) visitCall(node *ast.Node, name string, arguments []ast.Node) {
	payments, known := argumentPayments[name]
	if len(arguments) > 1 && !known {
		if loop, ok := arguments[1].(*ast.PredicateNode); ok {
			if name == "sortBy" {
				wrapPayment(fnKey, &loop.Node)
			}
			return
		}
	}
	for i := range arguments {
		switch {
		case !known:
			wrapPayment(fnValue, &arguments[i])
		case i < len(payments) && payments[i] != "":
			wrapPayment(payments[i], &arguments[i])
		}
	}
	if slices.Contains(textMakers, name) {
		patch(node, call(fnResult, *node))
	}
}

func calleeOf(n *ast.CallNode) string {
	callee, _ := n.Callee.(*ast.IdentifierNode)
	if callee == nil {
		return ""
	}
	return callee.Value
}

// visitMatches replaces the matches operator by matchText. It leaves an invalid pattern to Expr, which rejects it.
func (s *exprVisitor) visitMatches(node *ast.Node, n *ast.BinaryNode) {
	right := n.Right
	if source, ok := right.(*ast.StringNode); ok {
		if _, err := regexp.Compile(source.Value); err != nil {
			return
		}
		p, err := compilePattern(source.Value)
		if err != nil {
			s.refuse(n.Right, err.Error())
			return
		}
		right = &ast.ConstantNode{Value: p}
	}
	patch(node, call(fnMatches, n.Left, right))
}

// mayBeText reports whether a node is a text or has an unknown type.
func mayBeText(n ast.Node) bool {
	k := typeOf(n).Kind()
	return k == reflect.String || k == reflect.Interface
}

// matchText is the matches operator with a limit on its work. As in Expr, nil on either side gives false.
func matchText(params ...any) (any, error) {
	if params[1] == nil || params[2] == nil {
		return false, nil
	}
	b := params[0].(*budget)
	text, ok := params[1].(string)
	p, compiled := params[2].(*pattern)
	if source, is := params[2].(string); is {
		var err error
		if p, err = b.pattern(source); err != nil {
			return nil, err
		}
	} else {
		ok = ok && compiled
	}
	if !ok {
		return nil, fmt.Errorf("matches is for texts, not for %s and %s", typeName(params[1]), typeName(params[2]))
	}
	if why := p.costFault(text); why != "" {
		return nil, errors.New(why)
	}
	if err := b.spend(p.size * len(text) / stepsPerUnit); err != nil {
		return nil, err
	}
	return p.re.MatchString(text), nil
}

// pattern returns a compiled pattern. Each pattern is compiled and paid for once.
func (b *budget) pattern(source string) (*pattern, error) {
	if p := b.patterns[source]; p != nil {
		return p, nil
	}
	p, err := compilePattern(source)
	if err != nil {
		return nil, err
	}
	b.patterns[source] = p
	return p, b.spend(p.size * patternCost)
}
