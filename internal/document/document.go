// Package document parses users' YAML, JSON and CSV files into trees of values with their positions, or into
// diagnostics. It also checks a tree against a JSON Schema. It never runs a tag, guesses an encoding or reads a second
// document. Only ParseAnchored expands aliases. The package knows no key of any file.
package document

import (
	"encoding/json"
	"iter"
	"strconv"
	"strings"
)

// Kind is the kind of a Node.
type Kind uint8

// The kinds of values. In YAML, the unquoted words yes, no, on and off are Bool too, because YAML readers disagree on
// their meaning. Schema.Check decides whether such a word is allowed.
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
	faulty bool     // the node has a diagnostic, so that a schema need not add another
	Text   string   // for a scalar: the decoded string, or any other value as written; "" for null
	Pos    Position // position of the first character
	Keys   []*Node  // the keys of a map, in file order, each a String
	Values []*Node  // the values of a map, parallel to Keys
	items  []*Node  // the items of a list
}

// Get returns the value of key if n is a map that has the key. Otherwise it returns nil, also if n is nil.
func (n *Node) Get(key string) *Node {
	_, value := n.entry(key)
	return value
}

// entry returns the node of the key in the map n, and the value of the key. It returns nil for both if there is none.
func (n *Node) entry(key string) (keyNode, value *Node) {
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

// Entries yields the keys and values of a map, in file order. It yields nothing if n is nil or not a map.
func (n *Node) Entries() iter.Seq2[*Node, *Node] {
	return func(yield func(key, value *Node) bool) {
		for i := 0; n != nil && i < len(n.Keys) && yield(n.Keys[i], n.Values[i]); i++ {
		}
	}
}

// KeyPos returns the position of the key in the map n, or the map's own position if the key is absent.
func (n *Node) KeyPos(key string) Position {
	if at, _ := n.entry(key); at != nil {
		return at.Pos
	}
	return n.Pos
}

// isAmbiguous reports whether n is a word that is a boolean to some readers of YAML and text to others.
func (n *Node) isAmbiguous() bool { return n.Kind == Bool && !isTrueFalse(n.Text) }

// The methods below return a zero value if n is nil or of another kind. The schema reports a value of another kind, and
// the rest of the file can still be checked.

// AsText returns the text of a string, or "".
func (n *Node) AsText() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// AsScalar returns the text of a string, number or boolean as written.
func (n *Node) AsScalar() (string, bool) {
	if n == nil || n.Kind != String && n.Kind != Number && n.Kind != Bool {
		return "", false
	}
	return n.Text, true
}

// AsNumber returns the value of a number.
func (n *Node) AsNumber() (float64, bool) {
	if n == nil || n.Kind != Number {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil
}

// IsTrue reports whether n is the boolean true.
func (n *Node) IsTrue() bool { return n != nil && n.Kind == Bool && strings.EqualFold(n.Text, "true") }

// AsMap returns n if n is a map, or nil.
func (n *Node) AsMap() *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	return n
}

// Value returns the tree as Go values: nil, bool, json.Number, string, []any and map[string]any. The words yes, no,
// on and off are strings. A node with a diagnostic may have any value.
func (n *Node) Value() any { return n.value(false) }

// value returns what Value returns. If yesNo is set, it returns true for each of the words yes, no, on and off, instead
// of a string.
func (n *Node) value(yesNo bool) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		if n.isAmbiguous() && !yesNo {
			return n.Text
		}
		return n.isAmbiguous() || strings.EqualFold(n.Text, "true")
	case Number:
		if n.faulty { // Go may not parse it
			return json.Number("0")
		}
		return json.Number(n.Text)
	case String:
		return n.Text
	case List:
		items := make([]any, len(n.List()))
		for i, item := range n.List() {
			items[i] = item.value(yesNo)
		}
		return items
	case Map:
		object := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			object[key.Text] = n.Values[i].value(yesNo)
		}
		return object
	}
	return nil
}

// JSON returns the tree as JSON. Only trees of equal values have the same JSON.
func (n *Node) JSON() string {
	encoded, _ := json.Marshal(n.Value()) // a parsed value always marshals
	return string(encoded)
}

// List returns the items of a list, or nil for any other node.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}
