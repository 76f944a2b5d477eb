package expect

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"

	"github.com/expr-lang/expr/ast"
)

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
