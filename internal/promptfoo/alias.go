package promptfoo

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/failproof/failproof/internal/document"
)

// ofAnchors are the rules of the strict reader that a file with anchors breaks, which promptfoo's configurations may have.
var ofAnchors = []string{"anchor", "alias", "merge-key"}

func isOfAnchors(d document.Diagnostic) bool { return slices.Contains(ofAnchors, d.Rule) }

// onlyAnchors reports that anchors and what comes with them is all that is wrong with a file.
func onlyAnchors(ds []document.Diagnostic) bool {
	for _, d := range ds {
		if d.Severity == document.Error && d.Rule != "number" && !isOfAnchors(d) {
			return false
		}
	}
	return document.HasErrors(ds)
}

// Bounds of what is written out of anchors.
const (
	maxExpanded = 100_000 // values
	maxDepth    = 32
)

// expander writes out what anchors stand for.
type expander struct{ nodes int }

// expand reads a YAML file with its anchors written out; nil if that comes to too much.
func expand(data []byte) *document.Node {
	limits := loaderlimits.New(loaderlimits.DepthFunc(func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return errCode
		}
		return nil
	}))
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithUniqueKeys(false), yaml.WithPlugin(limits))
	if err != nil {
		return nil
	}
	var doc yaml.Node
	if loader.Load(&doc) != nil || doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil
	}
	e := &expander{}
	out := e.node(doc.Content[0], 1)
	if e.nodes > maxExpanded {
		return nil
	}
	return out
}

// node is n as a node of the strict reader. Where there are too many the rest is left out, and expand says so.
func (e *expander) node(n *yaml.Node, depth int) *document.Node {
	out := &document.Node{Pos: document.Position{Line: n.Line, Column: n.Column}}
	if e.nodes++; e.nodes > maxExpanded || depth > maxDepth {
		e.nodes = maxExpanded + 1
		return out
	}
	switch n.Kind {
	case yaml.AliasNode:
		at := out.Pos
		out = e.node(n.Alias, depth+1)
		out.Pos = at
	case yaml.SequenceNode:
		var items []*document.Node
		for _, item := range n.Content {
			items = append(items, e.node(item, depth+1))
		}
		return document.ListOf(out.Pos, items...)
	case yaml.MappingNode:
		out.Kind = document.Map
		e.pairs(n, out, depth)
	case yaml.ScalarNode:
		scalar, ds := document.Parse("a.yaml", []byte(plainForm(n)))
		if out.Kind, out.Text = document.String, n.Value; scalar != nil && !document.HasErrors(ds) && n.Style&^yaml.TaggedStyle == 0 && scalar.Kind != document.Map && scalar.Kind != document.List {
			out.Kind, out.Text = scalar.Kind, scalar.Text
		}
		if n.Tag == "!!null" {
			out.Kind, out.Text = document.Null, ""
		}
	}
	return out
}

// plainForm is a scalar as it stands in its file, if it has no quotes.
func plainForm(n *yaml.Node) string { return n.Value + "\n" }

// pairs adds the keys of a map, and those that it merges in and lacks.
func (e *expander) pairs(n *yaml.Node, out *document.Node, depth int) {
	var merged []*document.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], e.node(n.Content[i+1], depth+1)
		if key.Value == "<<" && key.Style == 0 {
			if value.Kind == document.List {
				merged = append(merged, value.List()...)
			} else {
				merged = append(merged, value)
			}
			continue
		}
		put(out, &document.Node{Kind: document.String, Text: key.Value, Pos: document.Position{Line: key.Line, Column: key.Column}}, value)
	}
	for _, from := range merged {
		for i, key := range from.Keys {
			put(out, key, from.Values[i])
		}
	}
}

// put adds a key that is not there.
func put(n, key, value *document.Node) {
	if n.Get(key.Text) == nil {
		n.Keys, n.Values = append(n.Keys, key), append(n.Values, value)
	}
}
