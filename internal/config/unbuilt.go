package config

import (
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// inert are the keys whose capability is not built yet, with the values that ask for nothing.
var inert = []struct {
	path   []string
	values []string // none: an empty map or list only
}{
	{[]string{"scoring", "risk"}, nil},
	{[]string{"gate", "max_exposure"}, []string{"off"}},
	{[]string{"gate", "max_high_stakes_failures"}, []string{"off"}},
	{[]string{"gate", "min_severity_weighted_pass_rate"}, []string{"off"}},
}

// unbuilt refuses settings that would be obeyed only by a capability which failproof does not have yet. To take them
// and do nothing would be a rule that its author believes in and nobody keeps.
func (r *reader) unbuilt(root *document.Node) {
	for _, entry := range inert {
		parent := root
		for _, key := range entry.path[:len(entry.path)-1] {
			parent = parent.Get(key)
		}
		key := entry.path[len(entry.path)-1]
		n := parent.Get(key)
		if n == nil || isInert(n, entry.values) || r.told(n) {
			continue
		}
		r.fault(document.Error, parent.KeyPos(key), "not-built", "`%s` is not built yet and would do nothing; remove it (it is planned)", key)
	}
}

func isInert(n *document.Node, values []string) bool {
	if n.Kind == document.Map {
		return values == nil && len(n.Keys) == 0 || values != nil && wordOf(n.Get("level")) == string(Off)
	}
	return n.Kind != document.List && slices.Contains(values, n.Text)
}

// told reports whether a value has a fault already.
func (r *reader) told(n *document.Node) bool {
	return n != nil && slices.ContainsFunc(r.faults, func(d document.Diagnostic) bool {
		return d.Line == n.Pos.Line && d.Column == n.Pos.Column
	})
}
