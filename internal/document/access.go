package document

import (
	"strconv"
	"strings"
)

// These read what a schema has let through. For a value of another kind, and for nil, they return nothing: its fault is told, and all
// else in the file can still be checked.

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
