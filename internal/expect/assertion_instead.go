package expect

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"

	"github.com/failproof/failproof/internal/text"
)

// advices has advice for what expressions lack, by the word that the pattern finds in a message: disabled functions of
// Expr, and names and methods of JavaScript and other tools.
var advices = []struct {
	pattern *regexp.Regexp
	words   map[string]string
}{
	{regexp.MustCompile(`^unknown name (\S+)`), text.ByName(map[string]string{
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
	})},
	{regexp.MustCompile(`has no (?:method|field) (\w+)`), map[string]string{
		"includes": "write text contains 'word'", "startsWith": "write text startsWith 'word'",
		"endsWith": "write text endsWith 'word'", "indexOf": "write indexOf(text, 'word')",
		"match": "write text matches 'pattern'", "test": "write text matches 'pattern'",
		"toLowerCase": "write lower(text)", "toUpperCase": "write upper(text)",
		"trim": "write trim(text)", "split": "write split(text, ',')", "length": "write len(…)",
		"latency": "write response.latency_ms", "cost": "write response.cost_usd",
		"finishReason": "write response.finish_reason", "output": "write response.text",
	}},
	{regexp.MustCompile(`: (in) \(mismatched types string and string\)`), map[string]string{
		"in": "`in` looks for an item of a list; of a text write response.text contains 'word'"}},
	{regexp.MustCompile(`unexpected token Operator\("(\w+)"\)`), text.ByName(map[string]string{
		"contains|matches|startsWith|endsWith": "an operator of texts stands between them: response.text contains 'b'"})},
}

// addAdvice appends advice to the message of an error in an expression.
func addAdvice(message string) string {
	for _, a := range advices {
		if m := a.pattern.FindStringSubmatch(message); m != nil && a.words[m[1]] != "" {
			return message + "; " + a.words[m[1]]
		}
	}
	return message
}

// textOperators are the operators of Expr on texts, and operators are all that are written as words.
var (
	textOperators = []string{"contains", "startsWith", "endsWith", "matches"}
	operators     = slices.Concat(textOperators, []string{"and", "or", "not", "in"})
)

// exprKind is what an expression is for, and the names that it reads.
type exprKind struct {
	name          string   // in errors
	names, fields []string // variables, and the fields of response
	options       []expr.Option
}

var (
	assertionKind = exprKind{"assertion", []string{"response", "vars"}, []string{"text", "json", "length", "lines", "words",
		"latency_ms", "cost_usd", "finish_reason", "tool_calls"}, []expr.Option{expr.Env(environment{}), expr.AsBool()}}
	extractKind = exprKind{"expression", []string{"response"}, []string{"json", "status", "headers"},
		[]expr.Option{expr.Env(replyEnvironment{})}}
)

// clearMessages has messages for Expr's own.
var clearMessages = []struct{ part, message string }{
	{"expected bool, but got ", "its result is not true or false; compare it, such as response.length < 600"},
	{`Operator("=")`, "= compares nothing; did you mean `==`?"},
	{"unexpected token EOF", "it ends too early, something is missing behind this"},
}

var (
	misspelledName     = regexp.MustCompile(`^unknown name (\w+)$`)
	misspelledOperator = regexp.MustCompile(`unexpected token Identifier\("(\w+)"\)$`)
	misspelledCallPart = regexp.MustCompile(`\.toolCall has no field (\w+)$`)
	misspelledField    = regexp.MustCompile(`has no field (\w+)$`)
)

// plainWords matches words that are no expression, such as "I am sorry" or "answer 3".
var plainWords = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}\s,.;!?'’-]*$`)

// meantText returns advice on how to look for a text, if source is only words and names nothing that k reads. Otherwise
// it returns "".
func (k exprKind) meantText(source string) string {
	isCode := func(word string) bool { return strings.Contains(source, word) }
	if k.name != assertionKind.name || !plainWords.MatchString(source) || slices.ContainsFunc(k.names, isCode) ||
		slices.ContainsFunc(textOperators, isCode) {
		return ""
	}
	return "to look for a text, write { contains: " + strconv.Quote(truncate(source, 60)) + " }"
}

// clarify improves the message of common errors: words that are meant as a text, = for ==, an unclosed quote, or a
// misspelled name.
func (k exprKind) clarify(source string, fault *CompileError) *CompileError {
	form, _, named := strings.Cut(source, ":")
	if named && slices.Contains(Forms, strings.TrimPrefix(strings.TrimSpace(form), "not_")) {
		return faultf(0, "it is one by name, and in quotes as a whole; write { %s }",
			truncate(strings.TrimSpace(source), 60))
	}
	meant := k.meantText(strings.TrimSpace(source))
	if meant != "" && len(strings.Fields(source)) > 1 {
		return faultf(0, "it is no expression; %s", meant)
	}
	if strings.HasSuffix(fault.Message, "literal not terminated") {
		if at, mark, ok := unclosedQuote(source); ok {
			return faultf(at, "the text that begins with %c here is not closed", mark)
		}
	}
	for _, c := range clearMessages {
		if strings.Contains(fault.Message, c.part) {
			return faultf(fault.Offset, "%s", c.message)
		}
	}
	for _, m := range []struct {
		pattern         *regexp.Regexp
		known           []string
		what, otherwise string // what is wrong, and what to say if no known word is similar
	}{
		{misspelledOperator, operators, "unknown operator %s", ""},
		{misspelledName, slices.Concat(k.names, allowedBuiltins[:]), "unknown name %s",
			cmp.Or(meant, "an "+k.name+" reads `"+strings.Join(k.names, "` and `")+"`")},
		{misspelledCallPart, []string{"name", "arguments"}, "a tool call has no %s", "it has name, arguments"},
		{misspelledField, k.fields, "response has no %s", "it has " + strings.Join(k.fields, ", ")},
	} {
		if found := m.pattern.FindStringSubmatch(fault.Message); found != nil {
			advice := m.otherwise
			if like, ok := text.Suggest(found[1], m.known); ok {
				advice = "did you mean `" + like + "`?"
			}
			if advice != "" {
				return faultf(fault.Offset, m.what+"; %s", found[1], advice)
			}
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
