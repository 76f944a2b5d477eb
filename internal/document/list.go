package document

import "iter"

// longItems is how many items of a list of the root are kept as nodes. The items of a longer one, the 100,000 cases of a suite, are
// read again one by one: nodes take thirty times the memory of their text.
const longItems = 4096

// longList holds where the items of a list stand in JSON text that has been read without a fault of syntax.
type longList struct {
	text []byte
	at   []itemPlace
}

// itemPlace is where an item begins. A file of JSON has 64 MiB at most.
type itemPlace struct{ offset, line, column int32 }

func (l *longList) item(i int) *Node {
	at := l.at[i]
	s := &scanner{faults: &faults{}, cursor: cursor{l.text, int(at.offset), int(at.line), int(at.column), int(at.offset)}, left: maxJSONNodes}
	return s.value(rootItem)
}

// rootItem is how deep the items of a list of the root are: maps and lists, the item counted.
const rootItem = 3

// Len is the number of items of a list; 0 for anything else.
func (n *Node) Len() int {
	if n.long != nil {
		return len(n.long.at)
	}
	return len(n.items)
}

// Item returns the item of a list at 0 ≤ i < Len. That of a long list is made anew each time.
func (n *Node) Item(i int) *Node {
	if n.long != nil {
		return n.long.item(i)
	}
	return n.items[i]
}

// List returns the items of a list, all of them nodes at once; nil for anything else, and for nil.
func (n *Node) List() []*Node {
	switch {
	case n == nil, n.Kind != List: // a node that Lines uses again may have room for items
		return nil
	case n.long == nil:
		return n.items
	}
	all := make([]*Node, n.Len())
	for i, item := range n.Items() {
		all[i] = item
	}
	return all
}

// Items yields the items of a list, in file order. Those of a long list are held by nobody else.
func (n *Node) Items() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		for i := range n.Len() {
			if !yield(i, n.Item(i)) {
				return
			}
		}
	}
}
