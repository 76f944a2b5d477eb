// Package document reads the YAML and JSON files of users: bytes come in, a tree of values with their places goes
// out, or diagnostics that say what is wrong where. It also checks such a tree against a JSON Schema in words for
// people. It never follows an alias, runs a tag, guesses an encoding or reads a second document, and it knows no key
// of any file.
package document

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a Node is.
type Kind uint8

// The kinds of values. Bool also holds the words yes, no, on and off where YAML has them without quotes, because
// readers disagree on what they mean; Schema.Check settles it.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

// Node is one value of a YAML or JSON file with its place.
type Node struct {
	Kind   Kind
	faulty bool     // a diagnostic says what is wrong with it; a schema need not add to that
	Text   string   // of a scalar: strings decoded; numbers, bools and words as written; "" for null
	Pos    Position // where the value begins
	Keys   []*Node  // of a map, in file order, each a String
	Values []*Node  // of a map, beside Keys
	items  []*Node  // of a list
}

// Get returns the value of key in a map, nil if there is none. n may be nil or anything else than a map.
func (n *Node) Get(key string) *Node {
	_, value := n.entry(key)
	return value
}

// entry returns key's own node and its value, nil if there is none.
func (n *Node) entry(key string) (at, value *Node) {
	if n == nil {
		return nil, nil
	}
	for i, k := range n.Keys {
		if k.Text == key {
			return k, n.Values[i]
		}
	}
	return nil, nil
}

// Entries yields the keys and values of a map, in file order; nothing for anything else, and for nil.
func (n *Node) Entries() iter.Seq2[*Node, *Node] {
	return func(yield func(key, value *Node) bool) {
		for i := 0; n != nil && i < len(n.Keys) && yield(n.Keys[i], n.Values[i]); i++ {
		}
	}
}

// KeyPos returns the place of a key in a map; the map's own place if the key is absent.
func (n *Node) KeyPos(key string) Position {
	if at, _ := n.entry(key); at != nil {
		return at.Pos
	}
	return n.Pos
}

// ambiguous reports whether n is a word that is a boolean to some readers of YAML and text to others.
func (n *Node) ambiguous() bool { return n.Kind == Bool && !isTrueFalse(n.Text) }

// These read what a schema has let through. For a value of another kind, and for nil, they return nothing: its fault
// is told, and all else in the file can still be checked.

// AsText is the text of a string, "" for anything else.
func (n *Node) AsText() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// AsScalar is the text of a string, number or boolean as it is written.
func (n *Node) AsScalar() (string, bool) {
	if n == nil || n.Kind != String && n.Kind != Number && n.Kind != Bool {
		return "", false
	}
	return n.Text, true
}

// AsNumber is the value of a number.
func (n *Node) AsNumber() (float64, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil
}

// IsTrue reports a boolean that is true.
func (n *Node) IsTrue() bool { return n != nil && n.Kind == Bool && strings.EqualFold(n.Text, "true") }

// AsMap is n if it is a map, else nil.
func (n *Node) AsMap() *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	return n
}

// Value returns the tree as Go values: nil, bool, json.Number, string, []any and map[string]any. The words yes, no, on
// and off are strings. A node that has a diagnostic may hold any value.
func (n *Node) Value() any { return n.value(false) }

// booleans is Value with the words yes, no, on and off as booleans.
func (n *Node) booleans() any { return n.value(true) }

func (n *Node) value(words bool) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		if n.ambiguous() && !words {
			return n.Text
		}
		return n.ambiguous() || strings.EqualFold(n.Text, "true")
	case Number:
		return n.number()
	case String:
		return n.Text
	case List:
		items := make([]any, n.Len())
		for i, item := range n.Items() {
			items[i] = item.value(words)
		}
		return items
	case Map:
		object := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			object[key.Text] = n.Values[i].value(words)
		}
		return object
	}
	return nil
}

// number never hands on what was refused, which need not be a number to Go.
func (n *Node) number() json.Number {
	if n.faulty {
		return "0"
	}
	return json.Number(n.Text)
}

// Len is the number of items of a list; 0 for anything else.
func (n *Node) Len() int { return len(n.items) }

// List returns the items of a list; nil for anything else, and for nil.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Items yields the items of a list, in file order.
func (n *Node) Items() iter.Seq2[int, *Node] { return slices.All(n.items) }
