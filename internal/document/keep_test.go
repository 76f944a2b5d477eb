package document

import (
	"reflect"
	"strings"
	"testing"
)

func TestAKeptTreeIsTheTreeWithoutPlaces(t *testing.T) {
	root, ds := Parse("f.yaml", []byte("a: [1, 2.50, true, Yes, null, '']\né: {x: \"\\u0000\", y: {}}\nlong: "+strings.Repeat("z", 300)+"\nlist: []\n"))
	matches(t, ds)
	var lines Lines
	got := lines.Kept(AppendNode([]byte("before")[6:], root))
	if !reflect.DeepEqual(got.Value(), root.Value()) || !reflect.DeepEqual(got.booleans(), root.booleans()) {
		t.Errorf("%v, want %v", got.Value(), root.Value())
	}
	if n := got.Get("a").Item(1); n.Kind != Number || n.Text != "2.50" {
		t.Errorf("a number is kept as %v %q", n.Kind, n.Text)
	}
	if lines.Kept(AppendNode(nil, nil)) != nil {
		t.Error("no tree is kept as one")
	}
	long, _ := Parse("f.json", manyItems(longItems+1, nil))
	if again := lines.Kept(AppendNode(nil, long)); !reflect.DeepEqual(again.Value(), long.Value()) {
		t.Error("a long list is kept as another one")
	}
}

// A text that is read into the node of a list before it is no list: who asks for its items would take it for an empty one.
func TestATextHasNoItemsWhateverItsNodeHeldBefore(t *testing.T) {
	read := func(text string) *Node {
		n, ds := ParseJSON("a.json", []byte(text), Position{Line: 1, Column: 1})
		if HasErrors(ds) {
			t.Fatal(ds)
		}
		return n
	}
	var lines Lines
	lines.Kept(AppendNode(nil, read(`{"a": ["x", "y"]}`)))
	n := lines.Kept(AppendNode(nil, read(`{"a": "x"}`)))
	if items := n.Get("a").List(); items != nil {
		t.Errorf("%d items, not nil", len(items))
	}
}
