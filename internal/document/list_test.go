package document

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// manyItems is JSON whose list has n items a line each, of which some are made by other.
func manyItems(n int, other map[int]string) []byte {
	var b strings.Builder
	b.WriteString("{\"cases\": [\n")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		if text, ok := other[i]; ok {
			b.WriteString(text)
			continue
		}
		fmt.Fprintf(&b, `  {"id": "é%d", "n": [%d, "\u00e4"]}`, i, i)
	}
	b.WriteString("\n]}\n")
	return []byte(b.String())
}

func TestALongListIsReadAsAShortOne(t *testing.T) {
	root, ds := Parse("f.json", manyItems(longItems+2, nil))
	matches(t, ds)
	cases := root.Get("cases")
	if cases.long == nil || cases.items != nil || cases.Len() != longItems+2 {
		t.Fatalf("%d items, long %v", cases.Len(), cases.long != nil)
	}
	short, _ := Parse("f.json", manyItems(longItems, nil))
	for i, item := range short.Get("cases").Items() {
		if got := cases.Item(i); got.Pos != item.Pos || !reflect.DeepEqual(got, item) {
			t.Fatalf("item %d is %v at %v, in a short list %v at %v", i, got.Value(), got.Pos, item.Value(), item.Pos)
		}
	}
	if values := root.Value().(map[string]any)["cases"].([]any); len(values) != longItems+2 || !reflect.DeepEqual(values[7], cases.Item(7).Value()) {
		t.Errorf("%d values", len(values))
	}
}

const itemsSchema = `{"type": "object", "required": ["cases"], "properties": {"cases": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}},
	"other": {"type": "string"}}, "additionalProperties": false, "$defs": {"item": {"type": "object", "required": ["id"],
	"properties": {"id": {"type": "string"}, "n": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}}}}}`

func TestALongListIsCheckedAPartAtATime(t *testing.T) {
	s, err := CompileSchema("items", []byte(itemsSchema))
	if err != nil {
		t.Fatal(err)
	}
	if !s.inParts["cases"] || len(s.inParts) != 1 {
		t.Errorf("in parts: %v", s.inParts)
	}
	root, ds := Parse("f.json", manyItems(longItems+5, map[int]string{3: `{"id": 1}`, longItems + 1: `{"n": [1, true]}`, longItems + 4: `{"id": 2e5}], "mo": [1`}))
	matches(t, ds, "4102:8 number: ")
	matches(t, s.Check("f.json", root), "5:8 type: ", "4099:1 missing-key: `id` is missing in item 4098 of `cases`", "4099:11 type: item 2 of `n` is true",
		`4102:15 unknown-key: unknown key "mo"`)
}

func TestEntriesOfALongListAreLeftOut(t *testing.T) {
	root, _ := Parse("f.json", manyItems(longItems+5, nil))
	rest, _, ok := Prune(root, []Position{{4100, 8}}, func(path []string, _ int) bool { return len(path) == 1 })
	if cases := rest.Get("cases"); !ok || cases.Len() != longItems+4 || cases.Item(4098).Pos.Line != 4101 || root.Get("cases").Len() != longItems+5 {
		t.Errorf("ok %v, %d items", ok, cases.Len())
	}
}
