package promptfoo

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/document"
)

// value is a value of a file to write, with its comments.
type value struct {
	kind    document.Kind
	text    string   // the text of a scalar
	keys    []string // the keys of a map
	items   []*value // the items of a list, or the values of a map
	comment []string // lines above it, without #
	block   bool     // reports whether a short list or map is written over several lines
}

func str(text string) *value { return &value{kind: document.String, text: text} }

func raw(text string) *value { return &value{kind: document.Number, text: text} }

func listOf(items ...*value) *value { return &value{kind: document.List, items: items} }

// linesOf returns a list with each item on a line of its own.
func linesOf(items ...*value) *value { return &value{kind: document.List, items: items, block: true} }

// texts returns a list of texts without duplicates.
func texts(all []string) *value {
	out := listOf()
	for i, text := range all {
		if !slices.Contains(all[:i], text) {
			out.items = append(out.items, str(text))
		}
	}
	return out
}

func mapOf() *value { return &value{kind: document.Map} }

// set adds a key unless the value is nil.
func (v *value) set(key string, item *value) *value {
	if item != nil {
		v.keys, v.items = append(v.keys, key), append(v.items, item)
	}
	return v
}

// some adds a key unless its value is an empty text, list or map.
func (v *value) some(key string, item *value) *value {
	if item == nil || item.text == "" && len(item.items) == 0 {
		return v
	}
	return v.set(key, item)
}

// mark adds a key with the value true if really is true.
func (v *value) mark(key string, really bool) *value {
	if !really {
		return v
	}
	return v.set(key, raw("true"))
}

func (v *value) get(key string) *value {
	if i := slices.Index(v.keys, key); i >= 0 {
		return v.items[i]
	}
	return nil
}

// valueOf returns a value of promptfoo's files as a value to write.
func valueOf(n *document.Node) *value {
	switch {
	case n == nil || n.Kind == document.Null:
		return raw("null")
	case n.Kind == document.Map:
		out := mapOf()
		for key, value := range n.Entries() {
			out.set(key.Text, valueOf(value))
		}
		return out
	case n.Kind == document.List:
		out := listOf()
		for _, item := range n.List() {
			out.items = append(out.items, valueOf(item))
		}
		return out
	case n.Kind == document.Number && plainNumber.MatchString(n.Text), n.Kind == document.Bool &&
		(strings.EqualFold(n.Text, "true") || strings.EqualFold(n.Text, "false")):
		return raw(strings.ToLower(n.Text))
	}
	return str(n.Text)
}

// jsonOf returns a value of a file as JSON.
func jsonOf(n *document.Node) string { return valueOf(n).json() }

// json returns v as JSON on one line.
func (v *value) json() string {
	switch v.kind {
	case document.String:
		return quotation(v.text)
	case document.List, document.Map:
		return v.join("{", "}", quotation, (*value).json)
	}
	return v.text
}

// join returns a list or map on one line. open and end are the braces of a map.
func (v *value) join(open, end string, key func(string) string, item func(*value) string) string {
	parts := make([]string, len(v.items))
	for i, one := range v.items {
		if parts[i] = item(one); v.kind == document.Map {
			parts[i] = key(v.keys[i]) + ": " + parts[i]
		}
	}
	if v.kind == document.List {
		open, end = "[", "]"
	}
	return open + strings.Join(parts, ", ") + end
}

// maxLine is the width at which a list or map in YAML is split into lines.
const maxLine = 120

// yaml returns v, a map or a list, as a YAML file.
func (v *value) yaml() []byte {
	var b strings.Builder
	v.writeBlock(&b, 0)
	return []byte(b.String())
}

func (v *value) writeBlock(b *strings.Builder, indent int) {
	pad := strings.Repeat(" ", indent)
	for i, item := range v.items {
		for _, line := range item.comment {
			fmt.Fprintf(b, "%s# %s\n", pad, line)
		}
		lead := pad + "- "
		if v.kind == document.Map {
			lead = pad + plainOr(v.keys[i], true) + ":"
		}
		b.WriteString(lead)
		item.write(b, indent, utf8.RuneCountInString(lead), v.kind == document.Map)
	}
}

// write writes the value after a key, or after the dash of a list item.
func (v *value) write(b *strings.Builder, indent, column int, behindKey bool) {
	space := ""
	if behindKey {
		space = " "
	}
	line, short := v.flow(false)
	head := literalHead(v.text)
	switch {
	case short && (!v.block || len(v.items) == 0) && column+utf8.RuneCountInString(line) < maxLine:
		b.WriteString(space + line + "\n")
	case len(v.items) > 0 && behindKey:
		b.WriteString("\n")
		v.writeBlock(b, indent+2)
	case len(v.items) > 0:
		var inner strings.Builder
		v.writeBlock(&inner, indent+2)
		b.WriteString(strings.TrimLeft(inner.String(), " "))
	case head != "":
		b.WriteString(space + head + "\n")
		for line := range strings.Lines(v.text) {
			if line = strings.TrimSuffix(line, "\n"); line != "" {
				b.WriteString(strings.Repeat(" ", indent+2) + line)
			}
			b.WriteString("\n")
		}
	default:
		b.WriteString(space + line + "\n")
	}
}

// flow returns v on one line, and reports whether that is readable. inner says that v is part of another value.
func (v *value) flow(inner bool) (string, bool) {
	switch {
	case v.kind == document.String:
		return plainOr(v.text, inner), literalHead(v.text) == ""
	case v.kind != document.List && v.kind != document.Map:
		return v.text, true
	case v.kind == document.Map && len(v.items) == 0:
		return "{ }", true
	case inner && v.block:
		return "", false
	}
	short := true
	line := v.join("{ ", " }", func(key string) string { return plainOr(key, true) }, func(item *value) string {
		part, ok := item.flow(true)
		short = short && ok && len(item.comment) == 0
		return part
	})
	return line, short
}

// plainNumber matches a number in the form of failproof's files.
var plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,40})(\.[0-9]{1,20})?$`)

var (
	plainText  = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N} _./()'+$=?!;@%^~<>-]*$`)
	plainWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

// plainOr returns a text of one line as YAML, without quotes if every reader of YAML then reads the same text. inFlow
// says that the value is inside brackets, which some characters would end.
func plainOr(s string, inFlow bool) string {
	shape := s
	if !inFlow && s != "" && plainText.MatchString(s[:1]) { // these are text outside of brackets
		shape = strings.NewReplacer(", ", "", "[", "", "]", "", "{", "", "}", "", `"`, "").Replace(s)
	}
	if plainText.MatchString(shape) && !strings.HasSuffix(s, " ") && !slices.Contains(plainWords, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s) // YAML has the same escapes
}

// literalHead returns the head of a literal block, or "" if such a block cannot hold the text.
func literalHead(s string) string {
	body, ended := strings.CutSuffix(s, "\n")
	switch {
	case !strings.Contains(body, "\n") && !ended || body == "" || strings.HasPrefix(s, " ") ||
		strings.HasPrefix(s, "\n") || strings.HasSuffix(body, "\n"),
		strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }):
		return ""
	case ended:
		return "|"
	}
	return "|-"
}
