package document

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

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
		w.addError(key, "duplicate-key", "key %s is also at line %d; keep one of them", Quote(n.Value),
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

// checkYAMLText reports lines that the YAML parser would accept although they are wrong, or reject without naming the
// cause. These are lines that are never content in YAML ("---", "..." and directives), and the conflict markers of git.
// It returns whether the file can be parsed.
func (f *Diagnostics) checkYAMLText(data []byte) bool {
	known, number := len(f.list), 0
	var hasContent, started, ended bool // whether a value and a --- were seen, and ... ended the last document
	for raw := range bytes.Lines(data) {
		number++
		f.checkCharacters(number, raw)
		line, at := string(bytes.TrimRight(raw, "\r\n")), Position{Line: number, Column: 1}
		trimmed, isSecond := strings.TrimLeft(line, " \t"), false
		switch {
		case isConflict(line):
			f.addConflict(at, line)
		case isMarker(line, "---"):
			isSecond = started || hasContent || ended
			rest := strings.TrimLeft(line[3:], " \t")
			started, ended, hasContent = true, false, hasContent || rest != "" && rest[0] != '#'
		case isMarker(line, "..."):
			ended = true
		case trimmed == "" || trimmed[0] == '#':
		case ended:
			isSecond, ended = true, false
		case line[0] == '%' && !hasContent && !started:
			f.ErrorAt(at, "directive", "YAML directive %s; directives are not allowed: remove the line", Quote(line))
		default:
			hasContent = true
		}
		if isSecond {
			f.ErrorAt(at, "second-document",
				"a second YAML document begins here, and only one is read; put it in a file of its own")
		}
	}
	if !hasContent && len(f.list) == known {
		f.ErrorAt(fileStart, "empty", "the file is empty, or has only comments")
	}
	return len(f.list) == known
}

// checkCharacters reports the first character of the line that an editor does not show, or that ends a line only for
// some readers. number is the number of the line.
func (f *Diagnostics) checkCharacters(number int, line []byte) {
	column := 0
	for i := 0; i < len(line); {
		r, width := utf8.DecodeRune(line[i:])
		column, i = column+1, i+width
		at := Position{Line: number, Column: column}
		switch {
		case r == '\r' && (i == len(line) || line[i] != '\n'):
			f.ErrorAt(at, "line-break", "a carriage return ends a line alone; save the file with LF or CRLF line ends")
			return
		case r == '\u0085', r == '\u2028', r == '\u2029':
			f.ErrorAt(at, "line-break", "U+%04X ends a line for some readers only; end lines with LF, or write "+
				"\"\\u%04x\" in double quotes", r, r)
			return
		case r == '\uFEFF':
			f.ErrorAt(at, "byte-order-mark", "a byte order mark (U+FEFF) stands inside the file; remove it")
			return
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', 0x7F <= r && r < 0xA0:
			f.ErrorAt(at, "control-character",
				"control character U+%04X; remove it, or write \"\\u%04x\" in double quotes", r, r)
			return
		}
	}
}

// isMarker reports whether the line is the given mark of the start or end of a document. No line of a YAML string can
// begin with such a mark.
func isMarker(line, mark string) bool {
	rest, ok := strings.CutPrefix(line, mark)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func (f *Diagnostics) addConflict(at Position, line string) {
	f.ErrorAt(at, "merge-conflict", "merge conflict marker %s; resolve the conflict", Quote(line))
}

// isConflict reports whether the line is a merge conflict marker of a version control system.
func isConflict(line string) bool {
	return strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") ||
		line == "<<<<<<<" || line == ">>>>>>>"
}
