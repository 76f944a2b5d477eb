package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/text"
)

var (
	misspeltName  = regexp.MustCompile(`^invalid assertion: unknown name (\w+)$`)
	misspeltField = regexp.MustCompile(`has no field (\w+)$`)
)

// namesKnown are what an assertion may begin with besides the functions of the language.
var namesKnown = []string{"response", "vars"}

// fieldsKnown are the parts of a response.
var fieldsKnown = []string{"text", "json", "length", "lines", "words", "latency_ms", "cost_usd", "finish_reason", "tool_calls"}

// hinted says what was meant, where a fault of an assertion is one that people make: = for ==, a quote that is not closed, a name that is
// misspelt.
func hinted(source string, fault *CompileError) *CompileError {
	switch {
	case strings.Contains(fault.Message, `Operator("=")`):
		fault.Message = "invalid assertion: = compares nothing; did you mean `==`?"
	case strings.Contains(fault.Message, "unexpected token EOF"):
		fault.Message = "invalid assertion: it ends too early, something is missing behind this"
		if strings.TrimSpace(source) == "" {
			fault.Message = "invalid assertion: it is empty"
		}
	case strings.HasSuffix(fault.Message, "literal not terminated"):
		if at, mark, ok := unclosed(source); ok {
			return faultf(at, "invalid assertion: the text that begins with %c here is not closed", mark)
		}
	case misspeltName.MatchString(fault.Message):
		name := misspeltName.FindStringSubmatch(fault.Message)[1]
		if like, ok := text.Suggest(name, slices.Concat(namesKnown, allowedBuiltins[:])); ok {
			fault.Message += "; did you mean `" + like + "`?"
		} else {
			fault.Message += "; an assertion reads `response` and `vars`"
		}
	case misspeltField.MatchString(fault.Message):
		name := misspeltField.FindStringSubmatch(fault.Message)[1]
		fault.Message = fmt.Sprintf("invalid assertion: response has no %s; it has %s", name, strings.Join(fieldsKnown, ", "))
		if like, ok := text.Suggest(name, fieldsKnown); ok {
			fault.Message = fmt.Sprintf("invalid assertion: response has no %s; did you mean `%s`?", name, like)
		}
	}
	return fault
}

// unclosed finds the quote that opens the last text of an expression, in runes, where nothing closes it.
func unclosed(source string) (at int, mark rune, found bool) {
	escaped := false
	for i, r := range []rune(source) {
		switch {
		case escaped:
			escaped = false
		case mark != 0 && r == '\\' && mark != '`':
			escaped = true
		case mark == 0 && (r == '"' || r == '\'' || r == '`'):
			at, mark = i, r
		case r == mark:
			mark = 0
		}
	}
	return at, mark, mark != 0
}
