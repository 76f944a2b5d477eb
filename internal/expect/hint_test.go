package expect

import (
	"errors"
	"testing"
)

func TestAMistypedAssertionSaysWhatWasMeant(t *testing.T) {
	for _, c := range []struct {
		rule, source, want string
		at                 int
	}{
		{"= for ==", `response.text = 'x'`, "invalid assertion: = compares nothing; did you mean `==`?", 14},
		{"a quote that is not closed", `response.text contains 'it\'s`, "invalid assertion: the text that begins with ' here is not closed", 23},
		{"an unknown name", `respons.text == 'x'`, "invalid assertion: unknown name respons; did you mean `response`?", 0},
		{"an unknown function", `lenn(response.text) > 3`, "invalid assertion: unknown name lenn; did you mean `len`?", 0},
		{"a name that is like none", `foo == 1`, "invalid assertion: unknown name foo; an assertion reads `response` and `vars`", 0},
		{"an unknown part", `response.txt == 'x'`, "invalid assertion: response has no txt; did you mean `text`?", 9},
		{"an operator", `response.text contans 'x'`, "invalid assertion: unknown operator contans; did you mean `contains`?", 14},
		{"a form as a text", `not_contains: Hi`, "invalid assertion: it is one by name, and in quotes as a whole; write { not_contains: Hi }", 0},
		{"a text of several words", `I am sorry`, "invalid assertion: it is no expression; to look for a text, write { contains: \"I am sorry\" }", 0},
		{"a text with a number", ` answer 3`, "invalid assertion: it is no expression; to look for a text, write { contains: \"answer 3\" }", 0},
		{"a text with an apostrophe", `I don't know.`, "invalid assertion: it is no expression; to look for a text, write { contains: \"I don't know.\" }", 0},
		{"a text of one word", `polite`, "invalid assertion: unknown name polite; to look for a text, write { contains: \"polite\" }", 0},
		{"one word that is almost a name", `respons`, "invalid assertion: unknown name respons; did you mean `response`?", 0},
		{"a name of another tool", `output`, "invalid assertion: unknown name output; the answer is response.text", 0},
		{"words of an expression", `answer contains hi`, "invalid assertion: unknown name answer; the answer is response.text", 0},
		{"in for a text", `'Hi' in response.text`, "invalid assertion: invalid operation: in (mismatched types string and string); `in` looks for an item of a list; of a text write response.text contains 'word'", 5},
		{"an unknown part of a tool call", `any(response.tool_calls, .args.sum > 3)`, "invalid assertion: a tool call has no args; it has name, arguments", 26},
		{"a part that is like none", `response.headers == 'x'`, "invalid assertion: response has no headers; it has text, json, length, lines, words, latency_ms, cost_usd, finish_reason, tool_calls", 9},
	} {
		_, err := CompileAssertion(c.source)
		var fault *CompileError
		if !errors.As(err, &fault) || fault.Message != c.want || fault.Offset != c.at {
			t.Errorf("%s: %+v, want %q at %d", c.rule, fault, c.want, c.at)
		}
	}
}
