package document

import (
	"encoding/json"
	"strings"
)

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
