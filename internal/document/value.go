package document

import (
	"encoding/json"
	"strings"
)

// Value returns the tree as Go values: nil, bool, json.Number, string, []any and map[string]any. The words yes, no, on
// and off are strings. A node that has a diagnostic may hold any value.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		if n.ambiguous() {
			return n.Text
		}
		return strings.EqualFold(n.Text, "true")
	case Number:
		return n.number()
	case String:
		return n.Text
	case List:
		return n.list()
	case Map:
		return n.object()
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

func (n *Node) list() []any {
	items := make([]any, n.Len())
	for i, item := range n.Items() {
		items[i] = item.Value()
	}
	return items
}

func (n *Node) object() map[string]any {
	object := make(map[string]any, len(n.Keys))
	for i, key := range n.Keys {
		object[key.Text] = n.Values[i].Value()
	}
	return object
}

// booleans is Value with the words yes, no, on and off as booleans.
func (n *Node) booleans() any {
	switch {
	case n.ambiguous():
		return true
	case n.Kind == List:
		items := make([]any, n.Len())
		for i, item := range n.Items() {
			items[i] = item.booleans()
		}
		return items
	case n.Kind == Map:
		object := make(map[string]any, len(n.Keys))
		for i, key := range n.Keys {
			object[key.Text] = n.Values[i].booleans()
		}
		return object
	}
	return n.Value()
}
