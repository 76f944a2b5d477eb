package expect

import (
	"errors"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		rule, mode, expected, answer string
		met                          bool
		reason                       string // of a miss
	}{
		{"exact: equal", "exact", "yes", "yes", true, ""},
		{"exact: white space around either is trimmed", "exact", " yes\n", "\tyes ", true, ""},
		{"exact: CRLF is LF", "exact", "a\nb", "a\r\nb", true, ""},
		{"exact: case counts", "exact", "Yes", "yes", false, "differs at character 1: expected 'Y', got 'y'"},
		{"exact: the first difference is named", "exact", "the fox", "the fax", false, "differs at character 6: expected 'o', got 'a'"},
		{"exact: characters are counted, not bytes", "exact", "éa", "éb", false, "differs at character 2: expected 'a', got 'b'"},
		{"exact: the answer ends early", "exact", "abc", "ab", false, "differs at character 3: expected 'c', got the end"},
		{"exact: the answer goes on", "exact", "ab", "abc", false, "differs at character 3: expected the end, got 'c'"},
		{"exact: letters that look the same", "exact", "\u00f6l", "o\u0308l", false, "differs only in its Unicode form"},
		{"exact: and another difference", "exact", "\u00f6l", "o\u0308L", false, "differs at character 1: expected '\u00f6', got 'o'"},
		{"exact: bytes that are no UTF-8 are not equal to the sign for them", "exact", "\ufffd", "\xff", false, "differs at character 1: expected '�', got byte 0xff"},

		{"contains: anywhere", "contains", "14 days", "Within 14 days.", true, ""},
		{"contains: a block scalar's last line feed was not meant", "contains", "14 days\n", "Within 14 days.", true, ""},
		{"contains: inner spaces count", "contains", " no ", "Say no.", false, "not contained"},
		{"contains: case counts, and a near miss says so", "contains", "No", "say no", false, "contained only with other letter case, white space or Unicode form"},
		{"contains: other white space is a near miss", "contains", "a b", "a\nb", false, "contained only with other letter case, white space or Unicode form"},
		{"contains: both", "contains", "A b", "a\n b", false, "contained only with other letter case, white space or Unicode form"},
		{"contains: letters that look the same are a near miss", "contains", "Gr\u00f6\u00dfe", "Die Gro\u0308\u00dfe", false, "contained only with other letter case, white space or Unicode form"},
		{"contains: all three", "contains", "ein \u00d6l", "Ein\no\u0308l", false, "contained only with other letter case, white space or Unicode form"},

		{"regex: search", "regex", `\d+ days`, "in 14 days", true, ""},
		{"regex: anchors hold for the whole text", "regex", `^\d+$`, "in 14 days", false, "no match"},
		{"regex: slashes are part of it", "regex", `/a/`, "a", false, "no match"},

		{"json: equal values, keys in any order", "json", `{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1}`, true, ""},
		{"json: the heuristics apply", "json", `{"a":1}`, "Sure:\n```json\n{\"a\":1,}\n```", true, ""},
		{"json: 1 is 1.0 and 1e0", "json", `[1,1,10]`, `[1.0,1e0,1E+1]`, true, ""},
		{"json: -0 is 0", "json", `[0]`, `[-0.0]`, true, ""},
		{"json: large integers are exact", "json", `[9007199254740993]`, `[9007199254740992]`, false, "/0: expected 9007199254740993, got 9007199254740992"},
		{"json: enormous exponents cost nothing", "json", `[1e999999999]`, `[10e999999998]`, true, ""},
		{"json: exponents beyond counting are compared as written", "json", `[1e99999999999]`, `[1e99999999998]`, false, "/0: expected 1e99999999999, got 1e99999999998"},
		{"json: a number is not its text", "json", `{"a":1}`, `{"a":"1"}`, false, `/a: expected 1, got "1"`},
		{"json: letters that look the same", "json", `{"a":"\u00f6"}`, `{"a":"o\u0308"}`, false, `/a: differs only in its Unicode form`},
		{"json: null is not false", "json", `{"a":null}`, `{"a":false}`, false, `/a: expected null, got false`},
		{"json: null is not absent", "json", `{"a":null}`, `{}`, false, `/a: missing`},
		{"json: a key too many", "json", `{}`, `{"a/b":1}`, false, `/a~1b: not expected`},
		{"json: lists have an order", "json", `[1,2]`, `[2,1]`, false, `/0: expected 1, got 2`},
		{"json: lists have a length", "json", `[1,2]`, `[1]`, false, `expected 2 items, got 1`},
		{"json: the place of a difference is a pointer", "json", `{"a":[{"b":1}]}`, `{"a":[{"b":2}]}`, false, `/a/0/b: expected 1, got 2`},
		{"json: a scalar", "json", `true`, `true`, true, ""},
		{"json: an answer that is none", "json", `{}`, `Sorry.`, false, "not JSON: Unexpected token 'S' in JSON at position 0"},

		{"number: the last one", "number", "42", "From 40 and 2 follows 42.", true, ""},
		{"number: a full stop ends the sentence, not the number", "number", "1234.5", "It is 1,234.5.", true, ""},
		{"number: thousands", "number", "1,234,567", "1234567", true, ""},
		{"number: a list is not one number", "number", "3", "1,2,3", true, ""},
		{"number: a group of four is no thousands group", "number", "2345", "1,2345", true, ""},
		{"number: sign", "number", "-5", "it fell to -5", true, ""},
		{"number: the true minus sign", "number", "-5", "it fell to −5", true, ""},
		{"number: a minus before a currency", "number", "-5", "a loss of -$5", true, ""},
		{"number: a hyphen between numbers is no sign", "number", "20", "10-20", true, ""},
		{"number: a hyphen behind a word is no sign", "number", "4", "see section-4", true, ""},
		{"number: spaced subtraction is no sign", "number", "3", "5 - 3", true, ""},
		{"number: percent is a unit", "number", "50%", "that is 50 %", true, ""},
		{"number: percent is no factor", "number", "0.5", "that is 50%", false, "the last number is 50"},
		{"number: scientific", "number", "1200", "1.2e3", true, ""},
		{"number: scientific with a sign", "number", "0.00012", "1.2E-4.", true, ""},
		{"number: em is no exponent", "number", "3", "3em", true, ""},
		{"number: a leading point", "number", "0.5", "p = .5", true, ""},
		{"number: digits in a name are none", "number", "7", "7 litres of H2O", true, ""},
		{"number: markdown around it", "number", "42", "**42**", true, ""},
		{"number: LaTeX around it", "number", "42", `\boxed{42}`, true, ""},
		{"number: within a billionth it is equal", "number", "0.3", "0.30000000000000004", true, ""},
		{"number: beyond that it is not", "number", "0.3", "0.3000001", false, "the last number is 0.3000001"},
		{"number: what was rounded is equal up to the tolerance", "number", "1", "1.00000001", false, "the last number is 1.00000001"},
		{"number: whole numbers are equal digit for digit", "number", "4155550123", "Call 4155550124.", false, "the last number is 4155550124"},
		{"number: a whole number with decimals", "number", "4155550123", "It is 4,155,550,123.00", true, ""},
		{"number: a citation is none", "number", "30", "Deleted files are kept for 30 days [2].", true, ""},
		{"number: nor is one behind the sentence", "number", "30", "They are kept for 30 days.[2][3]\n", true, ""},
		{"number: nor are several, or a footnote", "number", "30", "Kept for 30 days [1, 3], as it says [^2] (and [4–6]).", true, ""},
		{"number: a citation is not what was expected", "number", "2", "Deleted files are kept for 30 days [2].", false, "the last number is 30"},
		{"number: unless there is no other", "number", "2", "It is said here [2].", true, ""},
		{"number: a number in brackets by itself", "number", "30", "[30]", true, ""},
		{"number: one that a sign or a verb leads to", "number", "4", "2 + 2 = [4]", true, ""},
		{"number: one that a verb leads to", "number", "4", "Of 5 the answer is [4].", true, ""},
		{"number: one behind a colon", "number", "4", "Of 5 apples: [4]", true, ""},
		{"number: a list of JSON has no citations", "number", "3", `{"a": [1, 2], "b": [[1],[3]]}`, true, ""},
		{"number: none", "number", "1", "one", false, "no number found"},
		{"number: out of range is not infinity", "number", "1e400", "2e400", false, "the last number is 2e400"},

		{"equals: nothing is trimmed", "equals", "a", "a ", false, "differs at character 2: expected the end, got ' '"},
		{"equals: CRLF is LF", "equals", "a\r\nb", "a\nb", true, ""},
		{"contains_fold: case does not count", "contains_fold", "ÉTÉ", "en été", true, ""},
		{"contains_fold: a near miss says so", "contains_fold", "\u00d6l", "o\u0308l", false, "contained only with other letter case, white space or Unicode form"},
		{"contains_fold: missing", "contains_fold", "x", "y", false, "not contained"},
		{"prefix_fold", "prefix_fold", "dear", "DEAR Sir", true, ""},
		{"prefix_fold: elsewhere", "prefix_fold", "sir", "DEAR Sir", false, "does not start with it"},
		{"suffix_fold", "suffix_fold", "SIR", "Dear Sir", true, ""},
		{"suffix_fold: elsewhere", "suffix_fold", "dear", "Dear Sir", false, "does not end with it"},

		{"auto: slashes make a regular expression", "auto", `/^ok$/`, "ok", true, ""},
		{"auto: a slash alone is a text", "auto", `/`, "/", true, ""},
		{"auto: two slashes are a text", "auto", `//`, "//", true, ""},
		{"auto: an object is json", "auto", ` {"a":1} `, `{"a":1.0}`, true, ""},
		{"auto: a list is json", "auto", `[1]`, `[ 1 ]`, true, ""},
		{"auto: what only looks like an object is a text", "auto", `{a}`, `{a}`, true, ""},
		{"auto: a number is a number", "auto", `900`, `The total is 900.00 EUR`, true, ""},
		{"auto: a number with a unit is a text", "auto", `900 EUR`, `It is 900 EUR`, false, "differs at character 1: expected '9', got 'I'"},
		{"auto: leading zeros make a text", "auto", `007`, `7`, false, "differs at character 1: expected '0', got '7'"},
		{"auto: a JSON text is a text", "auto", `"a"`, `"a"`, true, ""},
		{"auto: anything else is exact", "auto", `Yes.`, `Yes. `, true, ""},
		{"no mode is auto", "", `900`, `900.0`, true, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			m, err := CompileMatch(c.expected, c.mode)
			if err != nil {
				t.Fatal(err)
			}
			expectMatch(t, m, c.answer, c.met, c.reason)
		})
	}
}

func expectMatch(t *testing.T, m *Criterion, answer string, met bool, reason string) {
	t.Helper()
	u := m.check(answerOf(answer))
	if met {
		if u != nil {
			t.Errorf("answer %q: unmet %+v, want met", answer, *u)
		}
		return
	}
	want := Unmet{Criterion: "expected_response", Expected: m.Expected, Actual: answer, Reason: reason}
	if u == nil || *u != want {
		t.Errorf("answer %q: unmet %+v, want %+v", answer, u, want)
	}
}

func TestFailProofMatch(t *testing.T) {
	for _, c := range []struct {
		rule, expected, mode string
	}{
		{"plain text is exact", "Yes, it is.", ModeExact},
		{"a question is exact", "Really? Yes (of course).", ModeExact},
		{"an ellipsis is exact", "Well...", ModeExact},
		{"a price is exact", "$5.00 + tax", ModeExact},
		{"a number is a number", "12", ModeNumber},
		{"an object is json", `{"re":"\\d+"}`, ModeJSON},
		{"slashes are a regular expression", "/a/", ModeRegex},
		{`\s is a regular expression`, `{"result":\s*"pass"}`, ModeRegex},
		{`\d is a regular expression`, `total \d+ EUR`, ModeRegex},
		{".* is a regular expression", "yes.*no", ModeRegex},
		{".+ is a regular expression", "yes.+no", ModeRegex},
		{"a repeated class is a regular expression", "[a-z]+", ModeRegex},
		{"a repeated negated class is a regular expression", "<[^>]+>", ModeRegex},
		{"a group without a name is a regular expression", "(?:ab)+", ModeRegex},
		{"a footnote is exact", "Free shipping (EU)* [1-3] days", ModeExact},
		{"a counted class is a regular expression", "[0-9]{3}", ModeRegex},
		{"a flag is a regular expression", "(?i)yes", ModeRegex},
		{"two anchors are a regular expression", "^yes$", ModeRegex},
		{"an example with a word boundary is a regular expression", `\byes\b`, ModeRegex},
	} {
		t.Run(c.rule, func(t *testing.T) {
			m, err := CompileMatch(c.expected, ModeFailProof)
			if err != nil {
				t.Fatal(err)
			}
			if m.Mode != c.mode {
				t.Errorf("CompileMatch(%q, ModeFailProof) has mode %s, want %s", c.expected, m.Mode, c.mode)
			}
		})
	}
}

func TestMatchFaults(t *testing.T) {
	for _, c := range []struct {
		rule, mode, expected, message string
		offset                        int
	}{
		{"C314: an unclosed group", "regex", `(`, "missing closing )", 0},
		{"C314: look-ahead", "regex", `ab(?=a)`, "RE2 has no look-around", 2},
		{"C314: look-behind", "regex", `ab(?<=a)`, "RE2 has no look-around", 2},
		{"C314: negative look-behind", "regex", `ab(?<!a)`, "RE2 has no look-around", 2},
		{"C314: a bad name of a group", "regex", `ab(?<a->a)`, "invalid named capture", 2},
		{"C314: a back reference", "regex", `(é)\1`, "invalid escape sequence", 3},
		{"C314: too many repeats", "regex", `a{1001}`, "invalid repeat count", 1},
		{"C314: repeats of repeats", "regex", `(a{1000}){1000}`, "invalid repeat count", 9},
		{"C314: deep nesting", "regex", strings.Repeat("(", 1100) + strings.Repeat(")", 1100), "at most 1024", 0},
		{"C317: invalid UTF-8", "regex", "a\xff", "invalid UTF-8", 1},
		{"a pattern beyond its length", "regex", strings.Repeat("a", 1025), "at most 1024", 0},
		{"in auto the place counts the slash", "auto", "/a)/", "unexpected )", 1},
		{"json that is none", "json", "{a}", "Unexpected token 'a' in JSON at position 1", 0},
		{"number without one", "number", "many", "found 0", 0},
		{"number with two", "number", "1 or 2", "found 2", 0},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := CompileMatch(c.expected, c.mode)
			var fault *CompileError
			if !errors.As(err, &fault) {
				t.Fatalf("CompileMatch(%q, %s) = %v, want a *CompileError", c.expected, c.mode, err)
			}
			if !strings.Contains(fault.Message, c.message) || fault.Offset != c.offset {
				t.Errorf("CompileMatch(%q, %s): %d %q, want %d and %q in it", c.expected, c.mode, fault.Offset, fault.Message, c.offset, c.message)
			}
			if strings.Contains(fault.Message, "\n") {
				t.Errorf("message %q has more than one line", fault.Message)
			}
		})
	}
}

func TestAlwaysTrue(t *testing.T) {
	for _, c := range []struct {
		mode, expected string
		always         bool
	}{
		{"regex", "", true}, {"regex", "a*", true}, {"regex", ".*", true}, {"regex", "^a?", true}, {"regex", "a*$", true},
		{"regex", "(a|b?)", true}, {"regex", "(?:a*)+", true}, {"regex", "a{0,3}", true},
		{"regex", "a", false}, {"regex", "a+", false}, {"regex", "^$", false}, {"regex", "^a*$", false}, {"regex", `\b`, false},
		{"regex", `\B`, false}, {"regex", "^", true}, {"regex", "(^|a)", false}, {"prefix", "", true}, {"prefix", "a", false},
		{"regex", "a{2}", false}, {"regex", "(a|b)", false}, {"regex", "a*b", false},
		{"contains", "", true}, {"contains", "a", false}, {"contains_fold", "", true}, {"suffix_fold", "", true},
		{"exact", "", false}, {"auto", "/x*/", true},
	} {
		m, err := CompileMatch(c.expected, c.mode)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.AlwaysTrue; got != c.always {
			t.Errorf("AlwaysTrue of %s %q = %v, want %v", c.mode, c.expected, got, c.always)
		}
	}
}

func TestCostlyPatternsAreNotTried(t *testing.T) {
	for _, c := range []struct {
		rule, pattern string
		bytes         int
		reason        string
	}{
		{"C315: a costly pattern on a long answer", strings.Repeat("(a*)*", 200) + "b", 256 << 10, "could not be evaluated: the pattern is too costly for an answer of 262144 bytes"},
		{"a costly pattern on a short answer", strings.Repeat("(a*)*", 200) + "b", 1 << 10, "no match"},
		{"a plain pattern on the longest answer", "we will (fully )?refund", 4 << 20, "no match"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			m, err := CompileMatch(c.pattern, "regex")
			if err != nil {
				t.Fatal(err)
			}
			if u := m.check(answerOf(strings.Repeat("a", c.bytes))); u == nil || u.Reason != c.reason {
				t.Errorf("unmet %+v, want the reason %q", u, c.reason)
			}
		})
	}
}

func TestUnmetIsCut(t *testing.T) {
	m, err := CompileMatch(strings.Repeat("é", 400), "exact")
	if err != nil {
		t.Fatal(err)
	}
	u := m.check(answerOf(strings.Repeat("日", 301)))
	if want := strings.Repeat("é", 299) + "…"; u.Expected != want {
		t.Errorf("Expected has %d runes, want 300 with an ellipsis", len([]rune(u.Expected)))
	}
	if want := strings.Repeat("日", 299) + "…"; u.Actual != want {
		t.Errorf("Actual has %d runes, want 300 with an ellipsis", len([]rune(u.Actual)))
	}
}

func TestAPatternThatForbids(t *testing.T) {
	for _, c := range []struct {
		source, text string
		want         bool
	}{
		{`^[^$]*$`, "We are glad and", true},
		{`^Dear [^$]*\z`, "Dear Ann, we are glad and", true},
		{`^(approve|deny)$`, "approve", false},            // half of it is neither
		{`(?s)^(yes|no).*$`, "yes, since the", false},     // whatever comes meets it
		{`refund`, "a refund is possible, and we", false}, // is there, whatever comes
		{`[^$]`, "We are glad", false},
	} {
		match, err := CompileMatch(c.source, ModeRegex)
		format, err2 := CompileFormat(FormatRegex, false, nil, c.source)
		form, err3 := CompileForm("regex", []string{c.source})
		if err = errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		for name, e := range map[string]*Expectation{"match": {Criteria: []*Criterion{match}}, "format": {Format: format}, "form": {Assertions: []*Criterion{form}}} {
			if got := e.MatchesByTruncation(c.text); got != c.want {
				t.Errorf("%s %s forbids what is behind %q: %v, want %v", name, c.source, c.text, got, c.want)
			}
		}
	}
}
