package document

import (
	"iter"
	"slices"
	"strconv"
)

// partItems is how many items of a long list are checked at once. Package jsonschema checks values of Go, which take several times the
// memory of the file: of a file of 100,000 cases only a part is ever made.
const partItems = 512

// part is a tree with some of the items of one list of its root, the whole tree if list is "".
type part struct {
	root *Node
	list string // key of the list
	from int    // index of its first item in the whole list
}

// parts yields root a part at a time: with all else, some items of the longest list of the root that may be taken apart.
func (root *Node) parts(apart map[string]bool) iter.Seq[part] {
	return func(yield func(part) bool) {
		at := -1
		for i, key := range root.Keys {
			if apart[key.Text] && (at < 0 || root.Values[i].Len() > root.Values[at].Len()) {
				at = i
			}
		}
		if at < 0 || root.Values[at].Len() <= partItems {
			yield(part{root: root})
			return
		}
		list := root.Values[at]
		for from := 0; from < list.Len(); from += partItems {
			some, one := *list, *root
			some.long, some.items = nil, make([]*Node, 0, partItems)
			for i := from; i < min(from+partItems, list.Len()); i++ {
				some.items = append(some.items, list.Item(i))
			}
			one.Values = slices.Clone(root.Values)
			one.Values[at] = &some
			if !yield(part{&one, root.Keys[at].Text, from}) {
				return
			}
		}
	}
}

// whole turns the path of a value in the part into its path in the whole tree.
func (p part) whole(path []string) []string {
	if p.from == 0 || len(path) < 2 || path[0] != p.list {
		return path
	}
	if i, err := strconv.Atoi(path[1]); err == nil {
		path[1] = strconv.Itoa(p.from + i)
	}
	return path
}

// owns reports whether a value is told by this part: what stands outside of the list, by the first one.
func (p part) owns(path []string) bool { return p.from == 0 || len(path) > 1 && path[0] == p.list }

// listsInParts finds the lists of a schema's root of which it says no more than what each item is, and that there is one, be it beside
// other things that may stand there. The root
// must be an object and no choice, so that its properties have nothing to do with each other.
func listsInParts(schema any) map[string]bool {
	root, _ := schema.(map[string]any)
	if !only(root, "$schema", "$id", "$defs", "title", "description", "type", "additionalProperties", "required", "properties") {
		return nil
	}
	lists := map[string]bool{}
	properties, _ := root["properties"].(map[string]any)
	for key, value := range properties {
		one, _ := value.(map[string]any)
		options, choice := one["anyOf"].([]any)
		if !choice {
			options = []any{value}
		}
		for _, option := range options {
			if anyLength(option) && (!choice || only(one, "description", "anyOf")) {
				lists[key] = true
			}
		}
	}
	return lists
}

// anyLength reports whether a schema says no more of a list than what each item is, and that there is one.
func anyLength(schema any) bool {
	list, _ := schema.(map[string]any)
	least, bounded := list["minItems"]
	return list["type"] == "array" && only(list, "description", "type", "minItems", "items") && (!bounded || least == 1.0)
}

// only reports whether a map has no other keys than these.
func only(m map[string]any, keys ...string) bool {
	for key := range m {
		if !slices.Contains(keys, key) {
			return false
		}
	}
	return true
}
