package expect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model"
)

// calling is an answer that calls tools: name, arguments, name, arguments, …
func calling(calls ...string) *Answer {
	a := answerOf("")
	for i := 0; i < len(calls); i += 2 {
		a.ToolCalls = append(a.ToolCalls, model.ToolCall{Name: model.Untrusted(calls[i]), Arguments: model.Untrusted(calls[i+1])})
	}
	return a
}

func TestExpectedTools(t *testing.T) {
	refund := func(arguments map[string]any) ExpectedCall { return ExpectedCall{"refund", arguments} }
	order := refund(map[string]any{"order": "A-1"})
	deep := refund(map[string]any{"item": map[string]any{"sku": "K"}, "tags": []any{"a"}, "n": json.Number("2")})
	for _, c := range []struct {
		rule     string
		expected []ExpectedCall
		answer   *Answer
		why      string // "" if it is met
	}{
		{"a call by its name", []ExpectedCall{refund(nil)}, calling("refund", `{"order":"A-1"}`), ""},
		{"a call may have other arguments", []ExpectedCall{order}, calling("refund", `{"note":"x","order":"A-1"}`), ""},
		{"objects in arguments may have more", []ExpectedCall{deep}, calling("refund", `{"item":{"sku":"K","colour":"red"},"tags":["a"],"n":2.0}`), ""},
		{"lists may not", []ExpectedCall{deep}, calling("refund", `{"item":{"sku":"K"},"tags":["a","b"],"n":2}`), "refund: arguments/tags: expected 1 items, got 2"},
		{"objects in lists may not have more", []ExpectedCall{refund(map[string]any{"items": []any{map[string]any{"sku": "K"}}})}, calling("refund", `{"items":[{"sku":"K","n":1}]}`), "refund: arguments/items/0/n: not expected"},
		{"arguments that are no object", []ExpectedCall{order}, calling("refund", `[]`), "refund: arguments: expected an object, got an array"},
		{"an argument is missing", []ExpectedCall{order}, calling("refund", `{}`), "refund: arguments/order: missing"},
		{"an argument is another one", []ExpectedCall{order}, calling("refund", `{"order":"A-2"}`), `refund: arguments/order: expected "A-1", got "A-2"`},
		{"a number is no text", []ExpectedCall{deep}, calling("refund", `{"item":{"sku":"K"},"tags":["a"],"n":"2"}`), `refund: arguments/n: expected 2, got "2"`},
		{"an object is one", []ExpectedCall{deep}, calling("refund", `{"item":"K"}`), `refund: arguments/item: expected an object, got "K"`},
		{"arguments that are no JSON", []ExpectedCall{order}, calling("refund", `{"order":"A-`), "refund: its arguments are not JSON"},
		{"no arguments are none", []ExpectedCall{order}, calling("refund", ""), "refund: arguments/order: missing"},
		{"nobody is called", []ExpectedCall{order}, answerOf("I refund you."), "it calls no tool"},
		{"another tool", []ExpectedCall{order}, calling("hang_up", ""), "it does not call refund, it calls hang_up"},
		{"a call too much", []ExpectedCall{order}, calling("refund", `{"order":"A-1"}`, "hang_up", ""), "it calls hang_up, which is not expected"},
		{"a call twice", []ExpectedCall{order}, calling("refund", `{"order":"A-1"}`, "refund", `{"order":"A-1"}`), "it calls refund, which is not expected"},
		{"a call once too few", []ExpectedCall{order, order}, calling("refund", `{"order":"A-1"}`), "refund is not called another time"},
		{"calls in any order", []ExpectedCall{{Name: "b"}, {Name: "a"}}, calling("a", "", "b", ""), ""},
		{"each call is one that is expected", []ExpectedCall{refund(nil), order}, calling("refund", `{"order":"A-1"}`, "refund", `{"order":"B"}`), ""},
		{"no call", nil, answerOf("Hello."), ""},
		{"no call but one", nil, calling("refund", "{}"), "it calls refund, which is not expected"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			u := CompileTools(c.expected).check(c.answer)
			switch {
			case u == nil && c.why == "":
			case u == nil:
				t.Errorf("met, want %s", c.why)
			case c.why == "" || !strings.HasPrefix(u.Reason, c.why):
				t.Errorf("%s, want %q", u.Reason, c.why)
			}
		})
	}
}

func TestAMissedCallIsShown(t *testing.T) {
	m := CompileTools([]ExpectedCall{{"refund", map[string]any{"order": "A-1", "n": json.Number("2")}}, {Name: "hang_up"}})
	u := m.check(calling("refund", `{"order": "A-2"}`))
	if u == nil || u.Criterion != "expected_tools" || u.Expected != `refund({"n":2,"order":"A-1"}), hang_up` || u.Actual != `refund({"order": "A-2"})` {
		t.Errorf("unmet is %+v", u)
	}
}

func TestAssertionsSeeTheCallsOfTools(t *testing.T) {
	for source, why := range map[string]string{
		"len(response.tool_calls) == 2":                                                   "",
		"response.tool_calls[0].name == 'refund'":                                         "",
		"response.tool_calls[0].arguments.order == 'A-1'":                                 "",
		"response.tool_calls[0].arguments.sum > 10":                                       "",
		"any(response.tool_calls, .name == 'refund' and .arguments.order startsWith 'A')": "",
		"none(response.tool_calls, .name == 'hang_up')":                                   "not true",
		"response.tool_calls[1].arguments == '{x'":                                        "",
		"response.tool_calls[2].name == 'x'":                                              "could not be evaluated: index out of range",
	} {
		as, err := CompileAssertion(source)
		if err != nil {
			t.Fatal(err)
		}
		if got := as.mismatch(calling("refund", `{"order":"A-1","sum":12}`, "hang_up", "{x")); got != why && (why == "" || !strings.HasPrefix(got, why)) {
			t.Errorf("%s: %q, want %q", source, got, why)
		}
	}
	if _, err := CompileAssertion("response.tool_calls[0].nam == 'x'"); err == nil {
		t.Error("a call has no nam")
	}
}

func FuzzExpectedTools(f *testing.F) {
	f.Add("refund", `{"order":"A-1"}`, `{"order":1}`)
	f.Fuzz(func(t *testing.T, name, first, second string) {
		m := CompileTools([]ExpectedCall{{name, map[string]any{"order": "A-1"}}, {Name: name}})
		a, b := m.check(calling(name, first, name, second)), m.check(calling(name, second, name, first))
		if (a == nil) != (b == nil) {
			t.Errorf("the order of calls decides: %v, %v", a, b)
		}
	})
}
