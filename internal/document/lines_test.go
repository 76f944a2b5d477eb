package document

import "testing"

// A text that is read into the node of a list before it is no list: who asks for its items would take it for an empty one.
func TestATextHasNoItemsWhateverItsNodeHeldBefore(t *testing.T) {
	var lines Lines
	var root *Node
	for _, text := range []string{`{"a": ["x", "y"]}`, `{"a": "x"}`} {
		var ds []Diagnostic
		if root, ds = lines.Parse("a.jsonl", []byte(text), Position{Line: 1, Column: 1}); HasErrors(ds) {
			t.Fatal(ds)
		}
	}
	if items := root.Get("a").List(); items != nil {
		t.Errorf("%d items, not nil", len(items))
	}
}
