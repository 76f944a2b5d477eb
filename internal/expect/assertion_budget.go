package expect

import (
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

// Expr limits its memory by items, not bytes, and its time not at all. A budget limits both for one evaluation: each
// function pays for the bytes and values that it reads before it runs, and for the text that it makes. A unit is about
// 16 ns.
const (
	budgetUnits = 1 << 26
	turnCost    = 64 // of a turn of a loop, at least: a million are allowed
	nodeCost    = 2  // of each node of the loop's body
	valueCost   = 16 // of a value that is walked, beside its texts
	keyCost     = 64 // of a key of a map, which is put in its order
	textShare   = 4  // bytes of a text that are walked for a unit

	stepsPerUnit = maxRegexWork / budgetUnits
	patternCost  = 256 // of compiling a pattern, for each of its instructions
	mostTrimmed  = 32  // bytes of the characters that trim takes
)

var errBudget = errors.New("it takes too much work; loops and texts in assertions are limited")

// budget is what one evaluation may still spend.
type budget struct {
	units    int
	patterns map[string]*pattern // that were compiled
}

func newBudget() *budget { return &budget{units: budgetUnits, patterns: map[string]*pattern{}} }

func (b *budget) spend(units int) error {
	if units < 0 || units > b.units {
		return errBudget
	}
	b.units -= units
	return nil
}

// Names of the functions by which a value is paid for on its way. They return it.
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
	fnList: func(b *budget, value any) error { // a map is not walked where a list is
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
		if text, is := value.(string); is && len(text) > mostTrimmed {
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

// text pays for a text that is read; what is none costs nothing.
func (b *budget) text(value any) error {
	if text, is := value.(string); is {
		return b.spend(len(text) / textShare)
	}
	return nil
}

// walk pays, times times, for all values in a value. A list that is held twice counts twice, since it is compared and
// written out so.
func (b *budget) walk(value any, times int) error {
	switch v := value.(type) {
	case nil, bool, int, float64:
		return b.spend(valueCost * times)
	case string:
		return b.spend((valueCost + len(v)/textShare) * times)
	case []any:
		for _, item := range v {
			if err := b.walk(item, times); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, item := range v {
			if err := errors.Join(b.spend((keyCost+len(key)/textShare)*times), b.walk(item, times)); err != nil {
				return err
			}
		}
	default:
		return b.walkOther(reflect.ValueOf(value), times)
	}
	return b.spend(valueCost * times)
}

func (b *budget) walkOther(v reflect.Value, times int) error {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			if err := b.walk(v.Index(i).Interface(), times); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if err := errors.Join(b.spend(keyCost*times), b.walk(key.Interface(), times),
				b.walk(v.MapIndex(key).Interface(), times)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := b.walk(v.Field(i).Interface(), times); err != nil {
				return err
			}
		}
	}
	return b.spend(valueCost * times)
}

// pay wraps nodes so that their values are paid for when they are evaluated. Values that the source bounds are free.
func pay(name string, nodes ...*ast.Node) {
	for _, node := range nodes {
		if *node != nil && !isWritten(*node) && !isNumber(*node) && typeOf(*node).Kind() != reflect.Bool {
			patch(node, call(name, *node))
		}
	}
}

// isWritten reports a value that stands in the source, or a list of such.
func isWritten(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.NilNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode,
		*ast.ConstantNode, *ast.PredicateNode:
		return true
	case *ast.BinaryNode:
		return n.Operator == ".." // which Expr bounds by its items
	case *ast.ArrayNode:
		return !slices.ContainsFunc(n.Nodes, func(item ast.Node) bool { return !isWritten(item) })
	}
	return false
}

// operator makes an operator pay for its sides. Comparing costs no more than the smaller side.
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

// adding is the function that adds the sides of a plus.
func adding(n *ast.BinaryNode) string {
	if typeOf(n.Left).Kind() == reflect.String && typeOf(n.Right).Kind() == reflect.String {
		return fnAddTexts
	}
	return fnAdd
}

// argumentPayments say how functions pay for each argument; "" for one that costs nothing. Any other function pays for
// all values of its arguments.
var argumentPayments = map[string][]string{
	"len": {fnText}, "indexOf": {fnText}, "lastIndexOf": {fnText}, "int": {fnText}, "float": {fnText},
	"hasPrefix": {"", fnText}, "hasSuffix": {"", fnText}, "trimPrefix": {"", fnText}, "trimSuffix": {"", fnText},
	"trim": {fnText, fnCutset}, "get": {"", fnValue}, "sort": {fnSort},
	"type": {}, "abs": {}, "ceil": {}, "floor": {}, "round": {}, "first": {}, "last": {}, "take": {}, "reverse": {},
}

// textMakers are the functions that pay for the text that they make as well.
var textMakers = []string{"lower", "upper", "replace", "split", "string", "join"}

// function makes a function pay for its arguments and for the text that it makes. A loop pays for its turns.
func (s *survey) function(node *ast.Node, name string, arguments []ast.Node) {
	payments, known := argumentPayments[name]
	if len(arguments) > 1 && !known {
		if loop, is := arguments[1].(*ast.PredicateNode); is {
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
