package document

import (
	"strings"
	"testing"
)

const wideSchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["id"],
	"x-instead": {"name": "write \u0060id\u0060", "watch": "write \u0060match\u0060 with a word"},
	"properties": {
		"id": {"$ref": "#/$defs/id"},
		"match": {"enum": ["auto", "exact", "contains"]},
		"kind": {"enum": ["plain"], "x-otherwise": "leave it out"},
		"gate": {"anyOf": [
			{"type": "number", "minimum": 0, "maximum": 1},
			{"enum": ["off"]},
			{"$ref": "#/$defs/rule"}
		]},
		"form": {"oneOf": [{"enum": ["json", "xml"]}, {"$ref": "#/$defs/rule"}]},
		"text": {"type": "string", "minLength": 2, "maxLength": 4},
		"whole": {"type": "integer", "minimum": 1},
		"yes": {"type": "boolean"},
		"any": {"type": ["string", "number", "boolean"]},
		"word": {"type": "string", "enum": ["on", "off"]},
		"list": {"type": "array", "minItems": 1, "maxItems": 3, "uniqueItems": true, "items": {"type": "string"}},
		"names": {"type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[a-z]+$", "description": "small letters"}, "additionalProperties": {"$ref": "#/$defs/rule"}},
		"wait": {"type": "string", "pattern": "^[0-9]+s$", "description": "A number with s."},
		"items": {"type": ["array", "object"], "additionalProperties": false, "required": ["replace"], "properties": {"replace": {"type": "array"}}, "items": {"$ref": "#/$defs/rule"}},
		"version": {"const": 1},
		"all": {"allOf": [{"type": "number"}, {"minimum": 5}]},
		"of": {"$ref": "#/$defs/version"},
		"one": {"type": "object", "additionalProperties": false, "maxProperties": 1, "properties": {"id": {}},
			"x-instead": {"name": "write it here", "watch": "write it here"}},
		"a/b%~c": {"type": "null"}
	},
	"$defs": {
		"id": {"type": "string", "pattern": "^[a-z]+$", "description": "A name of small letters."},
		"version": {"type": "object", "additionalProperties": false, "required": ["version"], "properties": {"version": {"const": 1, "description": "Which."}}, "x-otherwise": "say it in \u0060id\u0060"},
		"rule": {"type": "object", "additionalProperties": false, "required": ["value"],
			"properties": {"value": {"type": "number", "maximum": 1, "description": "The figure."}, "level": {"enum": ["off", "warn"]}}}
	}
}`

func TestCheck(t *testing.T) {
	cases := []struct {
		rule string
		text string
		want []string
	}{
		{"what fits has no fault", "{id: a, match: exact, gate: 0.5, whole: 3, yes: true, list: [a, b], names: {x: {value: 0}}, version: 1, all: 5, form: xml}", nil},
		{"a list is no file, and its items are not named", "[1]", []string{"1:1 type: the file is a list; expected a map"}},
		{"a key that is missing is told at its map", "match: exact\n", []string{"1:1 missing-key: `id` is missing in the file"}},
		{"its purpose is told with it", "id: a\nnames:\n  x:\n    level: warn\n", []string{"4:5 missing-key: `value` is missing in `x`: The figure."}},
		{"an unknown key is told at the key", "id: a\nnames: {x: {value: 1, vlaue: 2}}\n", []string{"2:23 unknown-key: unknown key \"vlaue\"; did you mean `value`?"}},
		{"every unknown key is", "id: a\nfoo: 1\nbar: 2\n", []string{"2:1 unknown-key: unknown key \"foo\"; expected a/b%~c, all, ", "3:1 unknown-key: unknown key \"bar\""}},
		{"a key of another tool is told what is written here, before one that it is like", "id: a\nwatch: 1\n", []string{"2:1 unknown-key: unknown key \"watch\"; write `match` with a word"}},
		{"and that one is not missing as well", "name: a\n", []string{"1:1 unknown-key: unknown key \"name\"; write `id`"}},
		{"a key that is like none may belong elsewhere", "id: a\nof: {version: 1, foo: 2}\n", []string{"2:18 unknown-key: unknown key \"foo\"; say it in `id`; expected version"}},
		{"a key that can be but one thing is written out", "id: a\nof: {}\n", []string{"2:5 missing-key: `version` is missing in `of`; write `version: 1`"}},
		{"a value that is none of a list may be left out", "{id: a, kind: mine}", []string{"1:15 enum: `kind` is \"mine\"; expected plain; leave it out"}},
		{"a misspelt key is not missing as well", "idd: a\n", []string{"1:1 unknown-key: …did you mean `id`?"}},
		{"a value of the wrong kind is told with the right one", "{id: [a], whole: \"3\", yes: 1, text: {}, list: ~}", []string{
			"1:6 type: `id` is a list; expected text", "1:18 type: `whole` is \"3\"; expected a whole number of at least 1; write it without quotes", "1:28 type: `yes` is 1; expected true or false",
			"1:37 type: `text` is a map; expected text", "1:47 type: `list` is empty; expected a list"}},
		{"one of several kinds is", "{id: a, any: [1]}", []string{"1:14 type: `any` is a list; expected text, a number or true or false"}},
		{"a fraction is no whole number", "{id: a, whole: 1.5}", []string{"1:16 type: `whole` is 1.5; expected a whole number"}},
		{"a misspelt word is told with the one that was meant", "{id: a, match: exakt}", []string{"1:16 enum: `match` is \"exakt\" (did you mean `exact`?); expected auto, exact or contains"}},
		{"a number has bounds", "{id: a, whole: 0, gate: 2}", []string{"1:16 range: `whole` is 0; expected a whole number of at least 1",
			"1:25 range: `gate` is 2; expected a number from 0 to 1"}},
		{"a pattern is told in the schema's words", "{id: A b}", []string{"1:6 pattern: `id` is \"A b\"; expected a name of small letters."}},
		{"a text has a length", "{id: a, text: x}", []string{"1:15 length: `text` is 1 long; expected 2 to 4 characters"}},
		{"a list has a length", "{id: a, list: []}", []string{"1:15 length: `list` has 0 items; expected 1 to 3 items"}},
		{"a map has a size", "{id: a, names: {}}", []string{"1:16 length: `names` has 0 keys; expected at least 1 key"}},
		{"an item is told by its place", "{id: a, list: [a, 2]}", []string{"1:19 type: item 2 of `list` is 2; expected text"}},
		{"items that repeat are", "{id: a, list: [a, b, a]}", []string{"1:22 unique: item 3 of `list` is also item 1; keep one of them"}},
		{"a key's name is told at the key", "{id: a, names: {X1: {value: 1}}}", []string{"1:17 pattern: …expected small letters"}},
		{"a constant is", "{id: a, version: 2}", []string{"1:18 const: `version` is 2; expected 1"}},
		{"a constant is no text", "{id: a, version: \"1\"}", []string{"1:18 const: `version` is \"1\"; expected 1; write it without quotes"}},
		{"nor is true", "{id: a, yes: \"true\"}", []string{"1:14 type: `yes` is \"true\"; expected true or false; write it without quotes"}},
		{"a number is text in quotes", "{id: 1, list: [2, true]}", []string{"1:6 type: `id` is 1; expected text: A name of small letters.",
			"1:16 type: item 1 of `list` is 2; expected text; write it in quotes", "1:19 type: item 2 of `list` is true; expected text; write it in quotes"}},
		{"unless the text has a form", "{id: a, wait: 30}", []string{"1:15 type: `wait` is 30; expected text: A number with s."}},
		{"an item without its list is no map", "{id: a, items: {value: 1}}", []string{"1:17 type: `items` is a map; expected a list, or a map with replace; write `- value: …`"}},
		{"nor is what no item has", "{id: a, items: {foo: 1}}", []string{"1:17 type: `items` is a map; expected a list, or a map with replace"}},
		{"a map for a list may be misspelt", "{id: a, items: {replcae: []}}", []string{"1:17 unknown-key: …did you mean `replace`?"}},
		{"or empty", "{id: a, items: {}}", []string{"1:16 missing-key: `replace` is missing in `items`"}},
		{"a share is no percentage", "{id: a, gate: 85%}", []string{"1:15 type: `gate` is \"85%\"; expected a number from 0 to 1, off or a map"}},
		{"a map without a key of the schema is of the wrong kind", "{id: a, form: {schema: b}}", []string{"1:15 enum: `form` is a map; expected json, xml or a map with level or value"}},
		{"unknown keys are not too many as well", "{id: a, one: {name: b, watch: c}}", []string{"1:15 unknown-key: unknown key \"name\"; write it here"}},
		{"of branches the one of the value's kind counts", "{id: a, gate: {value: 3, level: loud}}",
			[]string{"1:23 range: `value` is 3; expected a number of at most 1", "1:33 enum: `level` is \"loud\"; expected off or warn"}},
		{"if none is, they are told as one", "{id: a, gate: [1], form: [1]}", []string{"1:15 type: `gate` is a list; expected a number from 0 to 1, off or a map", "1:26 enum: `form` is a list; expected json, xml or a map"}},
		{"and all their words are suggested", "{id: a, form: xlm}", []string{"1:15 enum: `form` is \"xlm\" (did you mean `xml`?); expected json, xml or a map"}},
		{"each of all rules counts", "{id: a, all: 3}", []string{"1:14 range: `all` is 3; expected"}},
		{"a key is found through all escapes", "{id: a, a/b%~c: 1}", []string{"1:17 type: `a/b%~c` is 1; expected null"}},
		{"what is reported is not reported again", "{id: 010, whole: -1, gate: .inf, names: {x: !t a}}", nil},
		{"words count where they are listed", "{id: a, gate: off, word: on}", nil},
		{"and nowhere else", "{id: no, yes: yes, any: on, list: [off], gate: on}", []string{
			"1:6 type: `id` is no; expected text; write it in quotes", "1:15 word: \"yes\" is read as true or false by some…write true or false", "1:25 word: \"on\" is", "1:36 type: item 1 of `list` is off; expected text; write it in quotes",
			"1:48 type: `gate` is on; expected a number from 0 to 1, off or a map"}},
		{"faults come in file order", "whole: 0\nmatch: x\nnames: {A: 1}\nid: a\nfoo: 1\n", []string{"1:8 range", "2:8 enum", "3:9 pattern", "3:12 type", "5:1 unknown-key"}},
	}
	schema := wideSchemaOf(t)
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			root, _ := Parse("f.yaml", []byte(c.text))
			first := schema.Check("f.yaml", root)
			matches(t, first, c.want...)
			for range 5 {
				if again := schema.Check("f.yaml", root); strings.Join(lines(again), "\n") != strings.Join(lines(first), "\n") {
					t.Fatalf("a second check says %v, the first %v", lines(again), lines(first))
				}
			}
		})
	}
}

// TestWordsOfAnotherToolAreText checks that CheckForeign accepts yes and no as text, and nothing else more than Check.
func TestWordsOfAnotherToolAreText(t *testing.T) {
	root, _ := Parse("f.yaml", []byte("{id: no, any: on, list: [off], whole: 0}"))
	matches(t, wideSchemaOf(t).CheckForeign("f.yaml", root), "1:39 range: `whole` is 0")
}

func TestASchemaThatIsNoneIsAnError(t *testing.T) {
	for rule, text := range map[string]string{
		"it is JSON":                   `{`,
		"its keywords are sound":       `{"type": "nothing"}`,
		"it refers to no other file":   `{"$ref": "file:///etc/passwd"}`,
		"it refers to no other server": `{"$ref": "https://example.com/x.json"}`,
		"its references are there":     `{"$ref": "#/$defs/x"}`,
	} {
		if _, err := CompileSchema("s.json", []byte(text)); err == nil {
			t.Errorf("%s: %s compiles", rule, text)
		}
	}
}
