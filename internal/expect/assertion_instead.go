package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// Advice for what assertions lack: disabled functions of Expr, and names and methods of JavaScript and other tools.
var (
	nameAdvice = text.ByName(map[string]string{
		"now|date|timezone|duration": "there is no clock, so that results do not depend on the day; put the date into vars",

		"repeat|fromPairs": "functions that build long texts are disabled; write out the text",
		"splitAfter":       "write split",
		"concat":           "write `+` for texts, and any(a, …) or any(b, …) for lists",
		"flatten":          "write any(lists, any(#, …))",
		"reduce":           "write sum, count, min, max, all or any",
		"groupBy":          "write count(list, …), or uniq(map(list, …))", "countBy": "write count(list, …)",
		"toJSON":   "compare the value itself: response.json.items == [1, 2]",
		"toPairs":  "write keys(…) or values(…)",
		"toBase64": "compare the text itself", "fromBase64": "compare the text as it is encoded",
		"bitand|bitor|bitxor|bitnand|bitshl|bitshr|bitushr|bitnot": "there are no bits; compare the numbers",

		"output|answer|completion": "the answer is response.text", "text": "write response.text",
		"json": "write response.json", "JSON|fromJSON": "response.json is the answer as JSON",
		"context": "variables are vars.name", "env": "assertions cannot read the environment",
		"latency|latency_ms": "write response.latency_ms", "cost|cost_usd": "write response.cost_usd",
		"finish_reason": "write response.finish_reason",
		"icontains":     "write lower(response.text) contains 'word', or { icontains: word }",
		"includes":      "write response.text contains 'word'",
	})
	memberAdvice = map[string]string{
		"includes": "write text contains 'word'", "startsWith": "write text startsWith 'word'",
		"endsWith": "write text endsWith 'word'", "indexOf": "write indexOf(text, 'word')",
		"match": "write text matches 'pattern'", "test": "write text matches 'pattern'",
		"toLowerCase": "write lower(text)", "toUpperCase": "write upper(text)",
		"trim": "write trim(text)", "split": "write split(text, ',')", "length": "write len(…)",
		"latency": "write response.latency_ms", "cost": "write response.cost_usd",
		"finishReason": "write response.finish_reason", "output": "write response.text",
	}
)

var (
	unknownName   = regexp.MustCompile(`^unknown name (\S+)`)
	unknownMember = regexp.MustCompile(`has no (?:method|field) (\w+)`)
	operatorFirst = regexp.MustCompile(`unexpected token Operator\("(contains|matches|startsWith|endsWith)"\)`)
)

// addAdvice appends advice to the message of an error in an expression.
func addAdvice(fault string) string {
	advice := ""
	if m := unknownName.FindStringSubmatch(fault); m != nil {
		advice = nameAdvice[m[1]]
	} else if m := unknownMember.FindStringSubmatch(fault); m != nil {
		advice = memberAdvice[m[1]]
	} else if strings.Contains(fault, "invalid operation: in (mismatched types string and string)") {
		advice = "`in` looks for an item of a list; of a text write response.text contains 'word'"
	} else if m := operatorFirst.FindStringSubmatch(fault); m != nil {
		advice = m[1] + " stands between its sides: a " + m[1] + " 'b'"
	}
	if advice == "" {
		return fault
	}
	return fault + "; " + advice
}

var (
	misspelledName     = regexp.MustCompile(`^unknown name (\w+)$`)
	misspelledOperator = regexp.MustCompile(`unexpected token Identifier\("(\w+)"\)$`)
	misspelledField    = regexp.MustCompile(`has no field (\w+)$`)
)

// operators are the operators of Expr that are written as words.
var operators = []string{"contains", "startsWith", "endsWith", "matches", "and", "or", "not", "in"}

// responseFields are the fields of the variable response in an assertion.
var responseFields = []string{"text", "json", "length", "lines", "words", "latency_ms", "cost_usd",
	"finish_reason", "tool_calls"}

// addHint improves the message of an assertion's common errors: = for ==, an unclosed quote, or a misspelled name.
func addHint(source string, fault *CompileError) *CompileError {
	switch form, _, named := strings.Cut(source, ":"); {
	case named && slices.Contains(Forms, strings.TrimPrefix(strings.TrimSpace(form), "not_")):
		return faultf(0, "it is one by name, and in quotes as a whole; write { %s }",
			truncate(strings.TrimSpace(source), 60))
	case misspelledOperator.MatchString(fault.Message):
		name := misspelledOperator.FindStringSubmatch(fault.Message)[1]
		if like, ok := text.Suggest(name, operators); ok {
			fault.Message = fmt.Sprintf("unknown operator %s; did you mean `%s`?", name, like)
		}
	case strings.HasPrefix(fault.Message, "expected bool, but got "):
		fault.Message = "its result is not true or false; compare it, such as response.length < 600"
	case strings.Contains(fault.Message, `Operator("=")`):
		fault.Message = "= compares nothing; did you mean `==`?"
	case strings.Contains(fault.Message, "unexpected token EOF"):
		fault.Message = "it ends too early, something is missing behind this"
		if strings.TrimSpace(source) == "" {
			fault.Message = "it is empty"
		}
	case strings.HasSuffix(fault.Message, "literal not terminated"):
		if at, mark, ok := unclosedQuote(source); ok {
			return faultf(at, "the text that begins with %c here is not closed", mark)
		}
	case misspelledName.MatchString(fault.Message):
		known := slices.Concat([]string{"response", "vars"}, allowedBuiltins[:])
		if like, ok := text.Suggest(misspelledName.FindStringSubmatch(fault.Message)[1], known); ok {
			fault.Message += "; did you mean `" + like + "`?"
		} else {
			fault.Message += "; an assertion reads `response` and `vars`"
		}
	case misspelledField.MatchString(fault.Message):
		name := misspelledField.FindStringSubmatch(fault.Message)[1]
		fault.Message = fmt.Sprintf("response has no %s; it has %s", name, strings.Join(responseFields, ", "))
		if like, ok := text.Suggest(name, responseFields); ok {
			fault.Message = fmt.Sprintf("response has no %s; did you mean `%s`?", name, like)
		}
	}
	return fault
}

// quoted matches a text in quotes. Its group is the closing quote, if there is one.
var quoted = regexp.MustCompile("(?s)(?:\"(?:[^\"\\\\]|\\\\.)*|'(?:[^'\\\\]|\\\\.)*|`[^`]*)([\"'`])?")

// unclosedQuote returns the offset in runes of a quote that is never closed, and the quote.
func unclosedQuote(source string) (offset int, quote rune, found bool) {
	for _, at := range quoted.FindAllStringSubmatchIndex(source, -1) {
		if at[2] < 0 {
			return utf8.RuneCountInString(source[:at[0]]), rune(source[at[0]]), true
		}
	}
	return 0, 0, false
}
