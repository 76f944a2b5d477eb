package expect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// value reads JSON that a test writes, numbers as json.Number.
func value(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("the test's own JSON %s: %v", text, err)
	}
	return v
}

func TestReadJSON(t *testing.T) {
	const fence = "```"
	for _, c := range []struct {
		rule, text string
		want       string // JSON
		repairs    string // names, joined by a comma
	}{
		{"strict JSON is taken as it is", `{"a":1}`, `{"a":1}`, ""},
		{"a list is JSON", `[1,2]`, `[1,2]`, ""},
		{"a scalar is JSON: a text", `"x"`, `"x"`, ""},
		{"a scalar is JSON: a number", `42`, `42`, ""},
		{"a scalar is JSON: null", `null`, `null`, ""},
		{"a scalar is JSON: true", ` true `, `true`, ""},
		{"JSON's own white space around it is no repair", " \r\n\t{\"a\":1}\n", `{"a":1}`, ""},
		{"an empty object", `{}`, `{}`, ""},
		{"of a key written twice the last value counts", `{"a":1,"a":2}`, `{"a":2}`, ""},
		{"strict JSON with a fence in a string is not unwrapped", `{"md":"` + fence + `json\n{}\n` + fence + `"}`, `{"md":"` + fence + `json\n{}\n` + fence + `"}`, ""},
		{"strict JSON with a comma before a bracket in a string stays", `{"a":"x,]"}`, `{"a":"x,]"}`, ""},

		{"a block labelled json", fence + "json\n{\"a\":1}\n" + fence, `{"a":1}`, "fenced_block"},
		{"a block labelled JSON", fence + "JSON\n{\"a\":1}\n" + fence, `{"a":1}`, "fenced_block"},
		{"a block without a label", fence + "\n[1]\n" + fence, `[1]`, "fenced_block"},
		{"a block labelled otherwise that holds an object", fence + "javascript\n{\"a\":1}\n" + fence, `{"a":1}`, "fenced_block"},
		{"a block with words around it", "Here it is:\n\n" + fence + "json\n{\"a\":1}\n" + fence + "\nAnything else?", `{"a":1}`, "fenced_block"},
		{"a block with Windows line ends", fence + "json\r\n{\"a\":1}\r\n" + fence + "\r\n", `{"a":1}`, "fenced_block"},
		{"a block on one line", fence + `json {"a":1}` + fence, `{"a":1}`, "fenced_block"},
		{"a block on one line without a label", fence + `{"a":1}` + fence, `{"a":1}`, "fenced_block"},
		{"a block that opens and begins on one line", fence + "json {\"a\":1,\n\"b\":2}\n" + fence, `{"a":1,"b":2}`, "fenced_block"},
		{"a block that closes behind its last line", fence + "json\n{\"a\":1}" + fence, `{"a":1}`, "fenced_block"},
		{"a block that is never closed", fence + "json\n{\"a\":1}\n", `{"a":1}`, "fenced_block"},
		{"a block of tildes", "~~~json\n{\"a\":1}\n~~~", `{"a":1}`, "fenced_block"},
		{"a block of four marks may hold three", "````json\n{\"a\":\"" + fence + "\"}\n````", `{"a":"` + fence + `"}`, "fenced_block"},
		{"an indented block", "  " + fence + "json\n  {\"a\":1}\n  " + fence, `{"a":1}`, "fenced_block"},
		{"a quoted block", "> " + fence + "json\n{\"a\":1}\n> " + fence, `{"a":1}`, "fenced_block"},
		{"the block labelled json wins over an earlier one", fence + "\n{\"a\":0}\n" + fence + "\n" + fence + "json\n{\"a\":1}\n" + fence, `{"a":1}`, "fenced_block"},
		{"several blocks labelled json that say the same", fence + "json\n{\"a\":1,\"b\":2}\n" + fence + "\nIn short:\n" + fence + "json\n{\"b\":2.0,\"a\":1}\n" + fence, `{"a":1,"b":2}`, "fenced_block"},
		{"a second block labelled json that is none", fence + "json\n{\"a\":1}\n" + fence + "\n" + fence + "json\n{\"a\": ...}\n" + fence, `{"a":1}`, "fenced_block"},
		{"a block of a shell is passed over", fence + "sh\nls\n" + fence + "\n{\"a\":1}", `{"a":1}`, "bracket_span"},
		{"a marker inside the block's string does not end it", fence + "json\n{\"a\":\"" + fence + "x\"}\n" + fence, `{"a":"` + fence + `x"}`, "fenced_block"},
		{"a block with words inside", fence + "json\nResult: {\"a\":1}\n" + fence, `{"a":1}`, "fenced_block,bracket_span"},
		{"a block with a trailing comma", fence + "json\n{\"a\":1,}\n" + fence, `{"a":1}`, "fenced_block,trailing_commas"},
		{"a block with a raw line feed in a string", fence + "json\n{\"a\":\"x\ny\"}\n" + fence, `{"a":"x\ny"}`, "fenced_block,string_escapes"},
		{"all four on one text", "Sure!\n" + fence + "json\nResult: {\"a\":\"it\\'s\",}\n" + fence, `{"a":"it's"}`, "fenced_block,bracket_span,trailing_commas,string_escapes"},

		{"words before an object", `The answer: {"a":1}`, `{"a":1}`, "bracket_span"},
		{"words after an object", `{"a":1} is the answer.`, `{"a":1}`, "bracket_span"},
		{"words around a list", `So [1,2] it is.`, `[1,2]`, "bracket_span"},
		{"a byte order mark before it", "\ufeff{\"a\":1}", `{"a":1}`, "bracket_span"},
		{"a no-break space after it", "{\"a\":1}\u00a0", `{"a":1}`, "bracket_span"},
		{"a full stop after it", `{"a":1}.`, `{"a":1}`, "bracket_span"},
		{"a semicolon after it", `{"a":1};`, `{"a":1}`, "bracket_span"},
		{"an assignment before it", `const x = {"a":1}`, `{"a":1}`, "bracket_span"},
		{"of two spans that parse the longer: the object", `[1] and {"a":1}`, `{"a":1}`, "bracket_span"},
		{"of two spans that parse the longer: the list", `{} and [1,2]`, `[1,2]`, "bracket_span"},
		{"a list of objects is a list", `Here: [{"a":1},{"a":2}]`, `[{"a":1},{"a":2}]`, "bracket_span"},
		{"an object with a list is an object", `Here: {"a":[1,2]}`, `{"a":[1,2]}`, "bracket_span"},
		{"footnotes around an object do not count", `See [1]. {"a":1} [2]`, `{"a":1}`, "bracket_span"},
		{"set braces around a list do not count", `For {x} it is [1,2], for {y} too.`, `[1,2]`, "bracket_span"},
		{"brackets inside the strings do no harm", `Here: {"a":"}{]["} done`, `{"a":"}{]["}`, "bracket_span"},
		{"quotes in the words around do no harm", `He said "yes": {"a":"b"} and "no"`, `{"a":"b"}`, "bracket_span"},

		{"a trailing comma in an object", `{"a":1,}`, `{"a":1}`, "trailing_commas"},
		{"a trailing comma in a list", `[1,2,]`, `[1,2]`, "trailing_commas"},
		{"trailing commas at every level", `{"a":[1,{"b":2,},],}`, `{"a":[1,{"b":2}]}`, "trailing_commas"},
		{"a trailing comma before white space", "{\"a\":1 , \n}", `{"a":1}`, "trailing_commas"},
		{"a trailing comma after a string", `["x",]`, `["x"]`, "trailing_commas"},
		{"a trailing comma in an object that holds a list", `{"a":[1],}`, `{"a":[1]}`, "trailing_commas"},
		{"a comma and a bracket in a string stay while others go", `{"a":"x,]","b":[1,],}`, `{"a":"x,]","b":[1]}`, "trailing_commas"},
		{"an escaped quote does not end a string", `{"a":"\",}","b":1,}`, `{"a":"\",}","b":1}`, "trailing_commas"},
		{"an escaped backslash does not escape the quote", `{"a":"\\",}`, `{"a":"\\"}`, "trailing_commas"},
		{"words around and a trailing comma", `Here: {"a":1,} ok`, `{"a":1}`, "bracket_span,trailing_commas"},

		{"a raw line feed in a string", "{\"a\":\"x\ny\"}", `{"a":"x\ny"}`, "string_escapes"},
		{"a raw tab in a string", "{\"a\":\"x\ty\"}", `{"a":"x\ty"}`, "string_escapes"},
		{"a raw carriage return in a string", "{\"a\":\"x\r\ny\"}", `{"a":"x\r\ny"}`, "string_escapes"},
		{"another control character in a string", "{\"a\":\"x\x01y\"}", `{"a":"x\u0001y"}`, "string_escapes"},
		{"a raw line feed in a key", "{\"a\nb\":1}", `{"a\nb":1}`, "string_escapes"},
		{"an escaped apostrophe", `{"a":"it\'s"}`, `{"a":"it's"}`, "string_escapes"},
		{"an underscore escaped as Markdown does", `{"a\_b":1}`, `{"a_b":1}`, "string_escapes"},
		{"an escaped dollar sign", `{"a":"\$5"}`, `{"a":"$5"}`, "string_escapes"},
		{"a class of a regular expression keeps its backslash", `{"re":"\d+\s"}`, `{"re":"\\d+\\s"}`, "string_escapes"},
		{"a Windows path keeps its backslashes", `{"p":"C:\Program\docs"}`, `{"p":"C:\\Program\\docs"}`, "string_escapes"},
		{"an escaped byte", `{"a":"\x41"}`, `{"a":"A"}`, "string_escapes"},
		{"an unfinished escaped byte keeps its backslash", `{"a":"\xg"}`, `{"a":"\\xg"}`, "string_escapes"},
		{"an unfinished escaped rune keeps its backslash", `{"a":"\u12"}`, `{"a":"\\u12"}`, "string_escapes"},
		{"a line continued with a backslash keeps its line feed", "{\"a\":\"x\\\ny\"}", `{"a":"x\ny"}`, "string_escapes"},
		{"a backslash before a letter outside ASCII stays", `{"a":"\é"}`, `{"a":"\\é"}`, "string_escapes"},
		{"good escapes stay while others are mended", `{"a":"\"\\\/\b\f\n\r\t\u0041\'"}`, `{"a":"\"\\/\b\f\n\r\tA'"}`, "string_escapes"},
		{"a trailing comma and a raw line feed", "{\"a\":\"x\ny\",}", `{"a":"x\ny"}`, "trailing_commas,string_escapes"},
		{"text in other scripts stays as it is", `Voilà: {"naïve":"日本語 👍"}`, `{"naïve":"日本語 👍"}`, "bracket_span"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := readJSON(c.text)
			if got.fault != "" {
				t.Fatalf("readJSON(%q): fault %q, want %s", c.text, got.fault, c.want)
			}
			if diff := cmp.Diff(value(t, c.want), got.value); diff != "" {
				t.Errorf("readJSON(%q) (-want +got):\n%s", c.text, diff)
			}
			if repairs := strings.Join(got.repairs, ","); repairs != c.repairs {
				t.Errorf("readJSON(%q) repairs %q, want %q", c.text, repairs, c.repairs)
			}
		})
	}
}

func TestJSONFault(t *testing.T) {
	const fence = "```"
	for _, c := range []struct{ rule, text, want string }{
		{"the specification's own example", `The answer is 4.`, `Unexpected token 'T' in JSON at position 0`},
		{"an object that ends early", `{"a":1`, `Unexpected end of JSON input`},
		{"two blocks labelled json that differ", fence + "json\n{\"a\":1}\n" + fence + "\nOn reflection:\n" + fence + "json\n{\"a\":2}\n" + fence, faultBlocks},
		{"two blocks without a label that differ", fence + "\n{\"a\":1}\n" + fence + "\n" + fence + "\n[2]\n" + fence, faultBlocks},
		{"a string that ends early", `{"a":"x`, `Unexpected end of JSON input`},
		{"a list that ends early", `[1,`, `Unexpected end of JSON input`},
		{"nothing", ``, `Unexpected end of JSON input`},
		{"white space", ` `, `Unexpected end of JSON input`},
		{"a word that is no value", `{"a": tru}`, `Unexpected token '}' in JSON at position 9`},
		{"a key without quotes", `{a: 1}`, `Unexpected token 'a' in JSON at position 1`},
		{"single quotes", `{'a': 1}`, `Unexpected token '\'' in JSON at position 1`},
		{"a number with a leading zero", `[01]`, `Unexpected token '1' in JSON at position 2`},
		{"not a number", `{"a": NaN}`, `Unexpected token 'N' in JSON at position 6`},
		{"positions count characters, not bytes", `["é" x]`, `Unexpected token 'x' in JSON at position 5`},
		{"the character that does not fit is shown whole", `["a" é]`, `Unexpected token 'é' in JSON at position 5`},
		{"a comma where no value stands is no trailing comma", `[,]`, `Unexpected token ',' in JSON at position 1`},
		{"two commas are no trailing comma", `[1,,]`, `Unexpected token ',' in JSON at position 3`},
		{"a comma after a colon is no trailing comma", `{"a":,}`, `Unexpected token ',' in JSON at position 5`},
		{"a missing comma is never put in", `{"a":1 "b":2}`, `Unexpected token '"' in JSON at position 7`},
		{"comments are never taken out", `{"a":1 /* x */}`, `Unexpected token '/' in JSON at position 7`},
		{"two objects are not one", `{"a":1} {"b":2}`, `Unexpected token '{' in JSON at position 8`},
		{"in a block the position is the answer's", fence + "json\n{a:1}\n" + fence, `Unexpected token 'a' in JSON at position 9`},
		{"what was mended is not the news", `{"a":1,,"b":"it\'s"}`, `Unexpected token ',' in JSON at position 7`},
		{"a mended string does not shift the position", `{"a":"it\'s\d", b:1}`, `Unexpected token 'b' in JSON at position 16`},
		{"words that hold a broken object: the words are the news", `Well: {a}`, `Unexpected token 'W' in JSON at position 0`},
		{"a broken object is not its list", `{"a":[1,2],"b":tru}`, `Unexpected token '}' in JSON at position 18`},
		{"a broken list is not its object", `[{"a":1}, tru]`, `Unexpected token ']' in JSON at position 13`},
		{"a scalar in a block is no object", fence + "json\n42\n" + fence, `Expected a JSON object or array`},
		{"bytes that are no UTF-8 are not replaced", "{\"a\":\"é\xff\"}", `Invalid UTF-8 in JSON at position 7`},
		{"beyond the depth that is read", strings.Repeat("[", 20000), `Nesting deeper than 10000 levels in JSON at position 10000`},
		{"a dialect's quotes", "{\u201ca\u201d:1}", `Unexpected token '“' in JSON at position 1`},
		{"an escaped object is no object", `{\"a\":1}`, `Unexpected token '\\' in JSON at position 1`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := readJSON(c.text).fault; got != c.want {
				t.Errorf("readJSON(%q) fault %q, want %q", truncate(c.text, 60), got, c.want)
			}
		})
	}
}

func TestStrictJSON(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"an object", ` {"a":1} `, ""},
		{"a byte order mark is not JSON", "\ufeff{}", "Unexpected token '\\ufeff' in JSON at position 0"},
		{"a fenced block is not JSON", "```json\n{}\n```", "Unexpected token '`' in JSON at position 0"},
		{"a trailing comma is not JSON", `{"a":1,}`, `Unexpected token '}' in JSON at position 7`},
		{"a no-break space is not JSON's white space", "\u00a0{}", "Unexpected token '\\u00a0' in JSON at position 0"},
		{"text after the value", `{} x`, `Unexpected token 'x' in JSON at position 3`},
		{"a raw line feed in a string", "{\"a\":\"\n\"}", `Unexpected token '\n' in JSON at position 6`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := strictJSON(c.text).fault; got != c.want {
				t.Errorf("strictJSON(%q) fault %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// hostile returns answers made to cost a careless reader quadratic time, or its stack.
func hostile(n int) map[string]string {
	return map[string]string{
		"opening brackets":             strings.Repeat("[", n),
		"opening objects":              strings.Repeat(`{"a":`, n/5),
		"opening and closing":          strings.Repeat("[", n/2) + strings.Repeat("]", n/2),
		"opening and closing, uneven":  strings.Repeat("[", n/2) + strings.Repeat("]", n/2-1) + "}",
		"quotes":                       strings.Repeat(`"`, n),
		"backslashes":                  `{"` + strings.Repeat(`\`, n) + `}`,
		"escaped quotes":               `{"` + strings.Repeat(`\"`, n/2) + `}`,
		"bad escapes":                  `{"a":"` + strings.Repeat(`\d`, n/2) + `"`,
		"commas":                       "[1" + strings.Repeat(",", n) + "]",
		"trailing commas":              "[" + strings.Repeat("[1,],", n/5) + "]",
		"fences":                       strings.Repeat("```\n", n/4),
		"fences that never close":      strings.Repeat("```json {\n", n/10),
		"fences of growing length":     growingFences(n),
		"braces in words":              strings.Repeat("{x} [y] ", n/8),
		"keys without end":             `{` + strings.Repeat(`"a":1,`, n/6),
		"control characters":           "{\"a\":\"" + strings.Repeat("\n", n) + "\"",
		"bytes that are no UTF-8":      strings.Repeat("\xff", n),
		"digits":                       "[" + strings.Repeat("1", n) + ",]",
		"white space before a bracket": "[1," + strings.Repeat(" ", n) + "x]",
	}
}

func growingFences(n int) string {
	var b strings.Builder
	for i := 3; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("`", i) + "\n")
	}
	return b.String()
}

func TestHostileJSONIsRead(t *testing.T) {
	for name, text := range hostile(512 << 10) {
		t.Run(name, func(t *testing.T) {
			if r := readJSON(text); r.fault == "" && r.value == nil {
				t.Errorf("neither a value nor a fault")
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, "```json\n{\"a\":\"\\d\",}\n```", `x [1,] {"a":[2]} y`, "{\"a\":\"\n\\'\"}", `"`, "\xff{}", "[[[", `{"a":"\x4`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := readJSON(text)
		strict := strictJSON(text)
		if strict.fault == "" {
			if got.fault != "" || len(got.repairs) > 0 || !cmp.Equal(strict.value, got.value) {
				t.Fatalf("strict JSON %q was changed: %v, repairs %v, fault %q", text, got.value, got.repairs, got.fault)
			}
			return
		}
		if got.fault == "" {
			if len(got.repairs) == 0 {
				t.Fatalf("%q is not JSON and was read without a repair", text)
			}
			switch got.value.(type) {
			case map[string]any, []any:
			default:
				t.Fatalf("%q was mended to a scalar: %v", text, got.value)
			}
		}
		if again := readJSON(text); again.fault != got.fault || !cmp.Equal(again.value, got.value) {
			t.Fatalf("%q was read in two ways", text)
		}
	})
}

func BenchmarkReadJSON(b *testing.B) {
	for name, text := range hostile(1 << 20) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				readJSON(text)
			}
		})
	}
}
