package expect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const invoice = "```json\n" + `{"total": 900, "big": 12345678901234567890, "rate": 0.5, "paid": false, "note": null,
 "items": [{"name": "Tea", "price": 400}, {"name": "Pot", "price": 500}], "z": 1, "y": 2}` + "\n```"

func TestAssertion(t *testing.T) {
	for _, c := range []struct {
		rule, source, answer string
		why                  string // "" if the assertion is true
	}{
		{"spec's example: a figure of the JSON", `response.json.total <= 900`, invoice, ""},
		{"spec's example: a text that must not stand there", `not (response.text contains 'guarantee')`, "We guarantee it.", "not true"},
		{"the JSON is read by the heuristics", `response.json.a == 1`, "Sure: {\"a\":1,}", ""},
		{"an answer that is no JSON has none", `response.json == nil`, "Sorry.", ""},
		{"a field of no JSON cannot be evaluated", `response.json.total <= 900`, "Sorry.", "could not be evaluated: cannot fetch total from <nil>"},
		{"a field that is missing cannot be compared", `response.json.sum <= 900`, invoice, "could not be evaluated: invalid operation: <nil> <= int"},
		{"a missing field can be asked for", `response.json.sum == nil`, invoice, ""},
		{"null is nil", `response.json.note == nil`, invoice, ""},
		{"whole numbers are whole", `response.json.total % 2 == 0`, invoice, ""},
		{"fractions are fractions", `response.json.rate == 0.5`, invoice, ""},
		{"integers beyond 64 bits are floats", `response.json.big > 1e19`, invoice, ""},
		{"booleans are booleans", `!response.json.paid`, invoice, ""},
		{"loops", `all(response.json.items, .price >= 400) and count(response.json.items, .name == 'Tea') == 1`, invoice, ""},
		{"sums", `sum(response.json.items, .price) == response.json.total`, invoice, ""},
		{"additions of fields", `response.json.items[0].price + response.json.items[1].price == 900`, invoice, ""},
		{"additions of texts", `response.text + '!' == 'a!'`, "a", ""},
		{"additions of a text and a number cannot be evaluated", `response.json.a + 1 == 2`, `{"a":"1"}`, "could not be evaluated: invalid operation: string + int"},
		{"a text is no list", `join(response.json.a, ",") == "a"`, `{"a":"1"}`, "could not be evaluated: expected a list, got string"},
		{"a missing field is no list", `join(response.json.b) == ""`, `{"a":"1"}`, "could not be evaluated: expected a list, got nothing"},
		{"a text is not sorted", `sort(response.json.a) == []`, `{"a":"1"}`, "could not be evaluated: expected a list, got string"},
		{"a list is", `sort(response.json.a) == ["1", "2"]`, `{"a":["2","1"]}`, ""},
		{"distinct items are of a list", `uniq(response.json.a) == []`, `{"a":"1"}`, "could not be evaluated: expected a list, got string"},
		{"a number does not match", `response.json.a matches "1"`, `{"a":1}`, "could not be evaluated: matches is for texts, not for int and string"},
		{"a pattern is a text", `response.text matches response.json.a`, `{"a":1}`, "could not be evaluated: matches is for texts, not for string and int"},
		{"a pattern of the answer may be used twice", `response.text matches response.json.a and response.text matches response.json.a`, `{"a":"a"}`, ""},
		{"a missing field of a missing field", `response.json.b?.c == nil`, `{"a":1}`, ""},
		{"a number out of range is none", `response.json.a > 1`, `{"a":1e999}`, "could not be evaluated: invalid operation: string > int"},
		{"length counts characters", `response.length == 3`, "日本é", ""},
		{"lines", `response.lines == 2`, "a\nb", ""},
		{"a last line feed begins no line", `response.lines == 2`, "a\nb\n", ""},
		{"words", `response.words == 3`, " one two\nthree ", ""},
		{"regular expressions", `response.text matches '^[A-Z]'`, "Abc", ""},
		{"variables of the case", `response.text contains vars.amount`, "It is 900 EUR.", ""},
		{"an undefined variable cannot be evaluated", `vars.amout != 'x'`, "x", "could not be evaluated: vars.amout is not defined"},
		{"let names a part of the response", `let r = response.json.items; len(r) == 2`, invoice, ""},
		{"let names a list", `let l = map(response.json.items, .name); l == ['Tea', 'Pot']`, invoice, ""},
		{"let names a number", `let n = response.length * 2; n == 2`, "a", ""},
		{"keys come in their order", `keys(response.json)[0] == 'big' and keys(response.json)[5] == 'total'`, invoice, ""},
		{"values come in the order of their keys", `values(response.json) == [1, 2]`, `{"b":2,"a":1}`, ""},
		{"keys of a list cannot be evaluated", `len(keys(response.json)) == 1`, `[1]`, "could not be evaluated: expected an object, got []interface {}"},
		{"uniq", `uniq(response.json) == [1, 2]`, `[1,2,1.0]`, ""},
		{"replace", `replace(response.text, ' ', '') == 'ab'`, "a b", ""},
		{"join", `join(response.json, '-') == 'a-b'`, `["a","b"]`, ""},
		{"join of split", `join(split(response.text, ' ')) == 'ab'`, "a b", ""},
		{"a result that is no boolean cannot be evaluated", `response.json.total`, invoice, "could not be evaluated: invalid operation: bool(int)"},
		{"a division by nothing is infinite, not a crash", `1 / response.json.n > 1`, `{"n":0}`, ""},
		{"an index out of range cannot be evaluated", `response.json[5] == 1`, `[1]`, "could not be evaluated: index out of range: 5 (array length is 1)"},
		{"a regular expression of the answer that is none cannot be evaluated", `'a' matches response.text`, "(", "could not be evaluated: invalid regular expression: missing closing ): \"(\""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			as, err := CompileAssertion(c.source)
			if err != nil {
				t.Fatal(err)
			}
			if why := as.mismatch(withVars(answerOf(c.answer), map[string]string{"amount": "900"})); why != c.why {
				t.Errorf("%s: %q, want %q", c.source, why, c.why)
			}
		})
	}
}

func TestAssertionFaults(t *testing.T) {
	for _, c := range []struct {
		rule, source, message string
		offset                int
	}{
		{"an unknown name", `true and responce.text == ''`, "unknown name responce", 9},
		{"an unknown field", `response.txt == ''`, "did you mean `text`?", 9},
		{"an unknown name in a match", `responce.text matches 'x'`, "unknown name responce", 0},
		{"an unknown field in a call", `replace(response.txt, 'a', 'b') == ''`, "did you mean `text`?", 17},
		{"an unknown function", `shout(response.text) == ''`, "unknown name shout", 0},
		{"a result that can be no boolean", `response.length`, "its result is not true or false; compare it, such as response.length < 600", 0},
		{"a sentence that is not finished", `response.length >`, "it ends too early", 16},
		{"places count characters", `'日本' == x`, "unknown name x", 8},
		{"types that never compare", `response.length == 'x'`, "mismatched types int and string", 16},
		{"an invalid regular expression", `response.text matches '('`, "missing closing )", 14},
		{"nothing", ``, "it is empty", 0},
		{"the clock", `now() != nil`, "unknown name now", 0},
		{"the clock by name", `date('2026-01-01') != nil`, "unknown name date", 0},
		{"doubling by reduce", `reduce(1..60, #acc + #acc, 'x') != ''`, "unknown name reduce", 0},
		{"repeat", `repeat('x', 1000) != ''`, "unknown name repeat", 0},
		{"the whole environment", `$env != nil`, "unknown name $env", 0},
		{"our own functions", "a turn(1)", "unexpected token", 2},
		{"too long", strings.Repeat("true and ", 500) + "true", "at most 4096", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := CompileAssertion(c.source)
			var fault *CompileError
			if !errors.As(err, &fault) {
				t.Fatalf("CompileAssertion(%q) = %v, want a *CompileError", c.source, err)
			}
			if !strings.Contains(fault.Message, c.message) || fault.Offset != c.offset || strings.Contains(fault.Message, "\n") {
				t.Errorf("CompileAssertion(%q): %d %q, want %d %q", c.source, fault.Offset, fault.Message, c.offset, c.message)
			}
		})
	}
}

func TestAssertionIsBounded(t *testing.T) {
	items := `[` + strings.Repeat(`1,`, 9999) + `1]`
	for _, c := range []struct{ rule, source, answer, why string }{
		{"loops in loops end", `all(response.json, all(response.json, all(response.json, true)))`, items, "too much work"},
		{"a long loop is allowed", `all(response.json, # == 1)`, items, ""},
		{"loops on long texts end", `all(response.json, lower(response.text) != '')`, items + strings.Repeat(" ", 1<<20), "too much work"},
		{"ranges end", `all(1..100000000, true)`, "", "memory budget exceeded"},
		{"ranges in ranges end", `all(1..300, all(1..300, true))`, "", ""},
		{"texts cannot be doubled without end", `count(map(1..100000, response.text + response.text), true) > 0`, strings.Repeat("x", 1<<20), "too much work"},
		{"replacing cannot blow up", `replace(response.text, 'x', response.text) == ''`, strings.Repeat("x", 1<<20), "too long"},
		{"replacing nothing cannot blow up", `replace(response.text, '', response.text) == ''`, strings.Repeat("x", 1<<20), "too long"},
		{"joining cannot blow up", `join(split(response.text, ' '), response.text) == ''`, strings.Repeat("x ", 1<<15), "too long"},
		{"splitting is bounded", `len(split(response.text, '')) > 0`, strings.Repeat("x", 1<<20), "more than 100000 parts"},
		{"lengths of a long text end", `all(1..999998, len(response.text) > 0)`, strings.Repeat("x", 1<<20), "too much work"},
		{"comparing long texts ends", `all(1..999998, response.text + 'x' == response.text + 'x')`, strings.Repeat("x", 1<<10), "too much work"},
		{"sorting by long texts ends", `len(sortBy(1..300000, # % 2 == 0 ? response.text : vars.copy)) > 0`, strings.Repeat("x", 1<<20), "too much work"},
		{"long bodies of loops end", `all(1..900000, ` + strings.Repeat("#*#+", 200) + `# > 0)`, "", "too much work"},
		{"lists in lists are not written out", `len(string(` + doubled(60) + `)) > 0`, "", "too much work"},
		{"lists in lists are not compared", doubled(60) + ` == ` + doubled(60), "", "too much work"},
		{"lists that name each other are not compared", "let a0 = [1]; " + letDoubled(60) + "a60 == a60", "", "too much work"},
		{"lists that name each other are not written out", "let a0 = [1]; " + letDoubled(60) + "string(a60) == ''", "", "too much work"},
		{"lists that name each other are not searched", "let a0 = [1]; " + letDoubled(60) + "a59 in a60", "", "too much work"},
		{"lists in lists are no index", `response.json[` + doubled(60) + `] == 1`, "5", "too much work"},
		{"lists in lists have no largest item", `max(1, ` + doubled(60) + `) == 1`, "", "too much work"},
		{"trimming many characters ends", `trim(response.text, vars.copy) == ''`, strings.Repeat("x", 1<<10), "trim takes at most 32 bytes"},
		{"uniq of a long list", `len(uniq(response.json)) == 1`, items, "too much work"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			as, err := CompileAssertion(c.source)
			if err != nil {
				t.Fatal(err)
			}
			switch why := as.mismatch(withVars(answerOf(c.answer), map[string]string{"copy": strings.Clone(c.answer)})); {
			case c.why == "" && why != "":
				t.Errorf("%s: %q, want true", c.source, why)
			case c.why != "" && (!strings.Contains(why, c.why) || !strings.HasPrefix(why, "could not be evaluated: ")):
				t.Errorf("%s: %q, want it could not be evaluated, %s", c.source, why, c.why)
			}
		})
	}
}

// doubled is a list that holds itself twice, so many times.
func doubled(times int) string {
	return strings.Repeat("map(", times) + "[1]" + strings.Repeat(", [#, #])", times)
}

// letDoubled names lists a1, a2 and so on. Each holds the one before twice.
func letDoubled(times int) (lets string) {
	for i := range times {
		lets += fmt.Sprintf("let a%d = [a%d, a%d]; ", i+1, i, i)
	}
	return lets
}

func TestAssertionVars(t *testing.T) {
	as, err := CompileAssertion(`vars.b == vars["a"] and vars.b != response.text and any(response.json, # == vars.c)`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := as.Vars, []string{"b", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("Vars = %v, want %v", got, want)
	}
}

func TestAnAssertionMayTakeAnyVariable(t *testing.T) {
	for source, want := range map[string]bool{
		`vars.a == vars["b"] and vars?.c != response.text`: false,
		`response.text == "vars"`:                          false,
		`vars[response.text] == "x"`:                       true,
		`len(vars) == response.length`:                     true,
		`response.text in vars and vars.a == "x"`:          true,
		`let v = vars; v.a == response.text`:               true,
	} {
		as, err := CompileAssertion(source)
		if err != nil {
			t.Fatal(source, err)
		}
		if as.AllVars != want {
			t.Errorf("%s: AllVars() = %v", source, !want)
		}
	}
}

func TestNegativeAssertionOnATruncatedAnswer(t *testing.T) {
	for _, c := range []struct {
		rule, source string
		met          bool
	}{
		{"what must not stand there may have been cut off", `not (response.text contains 'x')`, false},
		{"what must not be in may have been cut off", `'x' not in split(response.text, ' ')`, false},
		{"none may have been cut off", `none(split(response.text, ' '), # == 'x')`, false},
		{"what stands there stands there", `response.text contains 'abc'`, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			as, err := CompileAssertion(c.source)
			if err != nil {
				t.Fatal(err)
			}
			e := Expectation{Assertions: []*Criterion{as}}
			if _, unmet, _ := e.Check(answerOf("abc"), nil); len(unmet) != 0 {
				t.Errorf("whole answer: %+v, want met", unmet)
			}
			_, unmet, _ := e.Check(&Answer{Text: "abc", Truncated: true}, nil)
			if (len(unmet) == 0) != c.met {
				t.Errorf("truncated answer: %+v, want met %v", unmet, c.met)
			}
		})
	}
}

func FuzzAssertion(f *testing.F) {
	for _, seed := range []string{`response.json.total <= 900`, `all(response.json, # > 1)`, `let a = response.text; a + a != ''`, `keys(response.json)[0] == 'a'`, `response.text[1:] matches 'a'`} {
		f.Add(seed, `{"a":[1,"x"]}`)
	}
	f.Fuzz(func(t *testing.T, source, answer string) {
		if !utf8.ValidString(source) {
			t.Skip("files are UTF-8")
		}
		as, err := CompileAssertion(source)
		if err != nil {
			var fault *CompileError
			if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len([]rune(source)) {
				t.Fatalf("%q: fault %v is not in the source", source, err)
			}
			return
		}
		first := as.mismatch(answerOf(answer))
		if second := as.mismatch(answerOf(answer)); first != second {
			t.Fatalf("%q of %q: %q, then %q", source, answer, first, second)
		}
	})
}

func ExampleExpectation_Check() {
	format, _ := CompileFormat("json", false, nil, "")
	total, _ := CompileAssertion("response.json.total <= int(vars.limit)")
	answer := answerOf("Here you are: {\"total\": 950,}")
	e := Expectation{Format: format, Assertions: []*Criterion{total}}
	fault, unmet, repairs := e.Check(answer, map[string]string{"limit": "900"})
	fmt.Println(fault == "", unmet[0].Reason, repairs)
	// Output: true not true [bracket_span trailing_commas]
}
