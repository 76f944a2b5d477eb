package document

import "slices"

// Prune returns a copy of root without the entries that contain the given places. For each place, paths has the keys
// that lead to the removed entry, with "" for a list item. ok is false if a place is in no entry.
//
// An entry may contain further entries. Prune calls descend with the path of such an entry and the index of the place
// in places. If descend returns true, only the inner entry at the place is removed, and otherwise the whole entry.
func Prune(root *Node, places []Position,
	descend func(path []string, place int) bool) (pruned *Node, paths [][]string, ok bool) {
	gone := map[*Node]bool{}
	for i, at := range places {
		value, path := entryAt(root, at, nil, func(path []string) bool { return descend(path, i) })
		if value == nil {
			return root, nil, false
		}
		gone[value] = true
		paths = append(paths, path)
	}
	return removeEntries(root, gone), paths, true
}

// entryAt returns the value of the entry below n that contains the position at, and the keys that lead to the entry.
// path are the keys that lead to n. entryAt returns nil if no entry contains the position. It descends into an entry
// only if descend returns true for the keys of that entry.
func entryAt(n *Node, at Position, path []string, descend func([]string) bool) (*Node, []string) {
	var found *Node
	key := ""
	for i := range n.Keys { // the last key that begins at or before the place
		if at.compare(n.Keys[i].Pos) >= 0 {
			found, key = n.Values[i], n.Keys[i].Text
		}
	}
	for _, item := range n.items {
		if at.compare(item.Pos) >= 0 {
			found = item
		}
	}
	if found == nil {
		return nil, nil
	}
	path = append(slices.Clone(path), key)
	if descend(path) {
		if inner, innerPath := entryAt(found, at, path, descend); inner != nil {
			return inner, innerPath
		}
	}
	return found, path
}

// removeEntries returns a copy of the tree n without the entries whose values are in removed.
func removeEntries(n *Node, removed map[*Node]bool) *Node {
	rest := *n
	rest.Keys, rest.Values, rest.items = nil, nil, nil
	for i, value := range n.Values {
		if !removed[value] {
			rest.Keys, rest.Values = append(rest.Keys, n.Keys[i]), append(rest.Values, removeEntries(value, removed))
		}
	}
	for _, item := range n.items {
		if !removed[item] {
			rest.items = append(rest.items, removeEntries(item, removed))
		}
	}
	return &rest
}
