package document

import (
	"strings"
	"testing"
)

func TestPruneTakesTheEntryThatAPlaceLiesIn(t *testing.T) {
	const text = "version: 1\ngate:\n  a: 1\n  b: [x]\ncases:\n  - id: one\n    vars: { q: z }\n  - id: two\nlast: { k: v, m: w }\n"
	root, ds := Parse("f.yaml", []byte(text))
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	apart := func(path []string, _ int) bool { return len(path) == 1 && path[0] != "last" }
	place := func(of string) Position {
		before := strings.Index(text, of)
		return Position{Line: strings.Count(text[:before], "\n") + 1, Column: before - strings.LastIndex(text[:before], "\n")}
	}
	for _, c := range []struct {
		rule, at string // the text at the place
		path     string
		left     string // keys and items that are left
	}{
		{"an entry of a section that is taken apart", "1\n  b", "gate/a", "version gate(b) cases(2) last"},
		{"a place deeper in it", "x]", "gate/b", "version gate(a) cases(2) last"},
		{"an item of a list", "z }", "cases/", "version gate(a b) cases(1) last"},
		{"the last item ends where the next key begins", "two", "cases/", "version gate(a b) cases(1) last"},
		{"a section that is not taken apart goes whole", "w }", "last", "version gate(a b) cases(2)"},
		{"a scalar", "1\ngate", "version", "gate(a b) cases(2) last"},
		{"a key itself", "gate:", "gate", "version cases(2) last"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rest, paths, ok := Prune(root, []Position{place(c.at)}, apart)
			if !ok || strings.Join(paths[0], "/") != c.path {
				t.Fatalf("Prune(%v) = %q, %v; want %q", place(c.at), paths, ok, c.path)
			}
			if got := kept(rest); got != c.left {
				t.Errorf("left: %s, want %s", got, c.left)
			}
			if all := kept(root); all != "version gate(a b) cases(2) last" {
				t.Errorf("the tree itself was changed: %s", all)
			}
		})
	}
	if _, _, ok := Prune(root, []Position{{}}, apart); ok {
		t.Error("no place lies in no entry")
	}
	rest, _, _ := Prune(root, []Position{place("two"), place("id: two"), place("x]")}, apart)
	if got, want := kept(rest), "version gate(a) cases(1) last"; got != want {
		t.Errorf("two places in one entry drop one entry: left %s, want %s", got, want)
	}
}

// kept lists the keys of a map, with those of the sections that the test takes apart.
func kept(n *Node) string {
	var words []string
	for i, key := range n.Keys {
		word := key.Text
		switch key.Text {
		case "gate":
			word += "(" + kept(n.Values[i]) + ")"
		case "cases":
			word += "(" + string(rune('0'+len(n.Values[i].List()))) + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
