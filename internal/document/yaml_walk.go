package document

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// walker converts nodes of the YAML library into Nodes, and reports ambiguous ones.
type walker struct {
	faults   *Diagnostics
	end      Position // end of the text
	anchored bool     // whether to expand anchors, aliases and merge keys
	nodes    int
	stopped  bool // whether a limit was exceeded
}

// convert returns n as a Node. depth is the number of maps and lists around n, plus one for n itself.
func (w *walker) convert(n *yaml.Node, depth int) *Node {
	out := &Node{Pos: w.position(n)}
	if w.nodes++; w.nodes > maxYAMLNodes && !w.stopped {
		w.stopped = true
		w.faults.ErrorAt(out.Pos, "too-large", "the file has more than %d values; split it, or write it as JSON",
			maxYAMLNodes)
	}
	if w.stopped {
		return out
	}
	w.checkProperties(n, out)
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		if depth > maxDepth {
			w.stopped = true
			w.faults.ErrorAt(out.Pos, "too-deep", "%s; write it flatter", errDepth)
			return out
		}
		w.convertCollection(n, out, depth)
	case yaml.ScalarNode:
		w.convertScalar(n, out)
	case yaml.AliasNode:
		if !w.anchored {
			w.addError(out, "alias", aliasMessage)
			break
		}
		at := out.Pos
		out = w.convert(n.Alias, depth+1)
		out.Pos = at
	}
	return out
}

// position returns the position of n. The parser may place a value that is left out after the text. In this case,
// position returns the end of the text.
func (w *walker) position(n *yaml.Node) Position {
	if n.Line > w.end.Line {
		return w.end
	}
	return Position{Line: max(n.Line, 1), Column: max(n.Column, 1)}
}

// addError reports an error at the position of out, unless out already has an error.
func (w *walker) addError(out *Node, rule, format string, args ...any) {
	if !out.faulty {
		w.faults.ErrorAt(out.Pos, rule, format, args...)
	}
	out.faulty = true
}

// checkProperties reports a tag of n, and an anchor if anchors are not expanded. The error belongs to out.
func (w *walker) checkProperties(n *yaml.Node, out *Node) {
	switch {
	case n.Anchor != "" && !w.anchored:
		w.addError(out, "anchor", aliasMessage)
	case n.Style&yaml.TaggedStyle != 0, n.Kind == yaml.ScalarNode && n.Tag == "!":
		w.addError(out, "tag", "YAML tag %s; tags are not allowed: remove it, or put text that begins with ! in quotes",
			Quote(n.Tag))
	}
}

func (w *walker) convertCollection(n *yaml.Node, out *Node, depth int) {
	if n.Kind == yaml.SequenceNode {
		out.Kind = List
		for _, item := range n.Content {
			out.items = append(out.items, w.convert(item, depth+1))
		}
		return
	}
	out.Kind = Map
	seen := map[string]*Node{}
	var merged []*Node
	for i := 0; i+1 < len(n.Content) && !w.stopped; i += 2 {
		if w.anchored && isMergeKey(n.Content[i]) {
			merged = append(merged, w.convert(n.Content[i+1], depth+1))
			continue
		}
		key, ok := w.convertKey(n.Content[i], seen)
		value := w.convert(n.Content[i+1], depth+1)
		if ok {
			out.Keys, out.Values = append(out.Keys, key), append(out.Values, value)
		}
	}
	for _, source := range merged {
		w.merge(out, source)
	}
}

// isMergeKey reports whether a key is the merge key `<<` of YAML 1.1.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Style&^yaml.TaggedStyle == 0 && key.Value == "<<"
}

// merge adds those keys of source that out lacks. source is a map or a list of maps.
func (w *walker) merge(out, source *Node) {
	switch source.Kind {
	case Map:
		for i, key := range source.Keys {
			if out.Get(key.Text) == nil {
				out.Keys, out.Values = append(out.Keys, key), append(out.Values, source.Values[i])
			}
		}
	case List:
		for _, item := range source.items {
			w.merge(out, item)
		}
	default:
		w.addError(source, "merge-key", "a merge key (`<<`) takes a map, or a list of maps")
	}
}

// convertKey returns the key n as a Node, and reports whether to keep the entry. seen has the earlier keys of the map.
func (w *walker) convertKey(n *yaml.Node, seen map[string]*Node) (*Node, bool) {
	w.nodes++
	key := &Node{Kind: String, Text: n.Value, Pos: w.position(n)}
	plain := n.Style&^yaml.TaggedStyle == 0
	w.checkProperties(n, key)
	switch {
	case n.Kind == yaml.AliasNode:
		w.addError(key, "alias", aliasMessage)
	case n.Kind != yaml.ScalarNode:
		w.addError(key, "key", "a map or list is used as a key; expected a name (text in braces needs quotes)")
	case isMergeKey(n):
		w.addError(key, "merge-key", "merge keys (`<<`) are not allowed; write the keys out")
	case plain && n.Value == "":
		w.addError(key, "key", "the key is empty; expected a name")
	case seen[n.Value] != nil:
		w.addError(key, "duplicate-key", duplicateMessage, Quote(n.Value),
			seen[n.Value].Pos.Line)
	}
	if key.faulty {
		return key, false
	}
	seen[n.Value] = key
	return key, true
}

// convertScalar sets the kind and the text of out from n, by the rules of YAML. A quoted scalar is always a String.
func (w *walker) convertScalar(n *yaml.Node, out *Node) {
	out.Text, out.Kind = n.Value, String
	if len(n.Value) > maxYAMLText {
		w.addError(out, "too-large", "a string of %d KiB; at most %d KiB fit into YAML: put it in a file of its own, "+
			"or write JSON",
			len(n.Value)>>10, maxYAMLText>>10)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return
	}
	switch {
	case n.Value == "", n.Value == "~", isWordIn(n.Value, "null"):
		out.Kind, out.Text = Null, ""
	case isTrueFalse(n.Value), isWordIn(n.Value, "yes", "no", "on", "off"): // the latter in YAML 1.1 only
		out.Kind = Bool
	case isPlainNumber(n.Value):
		out.Kind = Number
	case isOtherNumber(n.Value):
		out.Kind = Number
		w.addError(out, "number", numberMessage, Quote(n.Value))
	}
}

func isTrueFalse(text string) bool { return isWordIn(text, "true", "false") }

// isWordIn reports whether text is one of the words, in a letter case that YAML accepts: word, Word or WORD.
func isWordIn(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return len(text) == len(word) && (text == word || text == strings.ToUpper(word) ||
			text == strings.ToUpper(word[:1])+word[1:])
	})
}
