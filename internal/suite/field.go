package suite

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// fields are the fields of a case: its own, and behind them the suite's defaults, except for the hidden ones. Either
// node may be nil.
type fields struct {
	own      *document.Node
	defaults *document.Node
	hidden   []string // keys of the defaults
}

// get returns the field's value, nil if neither the case nor the defaults have it.
func (f fields) get(key string) *document.Node {
	if n := f.own.Get(key); n != nil {
		return n
	}
	return f.shared(key)
}

// shared is the field's value in the defaults.
func (f fields) shared(key string) *document.Node {
	if slices.Contains(f.hidden, key) {
		return nil
	}
	return f.defaults.Get(key)
}

// list returns the items of a list that a case joins to the defaults': theirs, and then those of its own that they lack. Where
// the case says `replace` they are its own alone, so that no shared check is dropped without a word.
func (f fields) list(key string) []*document.Node {
	own := f.own.Get(key)
	if instead := own.AsMap().Get("replace"); instead != nil {
		return instead.List()
	}
	shared := f.shared(key).List()
	switch {
	case own == nil:
		return shared
	case shared == nil:
		return own.List()
	}
	seen := map[string]bool{}
	for _, item := range shared {
		seen[writtenAs(item)] = true
	}
	return slices.Concat(shared, slices.DeleteFunc(slices.Clone(own.List()), func(item *document.Node) bool { return seen[writtenAs(item)] }))
}

// writtenAs tells items of a list apart: texts, or maps, which have none.
func writtenAs(item *document.Node) string {
	if item.Kind == document.Map {
		return string(document.AppendNode(nil, item))
	}
	return item.Text
}

// listOf returns the texts of a list of strings.
func listOf(n *document.Node) []string { return texts(n.List()) }

// texts returns the texts of the items that are strings.
func texts(items []*document.Node) []string {
	var out []string
	for _, item := range items {
		if s := item.AsText(); s != "" {
			out = append(out, s)
		}
	}
	return out
}
