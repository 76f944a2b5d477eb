package document

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// report adds the error of l. Its message says what is wrong, and then what was expected.
func (c *checker) report(l leaf) {
	name, at := l.subject, l.node.Pos
	switch l.keyword {
	case unknownKeys:
		c.reportUnknownKeys(l)
	case "required":
		c.reportMissingKeys(l)
	case "type", "enum", "const":
		c.errorAt(at, l.keyword, "%s is %s%s; expected %s%s", name, describe(l.node), l.suggestion(),
			l.expectedText(), cmp.Or(l.otherwiseHint(), l.percentHint(), l.quotes()))
	case "range":
		c.errorAt(at, "range", "%s is %s; expected %s%s", name, describe(l.node), l.expectedText(), l.percentHint())
	case "pattern":
		c.errorAt(at, "pattern", "%s is %s; expected %s", name, describe(l.node),
			cmp.Or(l.rules.Description, "text of the form "+l.rules.Pattern.String()))
	case "Length":
		c.errorAt(at, "length", "%s is %s; expected %s", name, lengthText(l.node.Text),
			lengthBounds(l.rules.MinLength, l.rules.MaxLength, "character"))
	case "Items":
		c.errorAt(at, "length", "%s has %s; expected %s", name, text.Count(len(l.node.List()), "item"),
			lengthBounds(l.rules.MinItems, l.rules.MaxItems, "item"))
	case "Properties":
		c.errorAt(at, "length", "%s has %s; expected %s", name, text.Count(len(l.node.Keys), "key"),
			lengthBounds(l.rules.MinProperties, l.rules.MaxProperties, "key"))
	case "uniqueItems":
		for again, first := range repeatedItems(l.node) {
			c.errorAt(l.node.items[again].Pos, "unique", "item %d of %s is also item %d; keep one of them",
				again+1, name, first+1)
		}
	}
}

// subject returns how a message names the value at c.path: the file, the key, `name`, or item 2 of `name`.
func (c *checker) subject() string {
	depth := len(c.path)
	if depth == 0 {
		return "the file"
	}
	i, err := strconv.Atoi(c.path[depth-1])
	if err != nil || depth == 1 {
		return "`" + c.path[depth-1] + "`"
	}
	return fmt.Sprintf("item %d of `%s`", i+1, c.path[depth-2])
}

// describe returns how a message shows the value n.
func describe(n *Node) string {
	switch n.Kind {
	case Null:
		return "empty"
	case List:
		return "a list"
	case Map:
		return "a map"
	case String:
		return Quote(n.Text)
	}
	return n.Text
}

func lengthText(text string) string {
	if text == "" {
		return "empty"
	}
	return fmt.Sprintf("%d long", utf8.RuneCountInString(text))
}

// kinds has the types of JSON Schema, with what messages call them.
var kinds = map[string]struct {
	kind  Kind
	words string
}{
	"object": {Map, "a map"}, "array": {List, "a list"}, "string": {String, "text"}, "number": {Number, "a number"},
	"integer": {Number, "a whole number"}, "boolean": {Bool, "true or false"}, "null": {Null, "null"},
}

// expectedText returns what the schema allows in place of the value, over all branches of l.
func (l leaf) expectedText() string {
	var all []string
	for _, one := range l.branches() {
		for _, allowed := range one.allowedTexts() {
			if !slices.Contains(all, allowed) {
				all = append(all, allowed)
			}
		}
	}
	return text.List(all, "or")
}

func (l leaf) allowedTexts() (out []string) {
	for _, value := range l.rules.allowedValues() {
		out = append(out, formatValue(value))
	}
	if out != nil {
		return out
	}
	if l.keyword == unknownKeys {
		return []string{"a map with " + text.List(l.rules.keys(), "or")}
	}
	for _, name := range l.rules.Type {
		text := kinds[name].words
		if name == "number" || name == "integer" {
			text += l.bounds()
		}
		out = append(out, text)
	}
	return out
}

// bounds returns the allowed range of a number in words, such as " from 0 to 1".
func (l leaf) bounds() string {
	low, high := boundText(l.rules.Minimum), boundText(l.rules.Maximum)
	switch {
	case low != "" && high != "":
		return " from " + low + " to " + high
	case low != "":
		return " of at least " + low
	case high != "":
		return " of at most " + high
	}
	return ""
}

// boundText returns a bound as text, or "" if there is none.
func boundText(bound *float64) string {
	if bound == nil {
		return ""
	}
	return formatValue(*bound)
}

// lengthBounds returns the expected length in words, such as "1 to 3 items". noun is the singular of the counted thing.
func lengthBounds(from, to *float64, noun string) string {
	low, high := boundText(from), boundText(to)
	many := noun + "s"
	if low == "1" && high == "" {
		many = noun
	}
	switch {
	case low == "1" && high == "1":
		return "1 " + noun
	case low != "" && high != "":
		return fmt.Sprintf("%s to %s %s", low, high, many)
	case low != "":
		return fmt.Sprintf("at least %s %s", low, many)
	}
	return fmt.Sprintf("at most %s %s", high, many)
}

// purpose returns ": " and the description of the value, or "" if there is none.
func (r *rules) purpose() string {
	if r == nil || r.Description == "" {
		return ""
	}
	return ": " + r.Description
}

// suggestion returns a hint that names the allowed text closest to the value of l, or "" if none is close.
func (l leaf) suggestion() string {
	var known []string
	for _, one := range l.branches() {
		for _, value := range one.rules.allowedValues() {
			if word, ok := value.(string); ok {
				known = append(known, word)
			}
		}
	}
	return text.Hint(" (did you mean `%s`?)", l.node.Text, known)
}

// percentHint returns a hint if the value should be a share from 0 to 1 and looks like a percentage, or "".
func (l leaf) percentHint() string {
	share := strings.TrimSpace(strings.TrimSuffix(l.node.Text, "%"))
	v, err := strconv.ParseFloat(share, 64)
	isShare := slices.ContainsFunc(l.branches(), func(one leaf) bool { return boundText(one.rules.Maximum) == "1" })
	if err != nil || !isShare || !(v >= 2 && v <= 100) {
		return ""
	}
	return fmt.Sprintf("; %s %% is %s", share, strconv.FormatFloat(v/100, 'f', -1, 64))
}

// quotes returns a hint if the value would be valid with quotes, or as a number, true or false without its quotes. If
// it would be text of a wrong form, the hint is the form. Otherwise quotes returns "".
func (l leaf) quotes() string {
	if slices.Equal(l.rules.Type, []string{"string"}) && slices.Contains([]Kind{Number, Bool}, l.node.Kind) {
		if form := l.rules.Pattern; form != nil && !form.MatchString(l.node.Text) {
			return l.rules.purpose()
		}
		return "; write it in quotes"
	}
	if l.node.Kind == String && slices.ContainsFunc(l.branches(), func(one leaf) bool {
		what := fmt.Sprint(one.rules.Type, one.rules.allowedValues())
		return strings.Contains(what, "boolean") && (l.node.Text == "true" || l.node.Text == "false") ||
			(strings.Contains(what, "integer") || strings.Contains(what, "number") ||
				strings.Contains(what, "["+l.node.Text+"]")) && Decimal.MatchString(l.node.Text)
	}) {
		return "; write it without quotes"
	}
	return ""
}

// branches returns l and the causes of the other branches in l.alternatives.
func (l leaf) branches() []leaf { return append([]leaf{l}, l.alternatives...) }

// isItem reports whether a list may stand in place of the map of l, and the schema knows no key of the map. The author
// then forgot the list around its items.
func (l leaf) isItem() bool {
	return slices.Contains(l.rules.Type, "array") && len(l.node.Keys) > 0 && l.rules.closed() && l.strange()
}

// reportUnknownKeys reports the unknown keys of l. Of adjacent keys with the same hint, it reports only the first.
func (c *checker) reportUnknownKeys(l leaf) {
	if l.isItem() {
		first, hint := l.node.Keys[0], ""
		if _, known := c.schema.resolved(l.rules.Items).Properties[first.Text]; known {
			hint = fmt.Sprintf("; write `- %s: …`", first.Text)
		}
		c.errorAt(first.Pos, "type", "%s is a map; expected a list, or %s%s", l.subject, l.expectedText(), hint)
		return
	}
	known, lastHint := l.rules.keys(), ""
	for _, key := range l.node.Keys {
		if slices.Contains(known, key.Text) {
			continue
		}
		hint := cmp.Or(l.rules.Instead[key.Text], text.Hint("did you mean `%s`?", key.Text, known),
			c.nestedHint(l, key.Text))
		if hint != "" && hint == lastHint { // keys that belong together share one hint
			continue
		}
		if lastHint = hint; hint != "" {
			c.errorAt(key.Pos, "unknown-key", "unknown key %s; %s", Quote(key.Text), hint)
		} else {
			c.errorAt(key.Pos, "unknown-key", "unknown key %s%s; expected %s", Quote(key.Text), l.otherwiseHint(),
				text.List(known, "or"))
		}
	}
}

// nestedHint returns a hint for a misplaced key, or "". It gives one if exactly one key of the map of l takes a map
// that may have the misplaced key.
func (c *checker) nestedHint(l leaf, key string) string {
	var in []string
	for name, value := range l.rules.Properties {
		if c.schema.resolved(value).Properties[key] != nil {
			in = append(in, name)
		}
	}
	if len(in) != 1 {
		return ""
	}
	return fmt.Sprintf("it belongs in `%s`", in[0])
}

// otherwiseHint returns "; " and the advice of the schema about other values and keys, or "" if there is none.
func (l leaf) otherwiseHint() string {
	if l.rules.Otherwise == "" {
		return ""
	}
	return "; " + l.rules.Otherwise
}

// reportMissingKeys reports each required key that the map of l lacks. It skips a key if the map has a misspelled form
// of it, which reportUnknownKeys reports.
func (c *checker) reportMissingKeys(l leaf) {
	if l.isItem() {
		return
	}
	known := l.rules.keys()
	for _, key := range l.rules.Required {
		if l.node.Get(key) != nil || l.rules.closed() && slices.ContainsFunc(l.node.Keys, func(k *Node) bool {
			like, ok := text.Suggest(k.Text, known)
			return (ok && like == key || strings.Contains(l.rules.Instead[k.Text], "`"+key+"`")) &&
				!slices.Contains(known, k.Text)
		}) {
			continue
		}
		rules := l.rules.Properties[key]
		purpose := rules.purpose()
		if rules != nil && rules.Const != nil {
			purpose = fmt.Sprintf("; write `%s: %s`", key, formatValue(rules.Const))
		}
		c.errorAt(l.node.Pos, "missing-key", "`%s` is missing in %s%s", key, l.subject, purpose)
	}
}

// repeatedItems returns the index of each item of a list that equals an earlier item, with the index of that item.
func repeatedItems(n *Node) map[int]int {
	repeated, seen := map[int]int{}, map[string]int{}
	for i, item := range n.items {
		text, _ := json.Marshal(item.Value()) // a parsed value always marshals
		if first, twice := seen[string(text)]; twice {
			repeated[i] = first
			continue
		}
		seen[string(text)] = i
	}
	return repeated
}

func formatValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
