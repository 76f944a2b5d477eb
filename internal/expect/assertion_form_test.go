package expect

import (
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr/builtin"
)

func TestForms(t *testing.T) {
	untried := slices.Clone(Forms)
	for _, c := range []struct {
		form, texts, answer string // texts are parted by |
		why                 string // "" if it holds
		not                 string // "" if it holds with not_ before it
	}{
		{"contains", "refund", "No refund.", "", "the answer matches, and must not"},
		{"contains", "refund", "No Refund.", "contained only with other letter case, white space or Unicode form", ""},
		{"contains", "a\r\nb", "a\nb", "", "the answer matches, and must not"},
		{"icontains", "REFUND", "No Refund.", "", "the answer matches, and must not"},
		{"icontains", "as an ai", "As a person.", "not contained", ""},
		{"contains_any", "a|b", "xb", "", "the answer matches, and must not"},
		{"contains_any", "a|b", "xy", "none of them is contained", ""},
		{"contains_all", "a|b", "ab", "", "the answer matches, and must not"},
		{"contains_all", "a|b", "xa", `"b" is not contained`, ""},
		{"starts_with", "Yes", "\n Yes, you can.", "", "the answer matches, and must not"},
		{"starts_with", "Yes", "No.", "differs at character 1", ""},
		{"regex", `^\d+$`, "42", "", "the answer matches, and must not"},
		{"regex", `^\d+$`, "x42", "no match", ""},
		{"regex", `(\w\W){400}`, strings.Repeat("x", 1<<17), "could not be evaluated", "could not be evaluated"},
	} {
		untried = slices.DeleteFunc(untried, func(name string) bool { return name == c.form })
		for _, one := range []struct{ name, why string }{{c.form, c.why}, {"not_" + c.form, c.not}} {
			as, err := CompileForm(one.name, strings.Split(c.texts, "|"))
			if err != nil {
				t.Fatal(err)
			}
			_, unmet, _ := (&Expectation{Assertions: []*Criterion{as}}).Check(answerOf(c.answer), nil)
			switch {
			case one.why == "" && len(unmet) > 0:
				t.Errorf("%s %s of %.40q: %s, want it met", one.name, c.texts, c.answer, unmet[0].Reason)
			case one.why != "" && (len(unmet) == 0 || !strings.HasPrefix(unmet[0].Reason, one.why)):
				t.Errorf("%s %s of %.40q: %v, want %s", one.name, c.texts, c.answer, unmet, one.why)
			}
		}
	}
	if len(untried) > 0 {
		t.Errorf("no case of this test has the forms %v", untried)
	}
}

func TestAFormIsShownAsItsNameAndTexts(t *testing.T) {
	as, err := CompileForm("not_contains_any", []string{"a", `"b"`})
	if err != nil || as.Expected != `not_contains_any "a", "\"b\""` {
		t.Errorf("it is %s, %v", as.Expected, err)
	}
}

func TestWhatACutAnswerDoesNotSayProvesNothing(t *testing.T) {
	as, _ := CompileForm("not_contains", []string{"guarantee"})
	answer := &Answer{Text: "We will", Truncated: true}
	if u := as.check(answer); u == nil || !strings.Contains(u.Reason, "truncated at its length limit") {
		t.Errorf("unmet is %v", u)
	}
}

func TestFaultsOfForms(t *testing.T) {
	for _, c := range []struct {
		name, want string
		texts      []string
	}{
		{"contains", "takes one text", []string{"a", "b"}},
		{"regex", "invalid regular expression: missing closing ): \"(\"", []string{"("}},
		{"not_regex", "RE2 has no look-around", []string{"(?=x)"}},
	} {
		if _, err := CompileForm(c.name, c.texts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for name, text := range map[string]string{"regex": "x*", "not_regex": "x*", "contains": "\n", "starts_with": " "} {
		if as, err := CompileForm(name, []string{text}); err != nil || !as.AlwaysTrue {
			t.Errorf("%s %q says something of some answers, %v", name, text, err)
		}
	}
}

func TestWhatIsKnownOfAnAnswerIsSeen(t *testing.T) {
	ms, usd := int64(1200), 0.004
	known := &Answer{Text: "a", LatencyMS: &ms, CostUSD: &usd, Finish: "stop"}
	for source, why := range map[string][2]string{ // of the answer that is known, and of one that is not
		"response.latency_ms < 2000":                                       {"", "could not be evaluated: response.latency_ms is not known of this answer"},
		"response.latency_ms > 2000":                                       {"not true", "could not be evaluated: response.latency_ms is not known of this answer"},
		"response.cost_usd < 0.01":                                         {"", "could not be evaluated: response.cost_usd is not known of this answer"},
		"response.cost_usd == nil or response.cost_usd < 0.01":             {"", ""},
		"response.finish_reason == 'stop'":                                 {"", "not true; response.finish_reason is not known of this answer"},
		"response.finish_reason contains 'st'":                             {"", "not true; response.finish_reason is not known of this answer"},
		"response.finish_reason != 'length' and response.latency_ms >= 10": {"", "could not be evaluated: response.finish_reason is not known of this answer"},
	} {
		as, err := CompileAssertion(source)
		if err != nil {
			t.Fatal(err)
		}
		for i, answer := range []*Answer{known, answerOf("a")} {
			if got := as.mismatch(answer); got != why[i] {
				t.Errorf("%s: %q, want %q", source, got, why[i])
			}
		}
	}
}

func TestAFaultSaysWhatToWriteInstead(t *testing.T) {
	for source, want := range map[string]string{
		"now() > 1":                                "unknown name now; there is no clock",
		"reduce(response.json, #acc + #, 0) > 1":   "unknown name reduce; write sum, count",
		"fromJSON(response.text).a == 1":           "response.json is the answer as JSON",
		"len(output) < 3":                          "unknown name output; the answer is response.text",
		"response.text.includes('x')":              "has no method includes; write text contains 'word'",
		"response.text.length < 3":                 "has no field length; write len(…)",
		"response.latency < 3":                     "has no field latency; write response.latency_ms",
		"response.text === 'x'":                    "= compares nothing; did you mean `==`?",
		"contains(response.text, 'x')":             "an operator of texts stands between them: response.text contains 'b'",
		"all(response.json, now() > 1)":            "there is no clock",
		"map(response.json, groupBy(#, .a)) == []": "write count(list, …)",
	} {
		if _, err := CompileAssertion(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
	for _, name := range builtin.Names {
		if !slices.Contains(allowedBuiltins[:], name) && advices[0].words[name] == "" && !ours[name] {
			t.Errorf("of %s nothing is said instead", name)
		}
	}
}

// ours are functions of Expr that are ours here.
var ours = map[string]bool{"keys": true, "values": true, "uniq": true, "split": true, "replace": true, "join": true}
