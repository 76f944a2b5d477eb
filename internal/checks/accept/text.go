package accept

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// caseText is a case in the text of its file, with its edits.
type caseText struct {
	text  string
	node  *document.Node
	edits []splice
	drops map[string][]int // indexes of list items to remove, by key
}

// splice replaces a range of bytes by a text.
type splice struct {
	from, to int
	text     string
}

// editable lists the keys that edits may change.
var editable = []string{"expected_classification", "expected_response", "expected_label", "key_facts", "assert"}

var errNotPlain = errors.New("the case is written in a form that only people should edit")

func isJSONLines(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".jsonl") }

// locate parses a file, or the case's line of a JSON lines file, and returns the root and the case. Both are nil unless
// the case is there exactly once.
func locate(whole string, c *report.Change) (root, node *document.Node) {
	if lines := strings.Split(whole, "\n"); !isJSONLines(c.Path) {
		root, _ = document.Parse(c.Path, []byte(whole))
	} else if 1 <= c.Line && c.Line <= len(lines) {
		root, _ = document.ParseJSON(c.Path, lines[c.Line-1], document.Position{Line: c.Line, Column: 1})
	}
	var found []*document.Node
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n == nil {
			return
		}
		id := n.Get("id")
		if isJSONLines(c.Path) {
			id = n.Get("case_id")
		}
		if n.AsMap() != nil && n.Pos.Line == c.Line && (id.AsText() == c.CaseID || id == nil && n.Get("vars") != nil) {
			found = append(found, n)
			return
		}
		for _, inner := range slices.Concat(n.List(), n.Values) {
			walk(inner)
		}
	}
	walk(root)
	if len(found) != 1 {
		return nil, nil
	}
	return root, found[0]
}

// onlyEditableDiffer reports whether two versions of a file differ only in the editable keys of the case.
func onlyEditableDiffer(before, after string, c *report.Change) bool {
	if isJSONLines(c.Path) && strings.Count(before, "\n") != strings.Count(after, "\n") {
		return false
	}
	rest := func(whole string) []byte {
		root, one := locate(whole, c)
		if one == nil {
			return nil
		}
		for i := len(one.Keys) - 1; i >= 0; i-- {
			if slices.Contains(editable, one.Keys[i].Text) {
				one.Keys, one.Values = slices.Delete(one.Keys, i, i+1), slices.Delete(one.Values, i, i+1)
			}
		}
		return []byte(root.JSON())
	}
	was := rest(before)
	return was != nil && slices.Equal(was, rest(after))
}

// edited returns the file with the edits applied, or unchanged if they overlap.
func (c *caseText) edited() string {
	slices.SortFunc(c.edits, func(a, b splice) int { return cmp.Or(b.from-a.from, b.to-a.to) })
	out, end := c.text, len(c.text)
	for _, s := range c.edits {
		if s.to > end {
			return c.text
		}
		out, end = out[:s.from]+s.text+out[s.to:], s.from
	}
	return out
}

// offset returns the byte offset of a position in the file.
func (c *caseText) offset(at document.Position) int {
	from := 0
	for line := 1; line < at.Line; line++ {
		from += strings.IndexByte(c.text[from:], '\n') + 1
	}
	for i := range c.text[from:] {
		if at.Column--; at.Column == 0 {
			return from + i
		}
	}
	return len(c.text)
}

// Patterns of quoted texts in YAML or JSON, and of the first line and the indentation of a YAML block text.
var (
	singleQuoted = regexp.MustCompile(`^'(?:[^'\n]|'')*'`)
	doubleQuoted = regexp.MustCompile(`^"(?:[^"\\\n]|\\[^\n])*"`)
	block        = regexp.MustCompile(`^[|>][-+]?\n((?:[ ]*\n)*)([ ]+)`)
)

// extent returns the range of a scalar value in the text, or an error if it cannot be edited.
func (c *caseText) extent(n *document.Node) (from, to int, err error) {
	from = c.offset(n.Pos)
	rest := c.text[from:]
	for _, form := range []*regexp.Regexp{singleQuoted, doubleQuoted} {
		if raw := form.FindString(rest); raw != "" {
			return from, from + len(raw), nil
		}
	}
	if head := block.FindStringSubmatch(rest); head != nil {
		to, indent := from+strings.IndexByte(rest, '\n')+1, head[2]
		end := to - 1
		for line := range strings.Lines(c.text[to:]) {
			if blank := strings.TrimSpace(line) == ""; !blank && !strings.HasPrefix(line, indent) {
				break
			} else if to += len(line); !blank {
				end = to - len(line) + len(strings.TrimSuffix(line, "\n"))
			}
		}
		return from, end, nil
	}
	if _, scalar := n.AsScalar(); !scalar || n.Text == "" || !strings.HasPrefix(rest, n.Text) {
		return 0, 0, errNotPlain
	}
	return from, from + len(n.Text), nil
}

// plainWord matches values that need no quotes in YAML.
var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z_-]+$`)

// quoted returns a value in the quoting style of the old value.
func quoted(value, old string) string {
	first := (old + " ")[0]
	if first != '"' && first != '\'' && (plainWord.MatchString(value) || document.Decimal.MatchString(old) && document.Decimal.MatchString(value)) {
		return value
	}
	return string(text.MustJSON(value))
}

// set replaces a value.
func (c *caseText) set(n *document.Node, value string) error {
	from, to, err := c.extent(n)
	if err == nil {
		c.edits = append(c.edits, splice{from, to, quoted(value, c.text[from:to])})
	}
	return err
}

// add inserts a key after the first key of the case.
func (c *caseText) add(key, value string) error {
	if from := c.offset(c.node.Pos); c.text[from] == '{' {
		c.edits = append(c.edits, splice{from + 1, from + 1, ` "` + key + `": "` + value + `",`})
		return nil
	}
	keys := c.node.Keys
	at := keys[min(1, len(keys)-1)].Pos
	from, indent := c.offset(at), strings.Repeat(" ", at.Column-1)
	if len(keys) == 1 { // the first line of the case begins with a dash
		c.edits = append(c.edits, splice{from, from, key + ": " + value + "\n" + indent})
		return nil
	}
	from -= len(indent) // before the line of the second key, which may be dropped
	c.edits = append(c.edits, splice{from, from, indent + key + ": " + value + "\n"})
	return nil
}

// dropAll removes the items to drop from their lists, and the key of a list that would be empty.
func (c *caseText) dropAll() error {
	for key, dropped := range c.drops {
		list := c.node.Get(key)
		if len(dropped) == len(list.List()) {
			if err := c.dropKey(key); err != nil {
				return err
			}
			continue
		}
		for _, i := range dropped {
			if err := c.dropItem(list.List(), i); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropKey removes a key and its value if the case has each key on its own line.
func (c *caseText) dropKey(key string) error {
	at := slices.IndexFunc(c.node.Keys, func(k *document.Node) bool { return k.Text == key })
	if at < 1 || c.text[c.offset(c.node.Pos)] == '{' {
		return errNotPlain
	}
	last := c.node.Values[at]
	for len(last.List()) > 0 || len(last.Values) > 0 {
		inner := slices.Concat(last.List(), last.Values)
		last = inner[len(inner)-1]
	}
	_, to, err := c.extent(last)
	if err == nil {
		c.dropLines(c.offset(c.node.Keys[at].Pos), to)
	}
	return err
}

// dropLines removes a range of lines.
func (c *caseText) dropLines(from, to int) {
	behind, _, _ := strings.Cut(c.text[to:], "\n")
	c.edits = append(c.edits, splice{strings.LastIndexByte(c.text[:from], '\n') + 1, min(len(c.text), to+len(behind)+1), ""})
}

// dropItem removes one of several items from a list.
func (c *caseText) dropItem(all []*document.Node, i int) error {
	item := all[i]
	last := item
	if item.AsMap() != nil {
		last = item.Values[len(item.Values)-1]
	}
	_, to, err := c.extent(last)
	if err != nil {
		return err
	}
	from := c.offset(item.Pos)
	switch line := strings.LastIndexByte(c.text[:from], '\n') + 1; {
	case strings.TrimSpace(c.text[line:from]) == "-":
		c.dropLines(from, to)
		return nil
	case item.AsMap() != nil:
		return errNotPlain
	case i+1 < len(all):
		to = c.offset(all[i+1].Pos)
	default:
		if _, from, err = c.extent(all[i-1]); err != nil {
			return err
		}
	}
	c.edits = append(c.edits, splice{from, to, ""})
	return nil
}
