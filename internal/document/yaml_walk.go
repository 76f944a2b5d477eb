package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// walker converts nodes of the YAML library into Nodes, and reports ambiguous ones.
type walker struct {
	faults   *Faults
	end      Position // end of the text
	anchored bool     // whether to expand anchors, aliases and merge keys
	nodes    int
	stopped  bool // whether a limit was exceeded
}

// node returns n as a Node. depth is the number of maps and lists around n, plus one for n itself.
func (w *walker) node(n *yaml.Node, depth int) *Node {
	out := &Node{Pos: w.place(n)}
	if w.nodes++; w.nodes > maxYAMLNodes && !w.stopped {
		w.stopped = true
		w.faults.ErrorAt(out.Pos, "too-large", "the file has more than %d values; split it, or write it as JSON",
			maxYAMLNodes)
	}
	if w.stopped {
		return out
	}
	w.properties(n, out)
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		if depth > maxDepth {
			w.stopped = true
			w.faults.ErrorAt(out.Pos, "too-deep", "%s; write it flatter", errDepth)
			return out
		}
		w.collection(n, out, depth)
	case yaml.ScalarNode:
		w.scalar(n, out)
	case yaml.AliasNode:
		if !w.anchored {
			w.fault(out, "alias", aliasMessage)
			break
		}
		at := out.Pos
		out = w.node(n.Alias, depth+1)
		out.Pos = at
	}
	return out
}

// place returns the position of n. The parser may place a value that is left out after the text. In this case, place
// returns the end of the text.
func (w *walker) place(n *yaml.Node) Position {
	if n.Line > w.end.Line {
		return w.end
	}
	return Position{Line: max(n.Line, 1), Column: max(n.Column, 1)}
}

// fault reports an error at the position of out, unless out already has an error.
func (w *walker) fault(out *Node, rule, format string, args ...any) {
	if !out.faulty {
		w.faults.ErrorAt(out.Pos, rule, format, args...)
	}
	out.faulty = true
}

// properties reports a tag of n, and an anchor if anchors are not expanded. The error belongs to out.
func (w *walker) properties(n *yaml.Node, out *Node) {
	switch {
	case n.Anchor != "" && !w.anchored:
		w.fault(out, "anchor", aliasMessage)
	case n.Style&yaml.TaggedStyle != 0:
		w.fault(out, "tag", "YAML tag %s; tags are not allowed: remove it, or put text that begins with ! in quotes",
			Quote(n.Tag))
	case n.Kind == yaml.ScalarNode && n.Tag == "!":
		w.fault(out, "tag", "YAML tag \"!\"; tags are not allowed: remove it, or put text that begins with ! in quotes")
	}
}

func (w *walker) collection(n *yaml.Node, out *Node, depth int) {
	if n.Kind == yaml.SequenceNode {
		out.Kind = List
		for _, item := range n.Content {
			out.items = append(out.items, w.node(item, depth+1))
		}
		return
	}
	out.Kind = Map
	seen := map[string]*Node{}
	var merged []*Node
	for i := 0; i+1 < len(n.Content) && !w.stopped; i += 2 {
		if w.anchored && isMergeKey(n.Content[i]) {
			merged = append(merged, w.node(n.Content[i+1], depth+1))
			continue
		}
		key, ok := w.key(n.Content[i], seen)
		value := w.node(n.Content[i+1], depth+1)
		if ok {
			out.Keys, out.Values = append(out.Keys, key), append(out.Values, value)
		}
	}
	for _, from := range merged {
		w.merge(out, from)
	}
}

// isMergeKey reports whether a key is the merge key `<<` of YAML 1.1.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Style&^yaml.TaggedStyle == 0 && key.Value == "<<"
}

// merge adds those keys of from that out lacks. from is a map or a list of maps.
func (w *walker) merge(out, from *Node) {
	switch from.Kind {
	case Map:
		for i, key := range from.Keys {
			if out.Get(key.Text) == nil {
				out.Keys, out.Values = append(out.Keys, key), append(out.Values, from.Values[i])
			}
		}
	case List:
		for _, item := range from.items {
			w.merge(out, item)
		}
	default:
		w.fault(from, "merge-key", "a merge key (`<<`) takes a map, or a list of maps")
	}
}

// key returns the key n as a Node, and reports whether to keep the entry. seen has the earlier keys of the map.
func (w *walker) key(n *yaml.Node, seen map[string]*Node) (*Node, bool) {
	w.nodes++
	key := &Node{Kind: String, Text: n.Value, Pos: w.place(n)}
	plain := n.Style&^yaml.TaggedStyle == 0
	w.properties(n, key)
	switch {
	case n.Kind == yaml.AliasNode:
		w.fault(key, "alias", aliasMessage)
	case n.Kind != yaml.ScalarNode:
		w.fault(key, "key", "a map or list is used as a key; expected a name (text in braces needs quotes)")
	case isMergeKey(n):
		w.fault(key, "merge-key", "merge keys (`<<`) are not allowed; write the keys out")
	case plain && n.Value == "":
		w.fault(key, "key", "the key is empty; expected a name")
	case seen[n.Value] != nil:
		w.fault(key, "duplicate-key", "key %s is also at line %d; keep one of them", Quote(n.Value),
			seen[n.Value].Pos.Line)
	}
	if key.faulty {
		return key, false
	}
	seen[n.Value] = key
	return key, true
}

// scalar sets the kind and the text of out from n, by the rules of YAML. A quoted scalar is always a String.
func (w *walker) scalar(n *yaml.Node, out *Node) {
	out.Text, out.Kind = n.Value, String
	if len(n.Value) > maxYAMLText {
		w.fault(out, "too-large", "a string of %d KiB; at most %d KiB fit into YAML: put it in a file of its own, "+
			"or write JSON",
			len(n.Value)>>10, maxYAMLText>>10)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return
	}
	switch {
	case n.Value == "", n.Value == "~", inCase(n.Value, "null"):
		out.Kind, out.Text = Null, ""
	case isTrueFalse(n.Value), inCase(n.Value, "yes", "no", "on", "off"): // the latter in YAML 1.1 only
		out.Kind = Bool
	case plainNumber(n.Value):
		out.Kind = Number
	case someNumber(n.Value):
		out.Kind = Number
		w.fault(out, "number", numberMessage, Quote(n.Value))
	}
}

func isTrueFalse(text string) bool { return inCase(text, "true", "false") }

// inCase reports whether text is one of the words, in a letter case that YAML accepts: word, Word or WORD.
func inCase(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return len(text) == len(word) && (text == word || text == strings.ToUpper(word) ||
			text == strings.ToUpper(word[:1])+word[1:])
	})
}
