package promptfoo

import (
	"strconv"
	"strings"
)

// method are calls on a text that have a counterpart, by both languages' names.
var methods = map[string]struct {
	form string // with $ for the text, and # for what is given
	kind string
	args int
}{
	"includes": {"$ contains #", isBool, 1}, "startsWith": {"$ startsWith #", isBool, 1}, "endsWith": {"$ endsWith #", isBool, 1},
	"startswith": {"$ startsWith #", isBool, 1}, "endswith": {"$ endsWith #", isBool, 1},
	"toLowerCase": {"lower($)", isText, 0}, "toUpperCase": {"upper($)", isText, 0}, "trim": {"trim($)", isText, 0},
	"lower": {"lower($)", isText, 0}, "upper": {"upper($)", isText, 0}, "strip": {"trim($)", isText, 0}, "toString": {"$", isText, 0},
	"split": {"split($, #)", isList, 1},
}

func (t translator) call(s *syntax) said {
	of, args := s.args[0], s.args[1:]
	switch {
	case of.op == "name":
		return t.function(of.text, args)
	case of.op != "member":
		panic(errUnknown)
	case of.args[0].op == "name" && oneOf(of.args[0].text, "JSON", "json") && oneOf(of.text, "parse", "loads") && len(args) == 1:
		return t.parsed(args[0])
	case of.args[0].op == "pattern" && of.text == "test" && len(args) == 1:
		return t.matched(args[0], of.args[0])
	case of.text == "match" && len(args) == 1 && args[0].op == "pattern":
		return t.matched(of.args[0], args[0])
	case of.args[0].op == "name" && of.args[0].text == "re" && of.text == "search" && len(args) == 2 && args[0].op == "text":
		return t.matched(args[1], &syntax{op: "pattern", text: "/" + args[0].text})
	case of.text == "get" && t.language == python && (len(args) == 1 || len(args) == 2) && args[0].op == "text" && varName.MatchString(args[0].text):
		return t.got(of.args[0], args)
	case oneOf(of.text, "some", "every", "filter") && len(args) == 1 && args[0].op == "function":
		return t.each(map[string]string{"some": "any", "every": "all", "filter": "filter"}[of.text], of.args[0], args[0])
	}
	return t.method(of, args)
}

// method is a call on a text.
func (t translator) method(of *syntax, args []*syntax) said {
	m, ok := methods[of.text]
	require(ok && len(args) == m.args, errUnknown)
	inner := t.of(of.args[0])
	if inner.is(isList) && of.text == "includes" {
		return said{t.of(args[0]).in(0) + " in " + inner.text, isBool, 1}
	}
	require(inner.is(isText, isAny, isVar) && !(t.tools && t.isOutput(of.args[0])), errUnknown)
	if m.form == "$" {
		return inner
	}
	out := said{strings.Replace(m.form, "$", inner.in(0), 1), m.kind, 0}
	if m.args == 0 {
		return out
	}
	if args[0].op == "list" && oneOf(of.text, "endswith", "startswith") { // one of several
		any := said{"false", isBool, 0}
		for _, arg := range args[0].args {
			any = either(any, t.method(of, []*syntax{arg}))
		}
		return any
	}
	part := t.of(args[0])
	require(!part.is(isNumber, isBool, isList), errUnknown)
	hole := strings.LastIndex(out.text, "#")
	out.text = out.text[:hole] + part.in(0) + out.text[hole+1:]
	if m.kind == isBool {
		out.weak = 1
	}
	return out
}

// parsed is a text read as JSON.
func (t translator) parsed(arg *syntax) said {
	if t.isOutput(arg) && !t.tools {
		return said{"response.json", isAny, 0}
	}
	if t.tools && arg.op == "member" && arg.text == "arguments" {
		if call := t.of(arg.args[0]); call.kind == isCall {
			return said{call.text + ".arguments", isAny, 0}
		}
	}
	panic(errUnknown)
}

func (t translator) matched(of, pattern *syntax) said {
	inner := t.of(of)
	require(inner.is(isText, isAny, isVar) && !(t.tools && t.isOutput(of)), errUnknown)
	flags, source, _ := strings.Cut(pattern.text, "/")
	source, err := re2(source, flags)
	if err != nil {
		panic(untranslated(err.Error()))
	}
	return said{inner.in(0) + " matches " + exprText(source), isBool, 1}
}

// got is a value of an object, or what stands for one that it lacks.
func (t translator) got(of *syntax, args []*syntax) said {
	value := t.member(&syntax{op: "member", text: args[0].text, args: []*syntax{of}})
	if len(args) == 1 || value.kind != isAny {
		return value
	}
	return said{"(" + value.text + " ?? " + t.of(args[1]).text + ")", isAny, 0}
}

// each is any, all or filter over a list. Parameters do not nest: # would be another's.
func (t translator) each(name string, of, f *syntax) said {
	items := t.of(of)
	require(items.is(isList, isAny) && t.item == "", errUnknown)
	t.item = f.text
	kind := isBool
	if name == "filter" {
		kind = isList
	}
	return said{name + "(" + items.text + ", " + t.truth(f.args[0]).text + ")", kind, 0}
}

func (t translator) function(name string, args []*syntax) said {
	require(len(args) == 1, errUnknown)
	switch name {
	case "len":
		return t.length(args[0])
	case "Boolean", "bool":
		return t.truth(args[0])
	case "any", "all":
		if f := args[0]; f.op == "function" && len(f.args) == 2 {
			return t.each(name, f.args[1], f)
		}
	case "str", "String":
		if out := t.of(args[0]); out.is(isText, isVar) {
			return out
		}
	}
	panic(errUnknown)
}

// kindName is what `typeof` says.
var kindName = map[string]string{isText: "string", isVar: "string", isNumber: "number", isBool: "boolean"}

func (t translator) compared(s *syntax) said {
	if s.args[0].op == "typeof" && s.args[1].op == "text" {
		require(kindName[t.of(s.args[0].args[0]).kind] == s.args[1].text && oneOf(s.op, "==", "!="), errUnknown)
		return said{strconv.FormatBool(s.op == "=="), isBool, 0}
	}
	left, right := t.of(s.args[0]), t.of(s.args[1])
	left, right = asNumber(left, right), asNumber(right, left)
	for _, side := range []said{left, right} {
		require(!side.is(isList, isCall) && (!side.is(isBool) || oneOf(s.op, "==", "!=")), errUnknown)
	}
	require(left.kind == right.kind || left.is(isAny, isVar) || right.is(isAny, isVar), errUnknown)
	return said{left.in(0) + " " + s.op + " " + right.in(0), isBool, 1}
}

// asNumber is a variable that is compared with a number.
func asNumber(s, with said) said {
	if s.kind == isVar && with.kind == isNumber {
		return said{"float(" + s.text + ")", isNumber, 0}
	}
	return s
}

// within is `in` of Python.
func (t translator) within(s *syntax) (out said) {
	part, of := t.of(s.args[0]), t.of(s.args[1])
	switch {
	case of.kind == isList:
		out = said{part.in(0) + " in " + of.text, isBool, 1}
	case of.is(isText, isVar) && part.is(isText, isVar):
		out = said{of.in(0) + " contains " + part.in(0), isBool, 1}
	default:
		panic(errUnknown)
	}
	if s.op == "not in" {
		return negated(out)
	}
	return out
}

func (t translator) sum(s *syntax) said {
	left, right := t.of(s.args[0]), t.of(s.args[1])
	require(left.is(isNumber) && right.is(isNumber), errUnknown)
	return said{left.in(0) + " " + s.op + " " + right.in(0), isNumber, 1}
}
