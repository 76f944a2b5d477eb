package suiteid

import (
	"cmp"
	"slices"
	"strings"
)

// Name identifies a case. Suite is the id that the case's suite has on the head, on whichever side the case is. Case is
// the id of the case.
type Name struct {
	Suite string `json:"suite_id"`
	Case  string `json:"case_id"`
}

// Compare compares names for sorting, by suite and then by case.
func (n Name) Compare(other Name) int {
	return cmp.Or(strings.Compare(n.Suite, other.Suite), strings.Compare(n.Case, other.Case))
}

// Case is what Join and FindRenamed compare of a case.
type Case[K comparable] struct {
	ID         string
	Key        K // equal for cases with the same checks and own input, including the variables that any suite reads
	SuiteKey   K // like Key, but with only the variables that the case's own suite reads
	RequestKey K // equal for cases with the same request; tells cases with the same Key apart
	Question   K // equal for cases of a suite with the same own input, whatever their checks; zero if it is not known
}

// SuiteCases has cases of one suite, not necessarily all.
type SuiteCases[K comparable] struct {
	Suite  string // the head's id for the suite
	Target string // "" if unknown
	Cases  []Case[K]
}

// Names maps base cases to the head cases that are the same case, such as under another id or in another suite. The
// zero Names maps none. A name that Names lacks means the same case on both sides.
type Names struct{ head, base map[Name]Name } // head by the base's name, and base by the head's

// Head returns the name that a base case has on the head.
func (n Names) Head(base Name) Name {
	if name, other := n.head[base]; other {
		return name
	}
	return base
}

// Base returns the name that a head case has on the base. The bool is false if the base uses that name for another
// case.
func (n Names) Base(head Name) (Name, bool) {
	if own, other := n.base[head]; other {
		return own, true
	}
	_, other := n.head[head]
	return head, !other
}

// Moves reports whether any case is in another suite on the head than on the base.
func (n Names) Moves() bool {
	for base, head := range n.head {
		if base.Suite != head.Suite {
			return true
		}
	}
	return false
}

// add records that the base case and the head case are the same case.
func (n Names) add(base, head Name) { n.head[base], n.base[head] = head, base }

// Matches says which suites and cases of base and head are the same. By the zero Matches, those with equal ids are.
type Matches struct {
	SuiteIDs map[string]string // the head's ids of the base's suites by the base's; those that it lacks are equal
	Names
}

// HeadID returns the head's id of a base suite.
func (m Matches) HeadID(baseID string) string { return cmp.Or(m.SuiteIDs[baseID], baseID) }

// HeadName returns the head's name of a case of a base suite.
func (m Matches) HeadName(baseID, caseID string) Name { return m.Head(Name{m.HeadID(baseID), caseID}) }

// replacedSuffix is the ending that FindRenamed adds to the id of a base case if the head uses its name for another
// case. No other id contains it.
const replacedSuffix = separator + "base"

// FindRenamed finds the cases that only changed their id or their suite, and returns their names on both sides. base
// and head are the cases that have no counterpart with the same name and key. FindRenamed pairs cases with the same
// key, in this order:
//
//  1. cases in the same suite, so that a case that stayed is not paired with one of another suite;
//  2. cases with the same id: first those whose suites have the same target, then those whose suites' ids name the same
//     target or none;
//  3. cases with any id, in the same suites as in step 2;
//  4. the cases of steps 1 and 3 again, each time first those with the same request, then any;
//  5. cases in the same suite with the same question, although their keys differ: first those with the same id, then
//     any. Without step 5, a new id could hide that a redefined case fails its old expectation.
//
// Steps 1 to 3 pair two cases only if each side has a single case that fits. Steps 4 and 5 also pair several equal
// cases, in their order. Without step 4, adding a copy of a case could hide that the case regresses.
//
// If the head uses the name of an unpaired base case for another case, the base case gets the name ID@base.
func FindRenamed[K comparable](base, head []SuiteCases[K]) (n Names) {
	if len(base) == 0 || len(head) == 0 {
		return n
	}
	n = Names{head: map[Name]Name{}, base: map[Name]Name{}}
	single := []identityFunc[K]{bySuite[K], withID(byTarget[K]), withID(byListedTarget[K]), byTarget[K],
		byListedTarget[K]}
	several := []identityFunc[K]{withRequest(bySuite[K]), bySuite[K], withRequest(byTarget[K]), byTarget[K],
		withRequest(byListedTarget[K]), byListedTarget[K], withID(byQuestion[K]), byQuestion[K]}
	for round, identify := range slices.Concat(single, several) {
		baseGroups, headGroups := unpaired(base, n.head, identify), unpaired(head, n.base, identify)
		for identity, baseNames := range baseGroups {
			headNames := headGroups[identity]
			if round < len(single) && (len(baseNames) > 1 || len(headNames) > 1) {
				continue
			}
			for i := range min(len(baseNames), len(headNames)) {
				n.add(baseNames[i], headNames[i])
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
				n.add(name, Name{s.Suite, c.ID + replacedSuffix})
			}
		}
	}
	return n
}

// caseIdentity is equal for cases that a round of FindRenamed may pair.
type caseIdentity[K comparable] struct {
	kind, name, id string
	key, sent      K
}

// identityFunc is a function that returns the identity of a case in a round. The bool is false if the case takes no
// part in the round.
type identityFunc[K comparable] func(SuiteCases[K], Case[K]) (caseIdentity[K], bool)

func bySuite[K comparable](s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
	return caseIdentity[K]{kind: "suite", name: s.Suite, key: c.SuiteKey}, true
}

func byTarget[K comparable](s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
	return caseIdentity[K]{kind: "target", name: s.Target, key: c.Key}, s.Target != ""
}

// byListedTarget identifies a case by its key and the target that its suite's id names.
func byListedTarget[K comparable](s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
	_, target := Split(s.Suite)
	return caseIdentity[K]{kind: "list", name: target, key: c.Key}, true
}

func byQuestion[K comparable](s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
	var unknown K
	return caseIdentity[K]{kind: "question", name: s.Suite, key: c.Question}, c.Question != unknown
}

// withID returns a function that adds the case's id to the identity that identify returns.
func withID[K comparable](identify identityFunc[K]) identityFunc[K] {
	return func(s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
		one, ok := identify(s, c)
		one.id = c.ID
		return one, ok
	}
}

// withRequest returns a function that adds the key of the case's request to the identity that identify returns.
func withRequest[K comparable](identify identityFunc[K]) identityFunc[K] {
	return func(s SuiteCases[K], c Case[K]) (caseIdentity[K], bool) {
		one, ok := identify(s, c)
		one.sent = c.RequestKey
		return one, ok
	}
}

// unpaired returns the names of the cases of a side that are not in joined. They are grouped by the identity that
// identify returns, and are in their order within each group.
func unpaired[K comparable](side []SuiteCases[K], joined map[Name]Name,
	identify identityFunc[K]) map[caseIdentity[K]][]Name {
	out := map[caseIdentity[K]][]Name{}
	for _, s := range side {
		for _, c := range s.Cases {
			name := Name{s.Suite, c.ID}
			one, ok := identify(s, c)
			if _, already := joined[name]; already || !ok {
				continue
			}
			out[one] = append(out[one], name)
		}
	}
	return out
}
