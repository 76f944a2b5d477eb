package promptfoo

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/text"
)

// value is a value in a file of the result, with the comments above it.
type value struct {
	kind    document.Kind
	text    string   // the text of a scalar
	keys    []string // the keys of a map
	items   []*value // the items of a list, or the values of a map
	comment []string // lines of the comment above it, without #
}

func str(text string) *value {
	return &value{kind: document.String, text: strings.ToValidUTF8(text, "\uFFFD")} // a CSV file may hold other bytes
}

func literal(text string) *value { return &value{kind: document.Number, text: text} }

func listOf(items ...*value) *value { return &value{kind: document.List, items: items} }

// textList returns a list of the texts in items, without duplicates.
func textList(items []string) *value {
	out := listOf()
	for i, text := range items {
		if !slices.Contains(items[:i], text) {
			out.items = append(out.items, str(text))
		}
	}
	return out
}

func mapOf() *value { return &value{kind: document.Map} }

// set adds the key with the value item to the map v, unless item is nil. It returns v.
func (v *value) set(key string, item *value) *value {
	if item != nil {
		v.keys, v.items = append(v.keys, key), append(v.items, item)
	}
	return v
}

// setNonEmpty adds the key with the value item to the map v, unless item is nil or empty. It returns v.
func (v *value) setNonEmpty(key string, item *value) *value {
	if item == nil || item.text == "" && len(item.items) == 0 {
		return v
	}
	return v.set(key, item)
}

// setTrue adds the key with the value true to the map v if cond is true. It returns v.
func (v *value) setTrue(key string, cond bool) *value {
	if !cond {
		return v
	}
	return v.set(key, literal("true"))
}

// replaceTexts replaces each text in v by the result of f.
func (v *value) replaceTexts(f func(string) (string, error)) (err error) {
	for _, item := range v.items {
		if err = item.replaceTexts(f); err != nil {
			return err
		}
	}
	if v.kind == document.String {
		v.text, err = f(v.text)
	}
	return err
}

// convertNode returns n, a value in a file of promptfoo, as a value for a file of the result.
func convertNode(n *document.Node) *value {
	switch {
	case n == nil || n.Kind == document.Null:
		return literal("null")
	case n.Kind == document.Map:
		out := mapOf()
		for key, value := range n.Entries() {
			out.set(key.Text, convertNode(value))
		}
		return out
	case n.Kind == document.List:
		out := listOf()
		for _, item := range n.List() {
			out.items = append(out.items, convertNode(item))
		}
		return out
	case n.Kind == document.Number && document.Decimal.MatchString(n.Text), n.Kind == document.Bool &&
		(strings.EqualFold(n.Text, "true") || strings.EqualFold(n.Text, "false")):
		return literal(strings.ToLower(n.Text))
	}
	return str(n.Text)
}

// jsonOf returns n as JSON on one line.
func jsonOf(n *document.Node) string { return convertNode(n).json() }

// json returns v as JSON on one line.
func (v *value) json() string {
	switch v.kind {
	case document.String:
		return quotation(v.text)
	case document.List, document.Map:
		parts := make([]string, len(v.items))
		for i, item := range v.items {
			if parts[i] = item.json(); v.kind == document.Map {
				parts[i] = quotation(v.keys[i]) + ": " + parts[i]
			}
		}
		if v.kind == document.List {
			return "[" + strings.Join(parts, ", ") + "]"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.text
}

// yaml returns the content of a YAML file with v, which is a map or a list.
func (v *value) yaml() []byte {
	return text.Must(yaml.Dump(v.node(), yaml.WithCompactSeqIndent(false), yaml.WithLineWidth(-1), // texts are UTF-8
		yaml.WithQuotePreference(yaml.QuoteDouble)))
}

// maxLine is the largest length in bytes, as JSON, of a list or map of scalars that is written on one line.
const maxLine = 120

// node returns v as a node of the YAML library.
func (v *value) node() *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: v.text, HeadComment: strings.Join(v.comment, "\n")}
	switch v.kind {
	case document.String:
		n.Tag, n.Style = "!!str", textStyle(v.text)
	case document.List:
		n.Kind = yaml.SequenceNode
	case document.Map:
		n.Kind = yaml.MappingNode
	}
	oneLine := len(v.items) > 0 && len(v.json()) <= maxLine
	for i, item := range v.items {
		child := item.node()
		oneLine = oneLine && child.Kind == yaml.ScalarNode && child.Style != yaml.LiteralStyle
		if v.kind == document.Map {
			key := str(v.keys[i]).node()
			key.HeadComment, child.HeadComment = child.HeadComment, ""
			n.Content = append(n.Content, key)
		}
		n.Content = append(n.Content, child)
	}
	if oneLine {
		n.Style = yaml.FlowStyle
	}
	return n
}

var quotedWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// textStyle returns a YAML style for s in which every YAML reader reads the same text.
func textStyle(s string) yaml.Style {
	printable := !strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) })
	first, _ := utf8.DecodeRuneInString(s)
	switch {
	case !printable || !unicode.IsLetter(first) && !strings.Contains(s, "\n") || unicode.IsSpace(first),
		slices.Contains(quotedWords, strings.ToLower(s)):
		return yaml.DoubleQuotedStyle
	case strings.Contains(s, "\n"):
		return yaml.LiteralStyle
	}
	return 0
}
