package document

import "slices"

// Prune returns a copy of root without the entries at the given places. For each place, it also returns the keys that
// lead to the removed entry, with "" for a list item. The function apart gets the path of an entry and the index of a
// place inside the entry. If apart returns true, Prune removes only the inner entry at that place. Otherwise it removes
// the whole entry. Prune returns false if a place is in no entry.
func Prune(root *Node, places []Position,
	apart func(path []string, place int) bool) (rest *Node, paths [][]string, ok bool) {
	gone := map[*Node]bool{}
	for i, at := range places {
		value, path := entryAt(root, at, nil, func(path []string) bool { return apart(path, i) })
		if value == nil {
			return root, nil, false
		}
		gone[value] = true
		paths = append(paths, path)
	}
	return without(root, gone), paths, true
}

// entryAt returns the value of the entry that contains a place, and the keys that lead to that entry. It returns nil if
// no entry contains the place. It descends into an entry only if apart returns true for the keys.
func entryAt(n *Node, at Position, path []string, apart func([]string) bool) (*Node, []string) {
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
	if apart(path) {
		if inner, to := entryAt(found, at, path, apart); inner != nil {
			return inner, to
		}
	}
	return found, path
}

// without returns a copy of n without the given values.
func without(n *Node, gone map[*Node]bool) *Node {
	rest := *n
	rest.Keys, rest.Values, rest.items = nil, nil, nil
	for i, value := range n.Values {
		if !gone[value] {
			rest.Keys, rest.Values = append(rest.Keys, n.Keys[i]), append(rest.Values, without(value, gone))
		}
	}
	for _, item := range n.items {
		if !gone[item] {
			rest.items = append(rest.items, without(item, gone))
		}
	}
	return &rest
}
