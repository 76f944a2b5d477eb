package document

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/text"
)

// report adds the error of l. Its message says what is wrong, and then what was expected.
func (c *checker) report(l leaf) {
	name, at := l.subject(), l.node.Pos
	switch l.keyword {
	case unknownKeys:
		c.reportUnknownKeys(l)
	case "required":
		c.reportMissingKeys(l)
	case "type", "enum", "const":
		c.errorAt(at, l.keyword, "%s is %s%s; expected %s%s", name, describe(l.node), l.suggestion(),
			l.expectedText(), cmp.Or(l.otherwiseHint(), l.quotes()))
	case "minimum", "maximum":
		c.errorAt(at, "range", "%s is %s; expected %s", name, describe(l.node), l.expectedText())
	case "pattern":
		c.errorAt(at, "pattern", "%s is %s; expected %s", name, describe(l.node),
			cmp.Or(midSentence(description(l.rules, "")), "text of the form "+fmt.Sprint(l.rules["pattern"])))
	case "minLength", "maxLength":
		c.errorAt(at, "length", "%s is %s; expected %s", name, lengthText(l.node.Text), l.length("Length", "character"))
	case "minItems", "maxItems":
		c.errorAt(at, "length", "%s has %s; expected %s", name, text.Count(len(l.node.List()), "item"),
			l.length("Items", "item"))
	case "minProperties", "maxProperties":
		c.errorAt(at, "length", "%s has %s; expected %s", name, text.Count(len(l.node.Keys), "key"),
			l.length("Properties", "key"))
	case "uniqueItems":
		c.reportRepeated(l)
	default:
		c.errorAt(at, "schema", "%s does not fit the rule `%s`%s", name, l.keyword,
			description(l.rules, "; expected: "))
	}
}

// subject returns how a message names the value of l: the file, the key, `name`, item 2, or item 2 of `name`.
func (l leaf) subject() string {
	switch {
	case l.isKey:
		return "the key"
	case len(l.path) == 0:
		return "the file"
	}
	last := l.path[len(l.path)-1]
	i, err := strconv.Atoi(last)
	switch {
	case err != nil:
		return "`" + last + "`"
	case len(l.path) == 1:
		return fmt.Sprintf("item %d", i+1)
	}
	return fmt.Sprintf("item %d of `%s`", i+1, l.path[len(l.path)-2])
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

var kinds = map[string]string{
	"object": "a map", "array": "a list", "string": "text", "number": "a number", "integer": "a whole number",
	"boolean": "true or false", "null": "null",
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
	for _, value := range l.allowedValues() {
		out = append(out, formatValue(value))
	}
	if out != nil {
		return out
	}
	if l.keyword == unknownKeys {
		return []string{"a map with " + text.List(slices.Sorted(maps.Keys(properties(l.rules))), "or")}
	}
	types, several := l.rules["type"].([]any)
	if !several {
		types = []any{l.rules["type"]}
	}
	for _, t := range types {
		name, _ := t.(string)
		text := kinds[name]
		if name == "number" || name == "integer" {
			text += bounds(l.rules)
		}
		out = append(out, text)
	}
	return out
}

// bounds returns the allowed range of a number in words, such as " from 0 to 1".
func bounds(rules map[string]any) string {
	low, high := boundText(rules, "minimum"), boundText(rules, "maximum")
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

// boundText returns the bound with the given key in rules, a part of the schema. It returns "" if there is none.
func boundText(rules map[string]any, key string) string {
	v, ok := rules[key].(float64)
	if !ok {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// length returns the expected length in words, such as "1 to 3 items". rule ends the names of the keywords that set the
// bounds, as in minItems. noun is the singular of the counted thing.
func (l leaf) length(rule, noun string) string {
	low, high := boundText(l.rules, "min"+rule), boundText(l.rules, "max"+rule)
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

// description returns lead followed by the description in rules, a part of the schema. It returns "" if rules has no
// description.
func description(rules any, lead string) string {
	part, _ := rules.(map[string]any)
	if text, _ := part["description"].(string); text != "" {
		return lead + text
	}
	return ""
}

// midSentence returns text as it is within a sentence: its first word in lower case, unless that is all in capitals.
func midSentence(text string) string {
	if word, _, _ := strings.Cut(text, " "); len(word) > 1 && word == strings.ToUpper(word) {
		return text
	}
	return strings.ToLower(text[:min(1, len(text))]) + text[min(1, len(text)):]
}

// suggestion returns a hint that names the allowed text closest to the value of l, or "" if none is close.
func (l leaf) suggestion() string {
	var known []string
	for _, one := range l.branches() {
		known = append(known, one.options()...)
	}
	return text.Hint(" (did you mean `%s`?)", l.node.Text, known)
}

// quotes returns a hint if the value would be valid with quotes, or as a number, true or false without its quotes. If
// it would be text of a wrong form, the hint is the form. Otherwise quotes returns "".
func (l leaf) quotes() string {
	if l.rules["type"] == "string" && slices.Contains([]Kind{Number, Bool}, l.node.Kind) {
		form, _ := l.rules["pattern"].(string)
		if right, err := regexp.MatchString(form, l.node.Text); err == nil && !right {
			return description(l.rules, ": ")
		}
		return "; write it in quotes"
	}
	if l.node.Kind == String && slices.ContainsFunc(l.branches(), func(one leaf) bool {
		what := fmt.Sprint(one.rules["type"], one.allowedValues())
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
	may, _ := l.rules["type"].([]any)
	return slices.Contains(may, any("array")) && l.node.Kind == Map && len(l.node.Keys) > 0 &&
		l.rules["additionalProperties"] == false && l.strange()
}

// reportUnknownKeys reports the unknown keys of l. Of adjacent keys with the same hint, it reports only the first.
func (c *checker) reportUnknownKeys(l leaf) {
	if l.isItem() {
		first, hint := l.node.Keys[0], ""
		if _, known := properties(c.resolved(l.rules["items"]))[first.Text]; known {
			hint = fmt.Sprintf("; write `- %s: …`", first.Text)
		}
		c.errorAt(first.Pos, "type", "%s is a map; expected a list, or %s%s", l.subject(), l.expectedText(), hint)
		return
	}
	known, lastHint := slices.Sorted(maps.Keys(properties(l.rules))), ""
	for _, key := range l.node.Keys {
		if slices.Contains(known, key.Text) {
			continue
		}
		hint := cmp.Or(l.insteadHint(key.Text), text.Hint("did you mean `%s`?", key.Text, known),
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

// insteadHint returns what to write in place of key, a key of another tool, or "". The hint is in x-instead of the
// schema.
func (l leaf) insteadHint(key string) string {
	keys, _ := l.rules["x-instead"].(map[string]any)
	instead, _ := keys[key].(string)
	return instead
}

// nestedHint returns a hint for a misplaced key, or "". It gives one if exactly one key of the map of l takes a map
// that may have the misplaced key.
func (c *checker) nestedHint(l leaf, key string) string {
	var in []string
	for name, value := range properties(l.rules) {
		if _, has := properties(c.resolved(value))[key]; has {
			in = append(in, name)
		}
	}
	if len(in) != 1 {
		return ""
	}
	return fmt.Sprintf("it belongs in `%s`", in[0])
}

// resolved returns rules, a part of the schema, or the part that its $ref names.
func (c *checker) resolved(rules any) map[string]any {
	part, _ := rules.(map[string]any)
	if ref, ok := part["$ref"].(string); ok {
		part, _ = lookUp(c.schema.raw, tokens(strings.TrimPrefix(ref, "#"))).(map[string]any)
	}
	return part
}

// otherwiseHint returns "; " and the x-otherwise of the schema, or "" if there is none. An x-otherwise is advice about
// values and keys that the schema does not list.
func (l leaf) otherwiseHint() string {
	if text, _ := l.rules["x-otherwise"].(string); text != "" {
		return "; " + text
	}
	return ""
}

func properties(rules map[string]any) map[string]any {
	all, _ := rules["properties"].(map[string]any)
	return all
}

// reportMissingKeys reports each required key that the map of l lacks. It skips a key if the map has a misspelled form
// of it, which reportUnknownKeys reports.
func (c *checker) reportMissingKeys(l leaf) {
	if l.isItem() {
		return
	}
	required, _ := l.rules["required"].([]any)
	known, closed := slices.Sorted(maps.Keys(properties(l.rules))), l.rules["additionalProperties"] == false
	for _, item := range required {
		key, _ := item.(string)
		if l.node.Get(key) != nil || closed && slices.ContainsFunc(l.node.Keys, func(k *Node) bool {
			like, ok := text.Suggest(k.Text, known)
			return (ok && like == key || strings.Contains(l.insteadHint(k.Text), "`"+key+"`")) &&
				!slices.Contains(known, k.Text)
		}) {
			continue
		}
		rules, _ := properties(l.rules)[key].(map[string]any)
		purpose := description(rules, ": ")
		if only, ok := rules["const"]; ok {
			purpose = fmt.Sprintf("; write `%s: %s`", key, formatValue(only))
		}
		c.errorAt(l.node.Pos, "missing-key", "`%s` is missing in %s%s", key, l.subject(), purpose)
	}
}

// reportRepeated reports each item of a list that equals an earlier item.
func (c *checker) reportRepeated(l leaf) {
	seen := map[string]int{}
	for i, item := range l.node.List() {
		key := item.JSON()
		if first, twice := seen[key]; twice {
			c.errorAt(item.Pos, "unique", "item %d of %s is also item %d; keep one of them", i+1, l.subject(), first+1)
			continue
		}
		seen[key] = i
	}
}

func formatValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}
