// Package document reads the YAML and JSON files of users: bytes come in, a tree of values with their places goes out,
// or diagnostics that say what is wrong where. It also checks such a tree against a JSON Schema in words for people.
// It never follows an alias, runs a tag, guesses an encoding or reads a second document, and it knows no key of any file.
package document

import "iter"

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
	items  []*Node  // of a list; nil where long has them
	long   *longList
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

// KeyPos is where key is written in a map; the map's own place if the key is absent.
func (n *Node) KeyPos(key string) Position {
	if at, _ := n.entry(key); at != nil {
		return at.Pos
	}
	return n.Pos
}

// ambiguous reports whether n is a word that is a boolean to some readers of YAML and text to others.
func (n *Node) ambiguous() bool { return n.Kind == Bool && !isTrueFalse(n.Text) }
