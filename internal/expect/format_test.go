package expect

import (
	"errors"
	"strings"
	"testing"
)

const orderSchema = `{
	"type": "object",
	"required": ["total"],
	"additionalProperties": false,
	"properties": {
		"total": {"type": "number", "minimum": 0},
		"items": {"type": "array", "items": {"$ref": "#/$defs/item"}, "uniqueItems": true},
		"a/b": {"type": "string"}
	},
	"$defs": {"item": {"type": "object", "properties": {"name": {"type": "string"}}}}
}`

func TestFormat(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for _, c := range []struct {
		rule         string
		kind         string
		strict       bool
		schema       string
		pattern      string
		answer, want string // want "": the format is met
	}{
		{rule: "json: any value", kind: "json", answer: `"x"`},
		{rule: "json: a fenced block counts", kind: "json", answer: "```json\n{}\n```"},
		{rule: "json: the specification's own example", kind: "json", answer: "The answer is 4.", want: "Unexpected token 'T' in JSON at position 0"},
		{rule: "json, strict: a fenced block does not count", kind: "json", strict: true, answer: "```json\n{}\n```", want: "Unexpected token '`' in JSON at position 0"},
		{rule: "json, strict: a trailing comma does not count", kind: "json", strict: true, answer: `[1,]`, want: "Unexpected token ']' in JSON at position 3"},
		{rule: "json, strict: JSON's own white space counts", kind: "json", strict: true, answer: "\n{}\n"},

		{rule: "schema: met", kind: "json", schema: orderSchema, answer: `{"total": 9, "items": [{"name": "x"}]}`},
		{rule: "schema: the wrong type, with its place", kind: "json", schema: orderSchema, answer: `{"total": "9"}`, want: "/total: expected number, but got string"},
		{rule: "schema: the place may be deep", kind: "json", schema: orderSchema, answer: `{"total": 1, "items": [{}, {"name": 2}]}`, want: "/items/1/name: expected string, but got number"},
		{rule: "schema: a slash in a key is escaped as in a pointer, and only so", kind: "json", schema: orderSchema, answer: `{"total": 1, "a/b": 2}`, want: "/a~1b: expected string, but got number"},
		{rule: "schema: a key that is missing", kind: "json", schema: orderSchema, answer: `{}`, want: "the answer: missing properties: 'total'"},
		{rule: "schema: keys too many, in order", kind: "json", schema: orderSchema, answer: `{"total": 1, "z": 1, "b": 1, "y": 1}`, want: "the answer: additionalProperties 'b', 'y', 'z' not allowed"},
		{rule: "schema: the first of several faults, the others counted", kind: "json", schema: orderSchema, answer: `{"total": "9", "items": 1, "a/b": 2}`, want: "/a~1b: expected string, but got number (and 2 more)"},
		{rule: "schema: the whole answer is of the wrong type", kind: "json", schema: orderSchema, answer: `[]`, want: "the answer: expected object, but got array"},
		{rule: "schema: a repaired answer is checked", kind: "json", schema: orderSchema, answer: `{"total": -1,}`, want: "/total: must be >= 0 but found -1"},
		{rule: "schema: a number too large to write out", kind: "json", schema: orderSchema, answer: `{"total": 1e999999999}`, want: "/total: number out of range"},
		{rule: "schema: a number too small to write out", kind: "json", schema: orderSchema, answer: `{"total": 1e-999999999}`, want: "/total: number out of range"},
		{rule: "schema: too many items to compare pairwise", kind: "json", schema: orderSchema, answer: `{"total": 1, "items": [` + strings.Repeat("{},", 5000) + `{}]}`, want: "/items: more than 5000 items, too many to compare with each other"},

		{rule: "yaml: a mapping", kind: "yaml", answer: "a: 1\nb: [x]\n"},
		{rule: "yaml: a list", kind: "yaml", answer: "- a\n- b\n"},
		{rule: "yaml: JSON is YAML", kind: "yaml", answer: `{"a": 1}`},
		{rule: "yaml: a fenced block counts", kind: "yaml", answer: "Here:\n```yaml\na: 1\n```\n"},
		{rule: "yaml, strict: a fenced block does not count", kind: "yaml", strict: true, answer: "```yaml\na: 1\n```", want: "Not YAML: "},
		{rule: "yaml: a sentence is none", kind: "yaml", answer: "Just a sentence.", want: "Expected a YAML mapping or list, but got a plain text"},
		{rule: "yaml: two documents are too many", kind: "yaml", answer: "a: 1\n---\nb: 2\n", want: "Not YAML: expected single document, found multiple"},
		{rule: "yaml: a faulty second document is a fault", kind: "yaml", answer: "a: 1\n---\nb: [\n", want: "Not YAML: "},
		{rule: "yaml: a comment is no document", kind: "yaml", answer: "# nothing\n", want: "Not YAML: no documents in stream"},
		{rule: "yaml: unclosed", kind: "yaml", answer: "a: [1\n", want: "Not YAML: load error in parser (while parsing a flow sequence) at L1.C4"},
		{rule: "yaml: a key written twice", kind: "yaml", answer: "a: 1\na: 2\n", want: `YAML key "a" at line 2 is there twice`},
		{rule: "yaml: a list as a key", kind: "yaml", answer: "? [a]\n: 1\n", want: "YAML key at line 1 is not a plain text"},
		{rule: "yaml: aliases are not followed", kind: "yaml", answer: "a: &x [1]\nb: *x\n", want: "YAML alias at line 2; aliases are not followed"},
		{rule: "yaml: too deep", kind: "yaml", answer: deep, want: "YAML nested deeper than 200 levels at line 1"},
		{rule: "yaml: too long", kind: "yaml", answer: strings.Repeat("- a\n", 300000), want: "The answer has 1200000 bytes; YAML is read up to 1048576"},
		{rule: "yaml: a schema sees its numbers, booleans and nulls", kind: "yaml", schema: `{"properties":{"a":{"type":"integer"},"b":{"type":"boolean"},"c":{"type":"null"},"d":{"type":"string"}}}`, answer: "a: 1\nb: true\nc: null\nd: x\n"},
		{rule: "yaml: a schema is checked", kind: "yaml", schema: orderSchema, answer: "total: nine\n", want: "/total: expected number, but got string"},

		{rule: "xml: one element", kind: "xml", answer: "<a b='1'><c/>text</a>\n"},
		{rule: "xml: with a declaration, a type and comments around it", kind: "xml", answer: "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!DOCTYPE a>\n<!-- x -->\n<a/>\n<!-- y -->"},
		{rule: "xml: a fenced block counts", kind: "xml", answer: "```xml\n<a/>\n```"},
		{rule: "xml, strict: a fenced block does not count", kind: "xml", strict: true, answer: "```xml\n<a/>\n```", want: "Text outside the XML root element at line 2, column 1"},
		{rule: "xml: not closed", kind: "xml", answer: "<a><b></a>", want: "Not XML: syntax error on line 1: element <b> closed by </a>"},
		{rule: "xml: ends early", kind: "xml", answer: "<a>", want: "Not XML: syntax error on line 1: unexpected EOF"},
		{rule: "xml: two roots", kind: "xml", answer: "<a/><b/>", want: "Second XML root element <b> at line 1, column 9"},
		{rule: "xml: text after the root", kind: "xml", answer: "<a/> Done.", want: "Text outside the XML root element at line 1, column 11"},
		{rule: "xml: text only", kind: "xml", answer: "Done.", want: "Text outside the XML root element at line 1, column 6"},
		{rule: "xml: no element", kind: "xml", answer: "<!-- x -->", want: "Expected an XML element, but found none"},
		{rule: "xml: an attribute written twice", kind: "xml", answer: "<a x='1' x='2'/>", want: "XML attribute x is there twice at line 1, column 17"},
		{rule: "xml: entities of its own are not expanded", kind: "xml", answer: "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", want: "Not XML: syntax error on line 1: invalid character entity &x;"},

		{rule: "regex: found", kind: "regex", pattern: `^\d{4}-\d\d$`, answer: "2026-01"},
		{rule: "regex: not found", kind: "regex", pattern: `^\d{4}-\d\d$`, answer: "January", want: `The answer does not match the pattern "^\\d{4}-\\d\\d$"`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var schema []byte
			if c.schema != "" {
				schema = []byte(c.schema)
			}
			f, err := CompileFormat(c.kind, c.strict, schema, c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			got := f.fault(answerOf(c.answer))
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("answer %q: fault %q, want %q", truncate(c.answer, 80), got, c.want)
			}
			if again := f.fault(answerOf(c.answer)); again != got {
				t.Errorf("the same answer is faulted in two ways: %q and %q", got, again)
			}
		})
	}
}

func TestFormatFaults(t *testing.T) {
	for _, c := range []struct{ rule, kind, schema, pattern, message string }{
		{"regex with an invalid pattern", "regex", "", "(", "missing closing )"},
		{"a schema that is no JSON", "json", "{", "", "the schema is not JSON: Unexpected end of JSON input"},
		{"a schema that is none", "json", `{"type": "text"}`, "", "not a JSON Schema: /type: "},
		{"a schema that refers to an address", "json", `{"$ref": "https://example.com/x.json"}`, "", "a schema may only refer to itself"},
		{"a schema that refers to a file", "json", `{"$ref": "other.json"}`, "", "a schema may only refer to itself"},
		{"a schema that refers to a file of the machine", "json", `{"$ref": "file:///etc/passwd"}`, "", "a schema may only refer to itself"},
		{"a schema with a number too large to write out", "json", `{"minimum": 1e999999999}`, "", "number out of range in the schema at /minimum"},
		{"a schema with an invalid pattern", "json", `{"pattern": "("}`, "", "not a JSON Schema: "},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var schema []byte
			if c.schema != "" {
				schema = []byte(c.schema)
			}
			_, err := CompileFormat(c.kind, false, schema, c.pattern)
			var fault *CompileError
			if !errors.As(err, &fault) || !strings.Contains(fault.Message, c.message) || strings.Contains(fault.Message, "\n") {
				t.Errorf("CompileFormat: %v, want a *CompileError of one line with %q", err, c.message)
			}
		})
	}
}

func TestFormatAlwaysTrue(t *testing.T) {
	for pattern, want := range map[string]bool{"a*": true, "a+": false} {
		f, err := CompileFormat("regex", false, nil, pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.AlwaysTrue(); got != want {
			t.Errorf("AlwaysTrue of %q = %v, want %v", pattern, got, want)
		}
	}
}

func TestHostileFormats(t *testing.T) {
	for name, text := range hostile(64 << 10) {
		for _, kind := range []string{"yaml", "xml"} {
			t.Run(kind+": "+name, func(t *testing.T) {
				f, err := CompileFormat(kind, false, nil, "")
				if err != nil {
					t.Fatal(err)
				}
				if again, first := f.fault(answerOf(text)), f.fault(answerOf(text)); again != first {
					t.Errorf("%q, then %q", first, again)
				}
			})
		}
	}
}
