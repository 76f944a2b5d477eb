package promptfoo

import (
	"fmt"
	"slices"
	"strings"
)

// language is one that assertions are written in.
type language int

const (
	javascript language = iota
	python
)

// syntax is a piece of a program: a number, a text, a name, or what is done with pieces.
type syntax struct {
	op   string // number, text, pattern, name, member, index, call, not, minus, typeof, list, object, function, choose, or a binary operator
	text string // of a number, text, name, member; of a pattern its flags behind a slash; of a function its parameter
	args []*syntax
}

// maxCode bounds what is read of a program, in bytes, and maxNested how deep.
const (
	maxCode   = 4 << 10
	maxNested = 40
)

type parser struct {
	tokens   []token
	at       int
	language language
	named    map[string]*syntax // values with a name
	depth    int
}

// parseCode reads an expression, or a few statements that end in one. It panics with an untranslated.
func parseCode(code string, l language) *syntax {
	require(len(code) <= maxCode, untranslated(fmt.Sprintf("it is longer than %d bytes", maxCode)))
	p := &parser{tokens: tokens(strings.TrimSpace(code), l), language: l, named: map[string]*syntax{}}
	s := p.program()
	p.lines()
	require(p.at >= len(p.tokens), errCode)
	return s
}

func (p *parser) lines() {
	for p.at < len(p.tokens) && (p.tokens[p.at].kind == "line" || p.tokens[p.at].text == ";" && p.tokens[p.at].kind == "op") {
		p.at++
	}
}

func (p *parser) peek() token {
	if p.at >= len(p.tokens) {
		return token{"end", ""}
	}
	return p.tokens[p.at]
}

// is reports that an operator or a word comes next, and takes it.
func (p *parser) is(text string) bool {
	t := p.peek()
	if t.text != text || t.kind != "op" && t.kind != "name" {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(text string) { require(p.is(text), errCode) }

// program is an expression; or names for values, an `if`, and what is returned.
func (p *parser) program() *syntax {
	p.lines()
	if p.language == javascript {
		if s := p.arrow(); s != nil {
			return s.args[0]
		}
		if p.is("const") || p.is("let") {
			name := p.peek()
			p.at++
			p.want("=")
			require(name.kind == "name", errCode)
			p.named[name.text] = p.expression()
			return p.program()
		}
		if p.is("if") {
			p.want("(")
			when := p.expression()
			p.want(")")
			then := p.branch()
			p.lines()
			if p.is("else") {
				return &syntax{op: "choose", args: []*syntax{when, then, p.branch()}}
			}
			return &syntax{op: "choose", args: []*syntax{when, then, p.program()}}
		}
	}
	p.is("return")
	return p.expression()
}

// branch is what an `if` returns.
func (p *parser) branch() *syntax {
	p.lines()
	braces := p.is("{")
	p.lines()
	p.want("return")
	s := p.expression()
	p.lines()
	if braces {
		p.want("}")
	}
	return s
}

// arrow is a function of one parameter whose value is an expression; nil if none comes next.
func (p *parser) arrow() *syntax {
	if p.language != javascript {
		return nil
	}
	at := p.at
	brackets := p.is("(")
	name := p.peek().text
	for p.at++; brackets && p.is(","); p.at++ {
	}
	if brackets && !p.is(")") || !p.is("=>") {
		p.at = at
		return nil
	}
	require(p.peek().text != "{", errCode)
	return &syntax{op: "function", text: name, args: []*syntax{p.expression()}}
}

// levels are the binary operators, from those that bind loosest.
var levels = map[language][][]string{
	javascript: {{"||", "??"}, {"&&"}, {"===", "!==", "==", "!="}, {"<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}},
	python:     {{"or"}, {"and"}, {"not"}, {"==", "!=", "<", ">", "<=", ">=", "in"}, {"+", "-"}, {"*", "/", "%"}},
}

// plainOperator are operators that say the same under another name.
var plainOperator = map[string]string{"===": "==", "!==": "!=", "or": "||", "and": "&&"}

func (p *parser) expression() *syntax {
	p.depth++
	require(p.depth <= maxNested, errCode)
	defer func() { p.depth-- }()
	s := p.binary(0)
	if p.language == javascript && p.is("?") {
		then := p.expression()
		p.want(":")
		return &syntax{op: "choose", args: []*syntax{s, then, p.expression()}}
	}
	return s
}

func (p *parser) binary(level int) *syntax {
	operators := levels[p.language]
	if level == len(operators) {
		return p.unary()
	}
	if p.language == python && operators[level][0] == "not" {
		if p.is("not") {
			return &syntax{op: "not", args: []*syntax{p.binary(level)}}
		}
		return p.binary(level + 1)
	}
	left := p.binary(level + 1)
	compares := 0
	for {
		op := p.operator(operators[level])
		if op == "" {
			return left
		}
		compares++
		require(p.language != python || level != 3 || compares == 1, errCode) // a < b < c
		left = &syntax{op: op, args: []*syntax{left, p.binary(level + 1)}}
	}
}

// operator takes one of these, where it comes next.
func (p *parser) operator(of []string) string {
	t := p.peek()
	if p.language == python && t.text == "not" && t.kind == "name" && slices.Contains(of, "in") {
		p.at++
		p.want("in")
		return "not in"
	}
	if t.kind != "op" && t.kind != "name" || !slices.Contains(of, t.text) {
		return ""
	}
	p.at++
	if plain, ok := plainOperator[t.text]; ok {
		return plain
	}
	return t.text
}

func (p *parser) unary() *syntax {
	switch {
	case p.language == javascript && p.is("!"):
		return &syntax{op: "not", args: []*syntax{p.unary()}}
	case p.is("-"):
		return &syntax{op: "minus", args: []*syntax{p.unary()}}
	case p.language == javascript && p.is("typeof"):
		return &syntax{op: "typeof", args: []*syntax{p.unary()}}
	}
	return p.postfix(p.primary())
}

func (p *parser) postfix(s *syntax) *syntax {
	for {
		switch {
		case p.is("."), p.is("?."):
			t := p.peek()
			require(t.kind == "name", errCode)
			p.at++
			s = &syntax{op: "member", text: t.text, args: []*syntax{s}}
		case p.is("["):
			at := p.expression()
			p.want("]")
			if s = (&syntax{op: "index", args: []*syntax{s, at}}); at.op == "text" && varName.MatchString(at.text) {
				s = &syntax{op: "member", text: at.text, args: s.args[:1]}
			}
		case p.is("("):
			s = &syntax{op: "call", args: append([]*syntax{s}, p.list(")")...)}
		default:
			return s
		}
	}
}

// list reads what stands between brackets.
func (p *parser) list(end string) (out []*syntax) {
	for !p.is(end) {
		s := p.arrow()
		if s == nil {
			s = p.expression()
		}
		if p.language == python && p.is("for") { // x in output for x in words
			name := p.peek().text
			p.at++
			p.want("in")
			s = &syntax{op: "function", text: name, args: []*syntax{s, p.expression()}}
		}
		if out = append(out, s); p.peek().text != end {
			p.want(",")
		}
	}
	return out
}

func (p *parser) primary() *syntax {
	t := p.peek()
	if p.at++; t.kind == "number" || t.kind == "text" || t.kind == "pattern" {
		return &syntax{op: t.kind, text: t.text}
	}
	switch {
	case t.kind == "name":
		if s, ok := p.named[t.text]; ok {
			return s
		}
		return &syntax{op: "name", text: t.text}
	case t.text == "(":
		s := p.expression()
		if p.language == python && p.is(",") { // a tuple
			return &syntax{op: "list", args: append([]*syntax{s}, p.list(")")...)}
		}
		p.want(")")
		return s
	case t.text == "[":
		return &syntax{op: "list", args: p.list("]")}
	case t.text == "{":
		return p.object()
	}
	panic(errCode)
}

// object is a result with `pass`; what else it says of itself is left.
func (p *parser) object() *syntax {
	var pass *syntax
	for !p.is("}") {
		key := p.peek()
		p.at++
		p.want(":")
		if value := p.expression(); key.text == "pass" {
			pass = value
		}
		if p.peek().text != "}" {
			p.want(",")
		}
	}
	require(pass != nil, errCode)
	return pass
}
