package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/fulltest"
)

func TestJSONFaults(t *testing.T) {
	cases := []struct {
		rule string
		text string
		want []string
	}{
		{"nothing is no value", "", []string{"1:1 empty: "}},
		{"white space is no value", " \n\t", []string{"2:2 empty: "}},
		{"C145: YAML is not JSON", "id: a\n", []string{"1:1 syntax: not JSON: …name it .yaml"}},
		{"two values are one too many", "{} {}", []string{"1:4 syntax: …after top-level value"}},
		{"C109: a key that stands twice names both lines", "{\"a\": 1,\n\"b\": {\"a\": 2, \"a\": 3},\n\"a\": 4}",
			[]string{"2:15 duplicate-key: key \"a\" is also at line 2", "3:1 duplicate-key: key \"a\" is also at line 1"}},
		{"an escape makes no other key", `{"a": 1, "\u0061": 2}`, []string{"1:10 duplicate-key: "}},
		{"a key of many stands twice too", `{` + manyKeys(40) + `"k20": 1, "k3": 2}`, []string{"…duplicate-key: key \"k20\"", "…duplicate-key: key \"k3\""}},
		{"a comma ends no map", `{"a": 1,}`, []string{"1:9 syntax: …no comma stands before }"}},
		{"a comma ends no list", `[1,]`, []string{"1:4 syntax: …no comma stands before ]"}},
		{"a comma begins no list", `[,1]`, []string{"1:2 syntax: …',' looking for beginning of value"}},
		{"a comma parts items", `[1 2]`, []string{"1:4 syntax: …after array element"}},
		{"a colon parts key and value", `{"a" 1}`, []string{"1:6 syntax: …after object key"}},
		{"a key is text", `{1: 2}`, []string{"1:2 syntax: …a key has double quotes"}},
		{"a key has quotes", `{a: 2}`, []string{"1:2 syntax: …a key has double quotes"}},
		{"text has double quotes", `['a']`, []string{"1:2 syntax: …JSON has text in double quotes"}},
		{"comments are none", "[ // x\n1]", []string{"1:3 syntax: …comments are not allowed"}},
		{"a map ends", `{"a": [1, {"b": 2}`, []string{"1:19 syntax: …unexpected end"}},
		{"a string ends", `{"a": "b`, []string{"1:9 syntax: …unexpected end"}},
		{"a string ends on its line", "[\"a\n\"]", []string{"1:4 syntax: …write the character as an escape, such as \\n"}},
		{"C119: NUL is refused", "[\"a\x00\"]", []string{"1:4 syntax: …'\\x00' in string literal"}},
		{"C120: invalid UTF-8 is refused", "[\"a\xff\"]", []string{"1:4 encoding: "}},
		{"C121: half a pair is refused", `["a\ud800"]`, []string{`1:4 encoding: …half of a surrogate pair`}},
		{"C121: the second half too", `["\udc00\ud800"]`, []string{`1:3 encoding: …half of a surrogate pair`}},
		{"C121: two first halves too", `["\ud800\ud800"]`, []string{`1:3 encoding: …half of a surrogate pair`}},
		{"an escape is known", `["\x41"]`, []string{`1:4 syntax: …a backslash is written \\`}},
		{"an escape is whole", `["\u12g4"]`, []string{`1:7 syntax: …hexadecimal character escape`}},
		{"an escape does not end the text", `["\`, []string{`1:3 syntax: `}},
		{"C118: a bare CR is refused", "[1,\r2]", []string{"1:4 line-break: "}},
		{"a merge conflict is named", "{\n<<<<<<< HEAD\n\"a\": 1}", []string{"2:1 merge-conflict: merge conflict marker `<<<<<<<`"}},
		{"a byte order mark inside is refused", "[\uFEFF1]", []string{`1:2 syntax: …looking for beginning of value`}},
		{"words of JSON are in small letters", "[True]", []string{`1:2 syntax: …'T' looking for beginning of value`}},
		{"C123: 200 000 open brackets are too deep", strings.Repeat("[", 200_000), []string{"1:10001 too-deep: "}},
		{"C123: brackets that close are too deep at the 33rd", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), []string{"1:33 too-deep: "}},
		{"33 levels are too deep", strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), []string{"1:161 too-deep: "}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			_, ds := ParseJSON("f.json", c.text, Position{1, 1})
			matches(t, ds, c.want...)
		})
	}
}

// manyKeys returns n entries of a map, k0, k1 and so on.
func manyKeys(n int) string {
	out := ""
	for i := range n {
		out += fmt.Sprintf(`"k%d": 0, `, i)
	}
	return out
}

func TestJSONIsReadAsItIs(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `12.50`, `""`, `[]`, `{}`, ` [ 1 , "a" , { "b" : null } ] `,
		`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\u0000"`, "\"é\u2028\u007f\"", `{"":1," ":2,"a/b":3,"a~b":4,"a%b":5}`,
		"{\r\n\t\"a\": [\r\n1]}", strings.Repeat("[", 32) + strings.Repeat("]", 32),
	} {
		root, ds := ParseJSON("f.json", text, Position{1, 1})
		matches(t, ds)
		var want any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if got := root.Value(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %#v, want %#v", text, got, want)
		}
	}
}

func TestALineOfAFileBeginsAtItsPlace(t *testing.T) {
	root, ds := ParseJSON("f.jsonl", `{"é": ["ü", -1]}`, Position{7, 3})
	matches(t, ds, "7:15 number: ")
	if at := root.Keys[0].Pos; at != (Position{7, 4}) {
		t.Errorf("the key is at %v", at)
	}
	if at := root.Get("é").List()[0].Pos; at != (Position{7, 10}) {
		t.Errorf("the item is at %v", at)
	}
}

func TestAByteOrderMarkOfJSONIsLeftOut(t *testing.T) {
	root, ds := Parse("f.json", []byte("\uFEFF[1]"))
	matches(t, ds, "1:1 warning byte-order-mark: ")
	if root.List()[0].Pos != (Position{1, 2}) {
		t.Errorf("the item is at %v", root.List()[0].Pos)
	}
}

// bigSuite returns JSON with a number of cases. Half a million are close to the limit of a file.
func bigSuite(cases int) []byte {
	var b strings.Builder
	b.WriteString(`{"version": 1, "cases": [`)
	for i := range cases {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString(`{"id": "case-`)
		b.WriteString(strings.Repeat("7", 6))
		b.WriteString(`", "vars": {"amount": "900 EUR", "name": "Müller"}, "expected_response": "A refund\n of it all"}`)
	}
	b.WriteString("]}\n")
	return []byte(b.String())
}

func TestHalfAMillionCasesAreRead(t *testing.T) {
	if testing.Short() {
		t.Skip("large files are for the run in full")
	}
	n := fulltest.Count(50_000, 500_000)
	root, ds := Parse("f.json", bigSuite(n))
	matches(t, ds)
	cases := root.Get("cases")
	if len(cases.List()) != n {
		t.Fatalf("%d cases", len(cases.List()))
	}
	if last := cases.List()[n-1]; last.Pos != (Position{n, 1}) {
		t.Errorf("the last case is at %v", last.Pos)
	}
}

func TestTooManyValuesAreRefused(t *testing.T) {
	f := &Diagnostics{Path: "f.json"}
	if root := parseJSON(f, "["+strings.Repeat("1,", 100)+"1]", Position{1, 1}, 50, false); root != nil {
		t.Error("a tree was made of them")
	}
	matches(t, f.All(), "1:100 too-large: ")
}

func BenchmarkParseJSON(b *testing.B) {
	data := bigSuite(500_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Parse("f.json", data)
	}
}

func BenchmarkParseYAML(b *testing.B) {
	data := []byte("cases:\n" + strings.Repeat("  - id: a\n    vars: { amount: 900 EUR, name: Müller }\n", 5000))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Parse("f.yaml", data)
	}
}
