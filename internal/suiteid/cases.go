package suiteid

// Case is a case of a suite as Rename knows it.
type Case[K comparable] struct {
	ID  string
	Key K // of its own input and all that judges it
}

// Names are what the cases of a base's suite are called in the head, where that is not what the base calls them. The zero Names says so of
// none.
type Names struct{ head, base map[string]string } // by the base's id, and by the head's

// Head is what the head calls a case of the base.
func (n Names) Head(id string) string {
	if name, other := n.head[id]; other {
		return name
	}
	return id
}

// Base is what the base calls the case that goes by an id in the head; false if what the base calls so is another case.
func (n Names) Base(id string) (string, bool) {
	if own, other := n.base[id]; other {
		return own, true
	}
	_, other := n.head[id]
	return id, !other
}

func (n *Names) put(base, head string) {
	if n.head == nil {
		n.head, n.base = map[string]string{}, map[string]string{}
	}
	n.head[base], n.base[head] = head, base
}

// gone stands behind the id of a case of the base that another case goes by in the head. No id holds it.
const gone = between + "base"

// Rename finds the cases that changed their names alone, among those of both sides that have no case of their id and key on the other:
// of a key that one case of each side has, both are one. Of a key that several have, nothing is guessed. A case of the base whose id one
// of these took goes by ID@base.
func Rename[K comparable](base, head []Case[K]) (n Names) {
	if len(base) == 0 || len(head) == 0 {
		return n
	}
	before, here := alone(base), alone(head)
	for _, b := range base {
		if h := here[b.Key]; h != "" && before[b.Key] != "" && h != b.ID {
			n.put(b.ID, h)
		}
	}
	for _, b := range base {
		if _, known := n.head[b.ID]; known {
			continue
		}
		if _, taken := n.base[b.ID]; taken {
			n.put(b.ID, b.ID+gone)
		}
	}
	return n
}

// alone are the ids of cases by their keys; "" where several have one.
func alone[K comparable](cases []Case[K]) map[K]string {
	out := make(map[K]string, len(cases))
	for _, c := range cases {
		if _, again := out[c.Key]; again {
			c.ID = ""
		}
		out[c.Key] = c.ID
	}
	return out
}
