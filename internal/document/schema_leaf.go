package document

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/failproof/failproof/internal/text"
)

// leaf is one cause of an error: a keyword of the schema and the value that does not satisfy it.
type leaf struct {
	keyword      string         // additionalProperties, enum, …
	location     string         // location of the keyword in the schema
	rules        map[string]any // the part of the schema that has the keyword
	path         []string       // keys and indices from the root to the value
	node         *Node          // the value, or the key if isKey
	isKey        bool           // the error is about a key's name
	alternatives []leaf         // causes of the other branches of an anyOf or oneOf, if no branch fits
}

// sortLeaves sorts leaves in file order, because jsonschema visits the keys of a map in random order.
func sortLeaves(all []leaf) {
	place := func(l leaf) Position {
		if l.node == nil {
			return Position{}
		}
		return l.node.Pos
	}
	slices.SortStableFunc(all, func(a, b leaf) int {
		return cmp.Or(place(a).compare(place(b)), cmp.Compare(a.keyword, b.keyword),
			cmp.Compare(a.location, b.location))
	})
}

// flatten returns the innermost causes of an error. For an anyOf or oneOf, it returns only the causes of the branch
// that the author of the file most likely meant.
func (c *checker) flatten(e *jsonschema.ValidationError) []leaf {
	if len(e.Causes) == 0 {
		return []leaf{c.newLeaf(e)}
	}
	var branches [][]leaf
	for _, cause := range e.Causes {
		branches = append(branches, c.flatten(cause))
	}
	if keyword := path.Base(e.AbsoluteKeywordLocation); keyword == "anyOf" || keyword == "oneOf" {
		return pickBranch(branches, tokens(e.InstanceLocation))
	}
	all := slices.Concat(branches...)
	return slices.DeleteFunc(all, func(l leaf) bool { // the unknown keys explain the excess
		return l.keyword == "maxProperties" && slices.ContainsFunc(all, func(o leaf) bool {
			return o.keyword == unknownKeys && o.node == l.node
		})
	})
}

func (c *checker) newLeaf(e *jsonschema.ValidationError) leaf {
	at := e.AbsoluteKeywordLocation
	rules, known := c.rules[at]
	if !known {
		_, pointer, _ := strings.Cut(at[:strings.LastIndexByte(at, '/')+1], "#")
		rules, _ = lookUp(c.schema.raw, tokens(strings.TrimSuffix(pointer, "/"))).(map[string]any)
		c.rules[at] = rules
	}
	l := leaf{keyword: path.Base(at), location: at, path: tokens(e.InstanceLocation), rules: rules}
	key, node := c.nodeAt(l.path)
	l.node = node
	if key != nil && strings.Contains(e.KeywordLocation, "/propertyNames") {
		l.node, l.isKey = key, true
	}
	return l
}

// pickBranch returns the causes of the branch that fits the kind of the value. path is the path of the value. If
// several branches fit, pickBranch returns the causes of the one with the fewest causes. If none fits, it returns one
// cause: the value is of a wrong kind.
func pickBranch(branches [][]leaf, path []string) []leaf {
	var best []leaf
	var unfit []leaf
	for _, branch := range branches {
		mismatch := slices.IndexFunc(branch, func(l leaf) bool {
			return slices.Equal(l.path, path) &&
				(slices.Contains(kindKeywords, l.keyword) || l.meansOtherBranch(branch))
		})
		switch {
		case mismatch >= 0:
			unfit = append(unfit, branch[mismatch])
		case best == nil || len(branch) < len(best):
			best = branch
		}
	}
	if best != nil {
		return best
	}
	slices.SortStableFunc(unfit, func(a, b leaf) int {
		return cmp.Compare(strings.Count(a.keyword, unknownKeys), strings.Count(b.keyword, unknownKeys))
	})
	first := unfit[0]
	first.alternatives = unfit[1:]
	return []leaf{first}
}

// unknownKeys is the keyword of the schema that unknown keys violate.
const unknownKeys = "additionalProperties"

// meansOtherBranch reports whether the map of l lacks a key that the branch requires, and has no key that the branch
// knows, not even misspelled. The author of such a map meant another branch.
func (l leaf) meansOtherBranch(branch []leaf) bool {
	return l.keyword == unknownKeys && l.node != nil &&
		slices.ContainsFunc(branch, func(b leaf) bool { return b.keyword == "required" && b.node == l.node }) &&
		l.strange()
}

// strange reports whether the schema knows no key of the map of l, not even misspelled.
func (l leaf) strange() bool {
	known := slices.Collect(maps.Keys(properties(l.rules)))
	return !slices.ContainsFunc(l.node.Keys, func(k *Node) bool {
		_, like := text.Suggest(k.Text, known)
		return like || slices.Contains(known, k.Text) || l.insteadHint(k.Text) != ""
	})
}

// kindKeywords are the keywords that a value of a wrong kind violates.
var kindKeywords = []string{"type", "enum", "const"}

// listsWord reports whether l is about a word such as yes or on that the schema lists as an allowed value.
func (l leaf) listsWord() bool {
	if l.node == nil || !l.node.isAmbiguous() {
		return false
	}
	return slices.ContainsFunc(l.branches(),
		func(one leaf) bool { return slices.Contains(one.options(), l.node.Text) })
}

// allowedValues returns the values that the schema lists, or nil if it lists none.
func (l leaf) allowedValues() []any {
	if one, ok := l.rules["const"]; ok {
		return []any{one}
	}
	list, _ := l.rules["enum"].([]any)
	return list
}

// options returns the allowed values that are strings.
func (l leaf) options() (out []string) {
	for _, value := range l.allowedValues() {
		if text, ok := value.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// nodeAt returns the value at path, and the key of the value if it has one. It returns nil if there is no value. If a
// value on the way is faulty, nodeAt returns the faulty value instead.
func (c *checker) nodeAt(path []string) (key, value *Node) {
	value = c.root
	for _, token := range path {
		if value == nil || value.faulty {
			return nil, value
		}
		if value.Kind == List {
			i, _ := strconv.Atoi(token) // of an item that jsonschema has visited
			key, value = nil, value.items[i]
			continue
		}
		key, value = c.entry(value, token)
	}
	return key, value
}

// entry returns the node of the key in the map n, and the value of the key. For a large map it makes an index, because
// each key of the map may have an error.
func (c *checker) entry(n *Node, key string) (keyNode, value *Node) {
	if len(n.Keys) < 16 {
		return n.entry(key)
	}
	index := c.index[n]
	if index == nil {
		index = make(map[string]int, len(n.Keys))
		for i, k := range n.Keys {
			index[k.Text] = i
		}
		c.index[n] = index
	}
	if i, ok := index[key]; ok {
		return n.Keys[i], n.Values[i]
	}
	return nil, nil
}

// tokens returns the unescaped parts of pointer, which jsonschema escapes twice: as a JSON Pointer and as a URL.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		parts[i] = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
	}
	return parts
}

// lookUp returns the part of value, a decoded JSON value, at the given path, which exists.
func lookUp(value any, path []string) any {
	for _, token := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			i, _ := strconv.Atoi(token)
			value = v[i]
		}
	}
	return value
}
