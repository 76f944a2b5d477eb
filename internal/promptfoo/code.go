package promptfoo

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
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
	isCalls  = "calls"
	isCall   = "call"
)

// said is a piece of an expression of failproof's.
type said struct {
	text string
	kind string
	weak int // how loosely its outermost operator binds: 0 not at all, 1 comparisons and sums, 2 and, 3 or
}

func (s said) in(weak int) string {
	if s.weak > weak {
		return "(" + s.text + ")"
	}
	return s.text
}

// translator turns programs into expressions.
type translator struct {
	language language
	output   *said             // what `output` is; nil: the answer
	tools    bool              // the answer may be a call
	here     map[string]string // parameters, by name
}

var (
	errScore   = errors.New("it gives a score, and an assertion is true or false")
	errUnknown = errors.New("it uses what expressions do not have")
)

// condition translates a program that says whether an answer passes.
func (t translator) condition(code string) (string, error) {
	s, err := parseCode(code, t.language)
	if err != nil {
		return "", err
	}
	out, err := t.truth(s)
	if err != nil {
		return "", err
	}
	if out.text == "true" || out.text == "false" {
		return "", errors.New("it is the same for every answer")
	}
	if _, err := expect.CompileAssertion(out.text); err != nil {
		return "", fmt.Errorf("as an expression it would be `%s`, which does not hold: %w", out.text, err)
	}
	return out.text, nil
}

// value translates a program that gives a part of an answer.
func (t translator) value(code string) (said, error) {
	s, err := parseCode(code, t.language)
	if err != nil {
		return said{}, err
	}
	return t.of(s)
}

// truth translates what is taken for true or false.
func (t translator) truth(s *syntax) (said, error) {
	switch s.op {
	case "choose":
		return t.choice(s)
	case "not":
		return t.untruth(s.args[0])
	case "&&", "||":
		return t.joined(s, s.op == "&&", t.truth)
	case "number":
		if s.text == "1" || s.text == "0" {
			return said{map[string]string{"1": "true", "0": "false"}[s.text], isBool, 0}, nil
		}
		return said{}, errScore
	}
	out, err := t.of(s)
	switch {
	case err != nil || out.kind == isBool:
		return out, err
	case out.kind == isText || out.kind == isVar:
		return said{out.in(0) + ` != ""`, isBool, 1}, nil
	case out.kind == isNumber:
		return said{}, errScore
	}
	return said{}, errUnknown
}

// untruth translates what must not be true. It goes into what and, or and not join, so that what people read has few brackets.
func (t translator) untruth(s *syntax) (said, error) {
	switch s.op {
	case "not":
		return t.truth(s.args[0])
	case "&&", "||":
		return t.joined(s, s.op == "||", t.untruth)
	}
	out, err := t.truth(s)
	return negated(out), err
}

// joined is and, or or, of both parts.
func (t translator) joined(s *syntax, and bool, part func(*syntax) (said, error)) (said, error) {
	left, err := part(s.args[0])
	if err != nil {
		return said{}, err
	}
	right, err := part(s.args[1])
	if err != nil {
		return said{}, err
	}
	if and {
		return both(left, right), nil
	}
	return either(left, right), nil
}

func negated(s said) said {
	switch {
	case s.text == "true":
		return said{"false", isBool, 0}
	case s.text == "false":
		return said{"true", isBool, 0}
	}
	if whole, ok := strings.CutSuffix(s.text, ` != ""`); ok && s.weak == 1 {
		return said{whole + ` == ""`, isBool, 1}
	}
	return said{"not (" + s.text + ")", isBool, 0}
}

func both(a, b said) said {
	switch {
	case a.text == "true", b.text == "false":
		return b
	case b.text == "true", a.text == "false":
		return a
	}
	return said{a.in(2) + " and " + b.in(2), isBool, 2}
}

func either(a, b said) said {
	switch {
	case a.text == "false", b.text == "true":
		return b
	case b.text == "false", a.text == "true":
		return a
	}
	return said{a.in(3) + " or " + b.in(3), isBool, 3}
}

// choice is a condition and what holds in either case, most often true or false.
func (t translator) choice(s *syntax) (said, error) {
	when, err := t.truth(s.args[0])
	if err != nil {
		return said{}, err
	}
	unless, err := t.untruth(s.args[0])
	if err != nil {
		return said{}, err
	}
	then, err := t.truth(s.args[1])
	if err != nil {
		return said{}, err
	}
	otherwise, err := t.truth(s.args[2])
	if err != nil {
		return said{}, err
	}
	switch {
	case then.text == "true":
		return either(when, otherwise), nil
	case then.text == "false":
		return both(unless, otherwise), nil
	case otherwise.text == "false":
		return both(when, then), nil
	case otherwise.text == "true":
		return either(unless, then), nil
	}
	return said{when.in(0) + " ? " + then.in(0) + " : " + otherwise.in(0), isBool, 4}, nil
}

// of translates a value.
func (t translator) of(s *syntax) (said, error) {
	switch s.op {
	case "number":
		return said{s.text, isNumber, 0}, nil
	case "text":
		return said{exprText(s.text), isText, 0}, nil
	case "minus":
		if s.args[0].op == "number" {
			return said{"-" + s.args[0].text, isNumber, 0}, nil
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
		return t.list(s)
	case "not", "&&", "||", "choose":
		return t.truth(s)
	case "==", "!=", "<", ">", "<=", ">=":
		return t.compared(s)
	case "in", "not in":
		return t.within(s)
	case "+", "-", "*", "/":
		return t.sum(s)
	}
	return said{}, errUnknown
}

func (t translator) name(name string) (said, error) {
	if as, ok := t.here[name]; ok {
		return said{as, isText, 0}, nil
	}
	switch name {
	case "output":
		if t.output != nil {
			return *t.output, nil
		}
		return said{"response.text", isText, 0}, nil
	case "true", "True":
		return said{"true", isBool, 0}, nil
	case "false", "False":
		return said{"false", isBool, 0}, nil
	}
	return said{}, errUnknown
}

// isOutput reports the answer itself.
func (t translator) isOutput(s *syntax) bool {
	return s.op == "name" && s.text == "output" && t.output == nil
}

// isVars reports `context.vars`, or `vars`.
func isVars(s *syntax) bool {
	switch s.op {
	case "name":
		return s.text == "vars"
	case "member":
		return s.text == "vars" && s.args[0].op == "name" && s.args[0].text == "context"
	case "index":
		return s.args[1].op == "text" && s.args[1].text == "vars" && s.args[0].op == "name" && s.args[0].text == "context"
	}
	return false
}

func (t translator) member(s *syntax) (said, error) {
	of := s.args[0]
	switch {
	case isVars(of):
		return said{"vars." + s.text, isVar, 0}, nil
	case s.text == "length":
		return t.length(of)
	case t.isOutput(of) && !t.tools:
		return said{"response.json." + s.text, isAny, 0}, nil
	}
	inner, err := t.of(of)
	if err != nil {
		return said{}, err
	}
	switch {
	case inner.kind == isAny:
		return said{inner.in(0) + "." + s.text, isAny, 0}, nil
	case inner.kind == isCall && s.text == "function": // output[0].function
		return inner, nil
	case inner.kind == isCall && s.text == "name":
		return said{inner.text + ".name", isAny, 0}, nil
	}
	return said{}, errUnknown
}

func (t translator) length(of *syntax) (said, error) {
	if t.isOutput(of) && !t.tools {
		return said{"response.length", isNumber, 0}, nil
	}
	inner, err := t.of(of)
	if err == nil && t.isOutput(of) {
		return said{"len(response.tool_calls)", isNumber, 0}, nil
	}
	if err != nil || inner.kind == isNumber || inner.kind == isBool || inner.kind == isCall {
		return said{}, errors.Join(err, errUnknown)
	}
	return said{"len(" + inner.text + ")", isNumber, 0}, nil
}

func (t translator) index(s *syntax) (said, error) {
	of, at := s.args[0], s.args[1]
	switch {
	case isVars(of) && at.op == "text" && varName.MatchString(at.text):
		return said{"vars." + at.text, isVar, 0}, nil
	case t.isOutput(of) && t.tools && at.op == "number":
		return said{"response.tool_calls[" + at.text + "]", isCall, 0}, nil
	case at.op != "number" && (at.op != "text" || !varName.MatchString(at.text)):
		return said{}, errUnknown
	}
	inner := said{"response.json", isAny, 0}
	if !t.isOutput(of) {
		var err error
		if inner, err = t.of(of); err != nil {
			return said{}, err
		}
	}
	switch {
	case inner.kind == isAny && at.op == "text":
		return said{inner.in(0) + "." + at.text, isAny, 0}, nil
	case inner.kind == isAny, inner.kind == isList:
		return said{inner.in(0) + "[" + at.text + "]", isAny, 0}, nil
	}
	return said{}, errUnknown
}

func (t translator) list(s *syntax) (said, error) {
	var parts []string
	for _, item := range s.args {
		one, err := t.of(item)
		if err != nil {
			return said{}, err
		}
		parts = append(parts, one.text)
	}
	return said{"[" + strings.Join(parts, ", ") + "]", isList, 0}, nil
}

// exprText is a text as expressions write it.
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
