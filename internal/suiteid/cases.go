package suiteid

import "slices"

// Name is what a case is called in a comparison: its suite, by the id that the head has for it, and its own id.
type Name struct{ Suite, Case string }

// Case is a case of a suite as Rename knows it.
type Case[K comparable] struct {
	ID   string
	Key  K // of its own input, as far as any suite reads it, and all that judges it
	Own  K // of the same, as far as its own suite reads it
	Sent K // of what is asked, which tells those of one Key apart
}

// Some are cases of one suite.
type Some[K comparable] struct {
	Suite  string // by the id that the head has for it
	Target string // who answers it; "" where that is not known
	Cases  []Case[K]
}

// Names are what the cases of a base are called in the head, where that is not what the base calls them: they have
// another id, or stand in another suite, or both. The zero Names says so of none.
type Names struct{ head, base map[Name]Name } // by the base's name, and by the head's

// Head is what the head calls a case of the base.
func (n Names) Head(base Name) Name {
	if name, other := n.head[base]; other {
		return name
	}
	return base
}

// Base is what the base calls the case that goes by a name in the head; false if what the base calls so is another
// case.
func (n Names) Base(head Name) (Name, bool) {
	if own, other := n.base[head]; other {
		return own, true
	}
	_, other := n.head[head]
	return head, !other
}

// Moves reports whether a case stands in another suite of the head than of the base.
func (n Names) Moves() bool {
	for base, head := range n.head {
		if base.Suite != head.Suite {
			return true
		}
	}
	return false
}

// put has a case of the base go by another name in the head.
func (n *Names) put(base, head Name) {
	if n.head == nil {
		n.head, n.base = map[Name]Name{}, map[Name]Name{}
	}
	n.head[base], n.base[head] = head, base
}

// gone stands behind the id of a case of the base that another case goes by in the head. No id holds it.
const gone = between + "base"

// Rename finds the cases that changed their names alone, which are their suites' and their own, among those of both
// sides that have no case of their name and key on the other. What has one key on both sides is one case where only one
// of each side is called so: first by the suite, so that what stayed in its suite is no other suite's; then, in
// whatever suite the same target answers or none of several does, by the id; and then by the key alone. Of equal ones
// that are left those that ask the same are joined, and then, as one is as good as the other, all in their order: were
// they left alone, a case that goes wrong would be gone as soon as it has a twin. A case of the base whose name another
// one took goes by ID@base.
func Rename[K comparable](base, head []Some[K]) (n Names) {
	if len(base) == 0 || len(head) == 0 {
		return n
	}
	single := []naming[K]{inSuite[K], calledBy(sameTarget[K]), calledBy(sameList[K]), sameTarget[K], sameList[K]}
	several := []naming[K]{asking(inSuite[K]), inSuite[K], asking(sameTarget[K]), sameTarget[K],
		asking(sameList[K]), sameList[K]}
	for round, by := range slices.Concat(single, several) {
		before, here := alone(base, n.head, by), alone(head, n.base, by)
		for one, was := range before {
			is := here[one]
			if round < len(single) && (len(was) > 1 || len(is) > 1) {
				continue
			}
			for i := range min(len(was), len(is)) {
				if was[i] != is[i] {
					n.put(was[i], is[i])
				}
			}
		}
	}
	for _, s := range base {
		for _, c := range s.Cases {
			name := Name{s.Suite, c.ID}
			if _, known := n.head[name]; known {
				continue
			}
			if _, taken := n.base[name]; taken {
				n.put(name, Name{s.Suite, c.ID + gone})
			}
		}
	}
	return n
}

// caseIdentity is what identifies a case: the part of its name that counts, and its keys.
type caseIdentity[K comparable] struct {
	by, of, id string
	key, sent  K
}

// naming says what a case is known by; false if by nothing.
type naming[K comparable] func(Some[K], Case[K]) (caseIdentity[K], bool)

func inSuite[K comparable](s Some[K], c Case[K]) (caseIdentity[K], bool) {
	return caseIdentity[K]{by: "suite", of: s.Suite, key: c.Own}, true
}

func sameTarget[K comparable](s Some[K], c Case[K]) (caseIdentity[K], bool) {
	return caseIdentity[K]{by: "target", of: s.Target, key: c.Key}, s.Target != ""
}

// sameList tells the targets of a suite apart that names several.
func sameList[K comparable](s Some[K], c Case[K]) (caseIdentity[K], bool) {
	_, target := Split(s.Suite)
	return caseIdentity[K]{by: "list", of: target, key: c.Key}, true
}

func calledBy[K comparable](by naming[K]) naming[K] {
	return func(s Some[K], c Case[K]) (caseIdentity[K], bool) {
		one, ok := by(s, c)
		one.id = c.ID
		return one, ok
	}
}

func asking[K comparable](by naming[K]) naming[K] {
	return func(s Some[K], c Case[K]) (caseIdentity[K], bool) {
		one, ok := by(s, c)
		one.sent = c.Sent
		return one, ok
	}
}

// alone are the names of a side's cases, but for those that are joined, by what they are known by, in their order.
func alone[K comparable](side []Some[K], joined map[Name]Name, by naming[K]) map[caseIdentity[K]][]Name {
	out := map[caseIdentity[K]][]Name{}
	for _, s := range side {
		for _, c := range s.Cases {
			name := Name{s.Suite, c.ID}
			one, ok := by(s, c)
			if _, already := joined[name]; already || !ok {
				continue
			}
			out[one] = append(out[one], name)
		}
	}
	return out
}
