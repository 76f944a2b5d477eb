package expect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// costly is a pattern of which a text of 1 MB would take minutes.
const costly = "(x.?){400}(y.?){400}z"

// doubling is a schema of so many levels, each of which names the next one twice.
func doubling(levels int) string {
	defs := map[string]any{fmt.Sprintf("a%d", levels): map[string]any{"type": "string"}}
	for i := range levels {
		next := map[string]any{"$ref": fmt.Sprintf("#/$defs/a%d", i+1)}
		defs[fmt.Sprintf("a%d", i)] = map[string]any{"anyOf": []any{next, next}}
	}
	text, _ := json.Marshal(map[string]any{"$ref": "#/$defs/a0", "$defs": defs})
	return string(text)
}

func TestACheckByASchemaIsBounded(t *testing.T) {
	list := `{"items": {"$ref": "#"}, "type": "array", "minItems": 1}`
	xs := strings.Repeat("x", 256<<10)
	for _, c := range []struct{ rule, schema, answer, want string }{
		{"levels that double", doubling(40), `{"a": 1}`, "could not be checked: the schema asks for too many steps"},
		{"a few levels that double", doubling(3), `{"a": 1}`, "the answer: expected string, but got object"},
		{"a schema that refers to itself three times", `{"anyOf": [` + list + "," + list + "," + list + `]}`, strings.Repeat("[", 18) + strings.Repeat("]", 18), "could not be checked: the schema asks for too many steps"},
		{"a costly pattern", `{"properties": {"a": {"pattern": "` + costly + `"}}}`, `{"a": "` + xs + `"}`, "/a: could not be checked: too large for a schema of such patterns"},
		{"a costly pattern of names", `{"patternProperties": {"` + costly + `": true}}`, `{"` + xs + `": 1}`, "the answer: could not be checked: too large for a schema of such patterns"},
		{"a pattern that is costly many times", `{"items": {"pattern": "` + costly + `"}}`, "[" + strings.Repeat(`"`+xs[:4<<10]+`",`, 100) + `"x"]`, "could not be checked: the schema asks for too many steps"},
		{"many parts and many values", `{"anyOf": [` + strings.Repeat(`{"type": "string"},`, 999) + `{"type": "number"}]}`, "[" + strings.Repeat("1,", 50_000) + "1]", "the answer: could not be checked: too large for a schema of such patterns or so many parts"},
		{"many numbers to be one of", `{"items": {"enum": [` + strings.Repeat("1,", 3000) + `1]}}`, "[" + strings.Repeat("2,", 1000) + "2]", "could not be checked: the schema asks for too many steps"},
		{"lists in each other", `{"items": {"$ref": "#"}, "minItems": 1}`, strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "could not be checked: nested more than 1000 levels deep"},
		{"many plain values are no many steps", `{"items": {"type": "integer"}}`, "[" + strings.Repeat("1,", 10_000) + `"x"]`, "/10000: expected integer, but got string"},
	} {
		f, err := CompileFormat(FormatJSON, false, []byte(c.schema), "")
		if err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		if got := f.fault(answerOf(c.answer)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: fault %q, want %q", c.rule, truncate(got, 200), c.want)
		}
		if got := f.fault(answerOf("{}")); strings.Contains(got, "too many steps") && !strings.HasPrefix(c.rule, "levels") {
			t.Errorf("%s: a check left %q to the next one", c.rule, got)
		}
	}
}

func TestAPatternInAnAssertionIsBounded(t *testing.T) {
	long := strings.Repeat("xa", 512<<10)
	for _, c := range []struct{ rule, source, answer, want string }{
		{"one that is written", "response.text matches '" + costly + "'", long, "could not be evaluated: the pattern is too costly for an answer of 1048576 bytes"},
		{"one that is put together", "response.text matches '" + costly[:5] + "' + '" + costly[5:] + "'", long, "could not be evaluated: the pattern is too costly"},
		{"one of the case's variables", "not (response.text matches vars.p)", long, "could not be evaluated: the pattern is too costly"},
		{"one of a list", "any(split(response.text, ','), # matches '" + costly + "')", strings.Repeat("x,", 1000) + long[:100<<10] + ",", "could not be evaluated: "},
		{"many searches", "any(1..3000, response.text matches 'y{20}')", long[:64<<10], "could not be evaluated: it takes too much work"},
		{"one that costs little", "response.text matches 'xaxa$' and 'a' matches 'A|a' and not (response.json matches 'x')", long, ""},
	} {
		as, err := CompileAssertion(c.source)
		if err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		if got := as.mismatch(withVars(answerOf(c.answer), map[string]string{"p": costly})); c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.rule, truncate(got, 200), c.want)
		}
	}
	if _, err := CompileAssertion("response.text matches '" + strings.Repeat("x", 1025) + "'"); err == nil || !strings.Contains(err.Error(), "at most 1024 are allowed") {
		t.Errorf("a pattern of 1025 bytes: %v", err)
	}
	if _, err := CompileAssertion("5 matches 'x'"); err == nil {
		t.Error("a number is matched")
	}
}
