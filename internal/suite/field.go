package suite

import (
	"slices"
	"strconv"
	"strings"

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
	if slices.Contains(f.hidden, key) {
		return nil
	}
	return f.defaults.Get(key)
}

// The schema has been checked when these are called, and what it refused is reported. They return nothing for a value
// of the wrong kind, so that everything else in the file can still be checked.

// stringOf returns a string's text, "" for anything else.
func stringOf(n *document.Node) string {
	if n == nil || n.Kind != document.String {
		return ""
	}
	return n.Text
}

// scalarOf returns the text of a string, number or boolean as it was written.
func scalarOf(n *document.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	switch n.Kind {
	case document.String, document.Number, document.Bool:
		return n.Text, true
	}
	return "", false
}

// numberOf returns a number's value.
func numberOf(n *document.Node) (float64, bool) {
	if n == nil || n.Kind != document.Number {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	return v, err == nil
}

func boolOf(n *document.Node) bool {
	return n != nil && n.Kind == document.Bool && strings.EqualFold(n.Text, "true")
}

// listOf returns the texts of a list of strings.
func listOf(n *document.Node) []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range n.Items() {
		if s := stringOf(item); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// mapOf returns n if it is a map, else nil.
func mapOf(n *document.Node) *document.Node {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	return n
}
