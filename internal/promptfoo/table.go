package promptfoo

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// column is a column of a table that promptfoo gives a meaning.
var (
	expectedColumn  = regexp.MustCompile(`^__expected(\d*)$`)
	metadataColumn  = regexp.MustCompile(`^__metadata:(.+?)(\[\])?$`)
	thresholdColumn = regexp.MustCompile(`^__config:__expected(\d*):threshold$`)
)

// table reads the tests of a CSV file, one a row.
func (im *importer) table(n node, file string) (out []*test) {
	data, ok := im.read(file, n)
	if !ok {
		return nil
	}
	table, ds := document.NewTable(file, data, 1)
	if im.sound(node{nil, file}, ds); table == nil {
		return nil
	}
	for _, name := range table.Header {
		im.header(node{name, file})
	}
	for more := true; more; {
		var row *document.Node
		row, ds, more = table.Row()
		if one, ok := im.sound(node{row, file}, ds); ok {
			out = append(out, im.row(one))
		}
	}
	return out
}

// header tells the columns that nothing becomes of.
func (im *importer) header(n node) {
	switch name := n.Text; {
	case expectedColumn.MatchString(name), metadataColumn.MatchString(name), thresholdColumn.MatchString(name), name == "__description", name == "__threshold", varName.MatchString(name) && !strings.HasPrefix(name, "__"):
	case name == "__metric":
		im.left(n, "the column `__metric`", "a metric of one's own name adds assertions up, and judges nothing")
	default:
		im.lost(n, "the column "+document.Quote(name), "it has no counterpart here", "")
	}
}

// row is a row as a test. Thresholds stand in columns of their own.
func (im *importer) row(n node) *test {
	t := &test{at: n, vars: newVars(), expand: true}
	thresholds := map[string]string{}
	for i, key := range n.Keys {
		if m := thresholdColumn.FindStringSubmatch(key.Text); m != nil {
			thresholds[strings.TrimSuffix(m[1], "1")] = n.Values[i].Text
		}
	}
	for i, key := range n.Keys {
		value := node{n.Values[i], n.path}
		switch m, tag := expectedColumn.FindStringSubmatch(key.Text), metadataColumn.FindStringSubmatch(key.Text); {
		case m != nil && strings.TrimSpace(value.Text) != "":
			t.asserts = append(t.asserts, cellAssertion(value, thresholds[strings.TrimSuffix(m[1], "1")]))
		case tag != nil && value.Text != "":
			t.tags = append(t.tags, cellTags(tag[1], value.Text, tag[2] != "")...)
		case key.Text == "__description":
			t.description = value.Text
		case key.Text == "__threshold" && value.Text != "":
			t.average = value
		case varName.MatchString(key.Text) && !strings.HasPrefix(key.Text, "__"):
			if values := im.values(value, key.Text, false); len(values) > 0 {
				t.vars.set(key.Text, values)
			}
		}
	}
	return t
}

// cellTags are the tags of a cell, which as a list has commas between them, and \, for a comma.
func cellTags(name, text string, list bool) (out []string) {
	parts := []string{text}
	if list {
		parts = strings.Split(strings.ReplaceAll(text, `\,`, "\x00"), ",")
	}
	for _, part := range parts {
		out = append(out, name+":"+strings.TrimSpace(strings.ReplaceAll(part, "\x00", ",")))
	}
	return out
}

// cellForm is how a cell names an assertion: its type, a threshold in brackets, and what it takes.
var cellForm = regexp.MustCompile(`(?s)^((?:not-)?[a-z][a-z-]*)(?:\(([0-9.]+)\))?(?::(.*))?$`)

// noValue are assertions that a cell names without taking anything.
var noValue = []string{"is-json", "contains-json", "is-xml", "contains-xml", "is-sql", "contains-sql", "is-html", "contains-html", "is-refusal", "is-valid-openai-tools-call",
	"is-valid-openai-function-call", "is-valid-function-call", "answer-relevance", "context-faithfulness", "context-relevance", "not-empty"}

// cellAssertion is what a cell says, as tests write it.
func cellAssertion(from node, threshold string) node {
	text := strings.TrimSpace(from.Text)
	kind, value := "equals", text
	if m := cellForm.FindStringSubmatch(text); m != nil {
		name := cmp.Or(map[string]string{"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}[m[1]], m[1])
		if plain := strings.TrimPrefix(name, "not-"); known(plain) != nil && (strings.Contains(text, ":") || slices.Contains(noValue, plain)) {
			kind, value, threshold = name, strings.TrimSpace(m[3]), cmp.Or(m[2], threshold)
		}
	}
	n := &document.Node{Kind: document.Map, Pos: from.Pos}
	for i, text := range []string{kind, value, threshold} {
		if text != "" {
			n.Keys = append(n.Keys, &document.Node{Kind: document.String, Text: []string{"type", "value", "threshold"}[i], Pos: from.Pos})
			n.Values = append(n.Values, &document.Node{Kind: document.String, Text: text, Pos: from.Pos})
		}
	}
	return node{n, from.path}
}
