package promptfoo

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/text"
)

// What a translated piece gives.
const (
	isText   = "text"
	isNumber = "number"
	isBool   = "bool"
	isList   = "list"
	isAny    = "any" // something in JSON
	isVar    = "var" // a variable: a text here, whatever it is there
	isCall   = "call"
)

// said is a piece of an expression of failproof's.
type said struct {
	text string
	kind string
	weak int // how loosely its outermost operator binds: 0 not at all, 1 comparisons and sums, 2 and, 3 or
}

// is reports a piece that gives one of these.
func (s said) is(kinds ...string) bool { return slices.Contains(kinds, s.kind) }

func (s said) in(weak int) string {
	if s.weak > weak {
		return "(" + s.text + ")"
	}
	return s.text
}

// translator turns programs into expressions.
type translator struct {
	language language
	output   *said    // what `output` is; nil: the answer
	called   []string // other names of output
	tools    bool     // the answer may be a call
	item     string   // the parameter of a function over a list; "" outside of one
}

// untranslated is why a program is not translated. Parser and translator panic with it wherever they are, and refused makes an error of it.
type untranslated string

func (r untranslated) Error() string { return string(r) }

const (
	errCode    untranslated = "it is more than an expression"
	errScore   untranslated = "it gives a score, and an assertion is true or false"
	errUnknown untranslated = "it uses what expressions do not have"
)

// require ends the translation of a program that is not as it has to be.
func require(ok bool, otherwise untranslated) {
	if !ok {
		panic(otherwise)
	}
}

// refused is deferred where a translation begins.
func refused(err *error) {
	switch v := recover().(type) {
	case nil:
	case untranslated:
		*err = v
	default:
		panic(v)
	}
}

// condition translates a program that says whether an answer passes.
func (t translator) condition(code string) (out string, err error) {
	defer refused(&err)
	out = t.truth(parseCode(code, t.language)).text
	if out == "true" || out == "false" {
		return "", untranslated("it is the same for every answer")
	}
	if _, err := expect.CompileAssertion(out); err != nil {
		return "", fmt.Errorf("as an expression it would be `%s`, which does not hold: %w", out, err)
	}
	return out, nil
}

// value translates a program that gives a part of an answer.
func (t translator) value(code string) (out said, err error) {
	defer refused(&err)
	return t.of(parseCode(code, t.language)), nil
}

// truth translates what is taken for true or false.
func (t translator) truth(s *syntax) said {
	switch s.op {
	case "choose":
		return t.choice(s)
	case "not":
		return t.untruth(s.args[0])
	case "&&":
		return both(t.truth(s.args[0]), t.truth(s.args[1]))
	case "||":
		return either(t.truth(s.args[0]), t.truth(s.args[1]))
	case "number":
		if s.text == "1" || s.text == "0" {
			return said{strconv.FormatBool(s.text == "1"), isBool, 0}
		}
		panic(errScore)
	}
	switch out := t.of(s); out.kind {
	case isBool:
		return out
	case isText, isVar:
		return said{out.in(0) + ` != ""`, isBool, 1}
	case isNumber:
		panic(errScore)
	}
	panic(errUnknown)
}

// untruth translates what must not be true. It goes into what and, or and not join, so that what people read has few brackets.
func (t translator) untruth(s *syntax) said {
	switch s.op {
	case "not":
		return t.truth(s.args[0])
	case "&&":
		return either(t.untruth(s.args[0]), t.untruth(s.args[1]))
	case "||":
		return both(t.untruth(s.args[0]), t.untruth(s.args[1]))
	}
	return negated(t.truth(s))
}

func negated(s said) said {
	whole, empty := strings.CutSuffix(s.text, ` != ""`)
	switch {
	case s.text == "true", s.text == "false":
		return said{strconv.FormatBool(s.text == "false"), isBool, 0}
	case empty && s.weak == 1:
		return said{whole + ` == ""`, isBool, 1}
	}
	return said{"not (" + s.text + ")", isBool, 0}
}

func both(a, b said) said   { return joined(a, b, "true", "false", " and ", 2) }
func either(a, b said) said { return joined(a, b, "false", "true", " or ", 3) }

// joined is a condition of two, of which one is left out where the other decides alone: beside idle, or where it is final itself.
func joined(a, b said, idle, final, operator string, weak int) said {
	switch {
	case a.text == idle, b.text == final:
		return b
	case b.text == idle, a.text == final:
		return a
	}
	return said{a.in(weak) + operator + b.in(weak), isBool, weak}
}

// choice is a condition and what holds in either case, most often true or false.
func (t translator) choice(s *syntax) said {
	when, unless := t.truth(s.args[0]), t.untruth(s.args[0])
	then, otherwise := t.truth(s.args[1]), t.truth(s.args[2])
	switch {
	case then.text == "true":
		return either(when, otherwise)
	case then.text == "false":
		return both(unless, otherwise)
	case otherwise.text == "false":
		return both(when, then)
	case otherwise.text == "true":
		return either(unless, then)
	}
	return said{when.in(0) + " ? " + then.in(0) + " : " + otherwise.in(0), isBool, 4}
}

func (t translator) of(s *syntax) said {
	switch s.op {
	case "number":
		return said{s.text, isNumber, 0}
	case "text":
		return said{exprText(s.text), isText, 0}
	case "minus":
		if s.args[0].op == "number" {
			return said{"-" + s.args[0].text, isNumber, 0}
		}
	case "name":
		return t.name(s.text)
	case "member":
		return t.member(s)
	case "index":
		return t.index(s)
	case "call":
		return t.call(s)
	case "list":
		var parts []string
		for _, item := range s.args {
			parts = append(parts, t.of(item).text)
		}
		return said{"[" + strings.Join(parts, ", ") + "]", isList, 0}
	case "not", "&&", "||", "choose":
		return t.truth(s)
	case "==", "!=", "<", ">", "<=", ">=":
		return t.compared(s)
	case "in", "not in":
		return t.within(s)
	case "+", "-", "*", "/":
		return t.sum(s)
	}
	panic(errUnknown)
}

func (t translator) name(name string) said {
	switch {
	case name == t.item:
		return said{"#", isText, 0}
	case t.output != nil && (name == "output" || slices.Contains(t.called, name)):
		return *t.output
	case name == "output":
		return said{"response.text", isText, 0}
	case oneOf(name, "true", "True", "false", "False"):
		return said{strings.ToLower(name), isBool, 0}
	}
	panic(errUnknown)
}

// isOutput reports the answer itself.
func (t translator) isOutput(s *syntax) bool {
	return s.op == "name" && s.text == "output" && t.output == nil
}

// isVars reports `context.vars`, or `vars`.
func isVars(s *syntax) bool {
	return s.text == "vars" && (s.op == "name" || s.op == "member" && s.args[0].op == "name" && s.args[0].text == "context")
}

func (t translator) member(s *syntax) said {
	of := s.args[0]
	switch {
	case isVars(of):
		return said{"vars." + s.text, isVar, 0}
	case s.text == "length" && t.language == javascript:
		return t.length(of)
	case t.isOutput(of) && !t.tools:
		return said{"response.json." + s.text, isAny, 0}
	}
	switch inner := t.of(of); {
	case inner.kind == isAny:
		return said{inner.in(0) + "." + s.text, isAny, 0}
	case inner.kind == isCall && s.text == "function": // output[0].function
		return inner
	case inner.kind == isCall && s.text == "name":
		return said{inner.text + ".name", isAny, 0}
	}
	panic(errUnknown)
}

func (t translator) length(of *syntax) said {
	switch {
	case t.isOutput(of) && t.tools:
		return said{"len(response.tool_calls)", isNumber, 0}
	case t.isOutput(of):
		return said{"response.length", isNumber, 0}
	}
	inner := t.of(of)
	require(!inner.is(isNumber, isBool, isCall), errUnknown)
	return said{"len(" + inner.text + ")", isNumber, 0}
}

// index is an item by its number; one by its name is a member.
func (t translator) index(s *syntax) said {
	of, at := s.args[0], s.args[1]
	require(at.op == "number", errUnknown)
	switch {
	case t.isOutput(of) && t.tools:
		return said{"response.tool_calls[" + at.text + "]", isCall, 0}
	case t.isOutput(of):
		return said{"response.json[" + at.text + "]", isAny, 0}
	}
	inner := t.of(of)
	require(inner.is(isAny, isList), errUnknown)
	return said{inner.in(0) + "[" + at.text + "]", isAny, 0}
}

func exprText(s string) string {
	if !strings.ContainsAny(s, "'\\\n\r\t") && text.PlainASCII(s) {
		return "'" + s + "'"
	}
	return string(text.AppendJSON(nil, s))
}

var unicodeEscape = regexp.MustCompile(`\\u([0-9a-fA-F]{4})`)

// re2 is a pattern of JavaScript's with its flags, as RE2 has it.
func re2(pattern, flags string) (string, error) {
	own := ""
	for _, f := range flags {
		switch {
		case strings.ContainsRune("ims", f):
			own += string(f)
		case !strings.ContainsRune("guy", f):
			return "", errUnknown
		}
	}
	pattern = unicodeEscape.ReplaceAllString(pattern, `\x{$1}`)
	if own != "" {
		pattern = "(?" + own + ")" + pattern
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return "", fmt.Errorf("the pattern is none of RE2: %w", err)
	}
	return pattern, nil
}

func oneOf(s string, all ...string) bool { return slices.Contains(all, s) }
