package expect

import (
	"cmp"
	"errors"
	"fmt"
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
	patterns map[string]*pattern // that were compiled during the evaluation, by source
}

func newBudget() *budget { return &budget{budgetUnits, map[string]*pattern{}} }

func (b *budget) spend(units int) error {
	if units < 0 || units > b.units {
		return errBudget
	}
	b.units -= units
	return nil
}

// Names of functions that pay for a value and return it. See payments.
const (
	fnWalk   = "pay for a value"
	fnMake   = "pay for what was made"
	fnSort   = "pay for a sorted value"
	fnList   = "pay for a sorted list"
	fnCutset = "pay for characters"
)

// Costs of what a function does with a value, as multiples of walking it.
const (
	makeCost = bytesPerUnit // of making it: a unit for each byte
	sortCost = 20           // of sorting it among as many values as Expr's memory allows
)

var payments = map[string]func(b *budget, value any) error{
	fnWalk: func(b *budget, value any) error { return b.payValue(value, 1) },
	fnMake: func(b *budget, value any) error { return b.payValue(value, makeCost) },
	fnSort: func(b *budget, value any) error { return b.payValue(value, sortCost) },
	fnList: func(b *budget, value any) error {
		if reflect.ValueOf(value).Kind() != reflect.Slice { // Expr sorts it to an empty list
			return fmt.Errorf("expected a list, got %s", typeName(value))
		}
		return b.payValue(value, sortCost)
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
		for i := 0; i < v.NumField() && v.Type().Field(i).IsExported() && inside(v.Field(i)); i++ {
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

// visitOperator makes an operator pay for its operands. A comparison with a value of fixed size is free.
func (e *expression) visitOperator(node *ast.Node, n *ast.BinaryNode) {
	switch n.Operator {
	case "+":
		if !isNumber(n.Left) && !isNumber(n.Right) {
			patch(node, call(fnMake, *node))
		}
	case "matches":
		if mayBeText(n.Left) && mayBeText(n.Right) {
			e.visitMatches(node, n)
		}
	case "contains":
		wrapPayment(fnWalk, &n.Left)
	case "==", "!=", "<", ">", "<=", ">=", "startsWith", "endsWith", "in", "not in":
		if !hasFixedSize(n.Right) && !isNumber(n.Right) {
			wrapPayment(fnWalk, &n.Left, &n.Right)
		}
	}
}

// argumentPayments has the payments for the arguments of functions that do more than walk them.
var argumentPayments = map[string][]string{"sort": {fnList}, "trim": {fnWalk, fnCutset}}

// makers are the functions that make a text or a list of texts. A call pays for that too.
var makers = []string{"lower", "upper", "replace", "split", "string", "join"}

// visitCall makes a call pay for its arguments and for what it makes. Loops pay by iterationPayment.
func (e *expression) visitCall(node *ast.Node, name string, arguments []ast.Node) {
	for i := range arguments {
		loop, isLoop := arguments[i].(*ast.PredicateNode)
		switch payments := argumentPayments[name]; {
		case isLoop && name == "sortBy":
			wrapPayment(fnSort, &loop.Node)
		case i < len(payments):
			wrapPayment(payments[i], &arguments[i])
		case !isLoop && !slices.ContainsFunc(arguments, isPredicate):
			wrapPayment(fnWalk, &arguments[i])
		}
	}
	if slices.Contains(makers, name) {
		patch(node, call(fnMake, *node))
	}
}

func isPredicate(n ast.Node) bool {
	_, ok := n.(*ast.PredicateNode)
	return ok
}

// visitMatches replaces the matches operator by matchText, and a pattern in the source by the compiled one. It leaves
// an invalid pattern to Expr, which rejects it.
func (e *expression) visitMatches(node *ast.Node, n *ast.BinaryNode) {
	right := n.Right
	if source, ok := right.(*ast.StringNode); ok {
		if _, err := regexp.Compile(source.Value); err != nil {
			return
		}
		p, err := compilePattern(source.Value)
		if err != nil {
			e.refuse(right, err.Error())
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
	b, right := params[0].(*budget), params[2]
	p, isCompiled := right.(*pattern)
	if isCompiled {
		right = p.re.String()
	}
	text, ok := params[1].(string)
	source, ok2 := right.(string)
	if !ok || !ok2 {
		return nil, fmt.Errorf("matches is for texts, not for %s and %s", typeName(params[1]), typeName(right))
	}
	if !isCompiled {
		var err error
		if p, err = b.pattern(source); err != nil {
			return nil, err
		}
	}
	if why := p.costFault(text); why != "" {
		return nil, errors.New(why)
	}
	if err := b.spend(p.size * len(text) / stepsPerUnit); err != nil {
		return nil, err
	}
	return p.re.MatchString(text), nil
}

// pattern returns a compiled pattern that is not in the source. It is compiled and paid for once.
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
