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
