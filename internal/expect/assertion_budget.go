package expect

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
)

// Expr limits its memory in items, not bytes, and does not limit its time. A budget limits both for one evaluation.
// Each function pays before it runs for the bytes and values that it reads, and later for the text that it makes. A
// unit is about 16 ns.
const (
	budgetUnits = 1 << 26
	turnCost    = 64 // least cost of an iteration of a loop, so that at most a million iterations are allowed
	nodeCost    = 2  // per node of a loop's body
	valueCost   = 16 // per value, without its text
	keyCost     = 48 // per key of a map, including sorting, without the key itself
	textShare   = 4  // bytes of a text per unit

	stepsPerUnit = maxRegexWork / budgetUnits
	patternCost  = 256 // per instruction of a pattern that is compiled during the evaluation
	mostTrimmed  = 32  // most bytes of trim's second argument
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
	fnMade   = "pay for what was made"
	fnCutset = "pay for characters"
)

var payments = map[string]func(b *budget, value any) error{
	fnText:  (*budget).text,
	fnValue: func(b *budget, value any) error { return b.walk(value, 1) },
	fnList: func(b *budget, value any) error { // the operator `in` looks up a key in a map, but walks a list
		if k := reflect.ValueOf(value).Kind(); k == reflect.Map || k == reflect.Struct {
			return nil
		}
		return b.walk(value, 1)
	},
	fnSort: func(b *budget, value any) error {
		if v := reflect.ValueOf(value); v.Kind() == reflect.Slice {
			return b.walk(value, bits.Len(uint(v.Len())))
		}
		return nil
	},
	fnKey: func(b *budget, value any) error { return b.walk(value, bits.Len(conf.DefaultMemoryBudget)) },
	fnMade: func(b *budget, value any) error {
		switch v := value.(type) {
		case string:
			return b.spend(len(v))
		case []string:
			return b.spend(len(v) * valueCost)
		}
		return nil
	},
	fnCutset: func(_ *budget, value any) error {
		if text, ok := value.(string); ok && len(text) > mostTrimmed {
			return fmt.Errorf("trim takes at most %d bytes of characters, %d are given", mostTrimmed, len(text))
		}
		return nil
	},
}

// payment defines a function that pays for a value of any type and returns it.
func payment(name string, pay func(*budget, any) error) expr.Option {
	return func(c *conf.Config) {
		c.Functions[name] = &builtin.Function{
			Name:     name,
			Func:     func(params ...any) (any, error) { return params[1], pay(params[0].(*budget), params[1]) },
			Validate: func(arguments []reflect.Type) (reflect.Type, error) { return arguments[1], nil },
		}
	}
}

// text pays for reading a text. Any other value is free.
func (b *budget) text(value any) error {
	if text, ok := value.(string); ok {
		return b.spend(len(text) / textShare)
	}
	return nil
}

// walk pays the given number of times for a value and all values in it. A list that occurs twice counts twice, because
// comparing and printing walk it twice.
func (b *budget) walk(value any, times int) error {
	v := reflect.ValueOf(value)
	units := valueCost
	var errs error
	inside := func(parts ...reflect.Value) bool { // false if the budget is spent
		for _, part := range parts {
			errs = cmp.Or(errs, b.walk(part.Interface(), times))
		}
		return errs == nil
	}
	switch v.Kind() {
	case reflect.String:
		units += v.Len() / textShare
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

// pay wraps nodes so that evaluating them pays for their values. Literals, numbers and booleans are free.
func pay(name string, nodes ...*ast.Node) {
	for _, node := range nodes {
		if *node != nil && !isWritten(*node) && !isNumber(*node) && typeOf(*node).Kind() != reflect.Bool {
			patch(node, call(name, *node))
		}
	}
}

// isWritten reports whether the source bounds the size of a node's value, as of a literal, a range, a predicate, or a
// list of literals.
func isWritten(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.NilNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode,
		*ast.ConstantNode, *ast.PredicateNode:
		return true
	case *ast.BinaryNode:
		return n.Operator == ".." // Expr limits its items
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(item ast.Node) bool { return !isWritten(item) })
	}
	return false
}

// operator makes an operator pay for its operands. A comparison pays for one operand, because it costs no more than the
// smaller one.
func (s *survey) operator(node *ast.Node, n *ast.BinaryNode) {
	switch n.Operator {
	case "+":
		if !isNumber(n.Left) && !isNumber(n.Right) {
			patch(node, call(adding(n), n.Left, n.Right)) // which pays for the text that it makes
		}
	case "==", "!=", "<", ">", "<=", ">=":
		if !isWritten(n.Right) && !isNumber(n.Right) {
			pay(fnValue, &n.Left)
		}
	case "matches":
		if mayBeText(n.Left) && mayBeText(n.Right) {
			s.match(node, n)
			return
		}
		pay(fnText, &n.Left)
	case "contains":
		pay(fnText, &n.Left)
	case "startsWith", "endsWith":
		pay(fnText, &n.Right)
	case "in", "not in":
		pay(fnText, &n.Left)
		pay(fnList, &n.Right)
	}
}

// adding returns the name of the function that replaces a plus operator.
func adding(n *ast.BinaryNode) string {
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

// function makes a call pay for its arguments and for the text that it makes. Loops pay per iteration; see turn.
func (s *survey) function(node *ast.Node, name string, arguments []ast.Node) {
	payments, known := argumentPayments[name]
	if len(arguments) > 1 && !known {
		if loop, ok := arguments[1].(*ast.PredicateNode); ok {
			if name == "sortBy" {
				pay(fnKey, &loop.Node)
			}
			return
		}
	}
	for i := range arguments {
		switch {
		case !known:
			pay(fnValue, &arguments[i])
		case i < len(payments) && payments[i] != "":
			pay(payments[i], &arguments[i])
		}
	}
	if slices.Contains(textMakers, name) {
		patch(node, call(fnMade, *node))
	}
}

func calleeOf(n *ast.CallNode) string {
	callee, _ := n.Callee.(*ast.IdentifierNode)
	if callee == nil {
		return ""
	}
	return callee.Value
}
