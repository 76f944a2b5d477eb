package promptfoo

import (
	"errors"
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

func (t translator) call(s *syntax) (said, error) {
	of, args := s.args[0], s.args[1:]
	switch {
	case of.op == "name":
		return t.function(of.text, args)
	case of.op != "member":
		return said{}, errUnknown
	case of.args[0].op == "name" && oneOf(of.args[0].text, "JSON", "json") && oneOf(of.text, "parse", "loads") && len(args) == 1:
		return t.parsed(args[0])
	case of.args[0].op == "pattern" && of.text == "test" && len(args) == 1:
		return t.matched(args[0], of.args[0])
	case of.text == "match" && len(args) == 1 && args[0].op == "pattern":
		return t.matched(of.args[0], args[0])
	case of.args[0].op == "name" && of.args[0].text == "re" && of.text == "search" && len(args) == 2 && args[0].op == "text":
		return t.matched(args[1], &syntax{op: "pattern", text: "/" + args[0].text})
	case of.text == "get" && t.language == python && len(args) > 0 && args[0].op == "text" && varName.MatchString(args[0].text):
		return t.got(of.args[0], args)
	case oneOf(of.text, "some", "every", "filter") && len(args) == 1 && args[0].op == "function":
		return t.each(map[string]string{"some": "any", "every": "all", "filter": "filter"}[of.text], of.args[0], args[0])
	}
	return t.method(of, args)
}

// method is a call on a text.
func (t translator) method(of *syntax, args []*syntax) (said, error) {
	m, ok := methods[of.text]
	if !ok || len(args) != m.args {
		return said{}, errUnknown
	}
	inner, err := t.of(of.args[0])
	switch {
	case err != nil:
		return said{}, err
	case inner.kind == isList && of.text == "includes":
		part, err := t.of(args[0])
		return said{part.in(0) + " in " + inner.text, isBool, 1}, err
	case inner.kind != isText && inner.kind != isAny && inner.kind != isVar, t.tools && t.isOutput(of.args[0]):
		return said{}, errUnknown
	}
	out := said{strings.Replace(m.form, "$", inner.in(0), 1), m.kind, 0}
	if m.form == "$" {
		return inner, nil
	}
	if m.args == 0 {
		return out, nil
	}
	if args[0].op == "list" && oneOf(of.text, "endswith", "startswith") { // one of several
		return t.several(of, args[0].args)
	}
	part, err := t.of(args[0])
	if err != nil || part.kind == isNumber || part.kind == isBool || part.kind == isList {
		return said{}, errors.Join(err, errUnknown)
	}
	out.text = strings.Replace(m.form, "$", inner.in(0), 1)
	out.text = out.text[:strings.LastIndex(out.text, "#")] + part.in(0) + out.text[strings.LastIndex(out.text, "#")+1:]
	if m.kind == isBool {
		out.weak = 1
	}
	return out, nil
}

// several is a call with a tuple, of which one is enough.
func (t translator) several(of *syntax, args []*syntax) (out said, err error) {
	for i, arg := range args {
		one, err := t.method(of, []*syntax{arg})
		if err != nil {
			return said{}, err
		}
		if i == 0 {
			out = one
			continue
		}
		out = either(out, one)
	}
	if len(args) == 0 {
		return said{}, errUnknown
	}
	return out, nil
}

// parsed is a text read as JSON.
func (t translator) parsed(arg *syntax) (said, error) {
	if t.isOutput(arg) && !t.tools {
		return said{"response.json", isAny, 0}, nil
	}
	if t.tools && arg.op == "member" && arg.text == "arguments" {
		if call, err := t.of(arg.args[0]); err == nil && call.kind == isCall {
			return said{call.text + ".arguments", isAny, 0}, nil
		}
	}
	return said{}, errUnknown
}

func (t translator) matched(of, pattern *syntax) (said, error) {
	inner, err := t.of(of)
	if err != nil || inner.kind != isText && inner.kind != isVar && inner.kind != isAny || t.tools && t.isOutput(of) {
		return said{}, errors.Join(err, errUnknown)
	}
	flags, source, _ := strings.Cut(pattern.text, "/")
	source, err = re2(source, flags)
	return said{inner.in(0) + " matches " + exprText(source), isBool, 1}, err
}

// got is a value of an object, or what stands for one that it lacks.
func (t translator) got(of *syntax, args []*syntax) (said, error) {
	value, err := t.index(&syntax{op: "index", args: []*syntax{of, args[0]}})
	if err != nil || len(args) == 1 || value.kind != isAny {
		return value, err
	}
	instead, err := t.of(args[1])
	if err != nil || len(args) > 2 {
		return said{}, errUnknown
	}
	return said{"(" + value.text + " ?? " + instead.text + ")", isAny, 0}, nil
}

// each is any, all or filter over a list. Parameters do not nest: # would be another's.
func (t translator) each(name string, of, f *syntax) (said, error) {
	items, err := t.of(of)
	if err != nil || items.kind != isList && items.kind != isAny || len(t.here) > 0 {
		return said{}, errors.Join(err, errUnknown)
	}
	t.here = map[string]string{f.text: "#"}
	body, err := t.truth(f.args[0])
	if err != nil {
		return said{}, err
	}
	kind := isBool
	if name == "filter" {
		kind = isList
	}
	return said{name + "(" + items.text + ", " + body.text + ")", kind, 0}, nil
}

func (t translator) function(name string, args []*syntax) (said, error) {
	if len(args) != 1 {
		return said{}, errUnknown
	}
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
		if out, err := t.of(args[0]); err == nil && (out.kind == isText || out.kind == isVar) {
			return out, nil
		}
	}
	return said{}, errUnknown
}
