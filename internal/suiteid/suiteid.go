// Package suiteid makes the ids of suites, and finds which suites and cases of base and head are the same, even if
// renamed. A suite with several targets is one suite for each target, with the id SUITE@TARGET. The package is pure and
// knows only ids and keys.
package suiteid

import (
	"crypto/sha256"
	"io"
	"slices"
	"strings"
)

// separator separates the suite from the target in an id. Neither name may contain it.
const separator = "@"

// ForTarget returns SUITE@TARGET, the id for one target of a suite that has several targets.
func ForTarget(suite, target string) string { return suite + separator + target }

// Split returns the id that the suite's author wrote, and the target. target is "" if the suite has a single target,
// because its id does not name it. target is also "" for an invalid id, as in a report that was edited by hand.
func Split(id string) (suite, target string) {
	suite, target, several := strings.Cut(id, separator)
	if !several || strings.ContainsFunc(suite+target, func(r rune) bool { return !isNameRune(r) }) {
		return id, ""
	}
	return suite, target
}

// isNameRune reports whether names of suites and targets may contain r.
func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/", r)
}

// AuthorID returns the id that the suite's author wrote, without a target.
func AuthorID(id string) string {
	suite, _ := Split(id)
	return suite
}

// Suite is what Join compares of a suite.
type Suite[K comparable] struct {
	ID     string
	Target string                   // "" if unknown
	Lines  func(sent bool) []string // the id and keys of each case, with the request's key only if sent
	Cases  func() []Case[K]
}

// contentHash returns a hash that is equal for suites with the same cases in any order. If sent is set, the requests of
// the cases must be the same too.
func (s Suite[K]) contentHash(sent bool) string {
	lines := s.Lines(sent)
	slices.Sort(lines)
	sum := sha256.New()
	for _, line := range lines {
		io.WriteString(sum, line+"\n")
	}
	return string(sum.Sum(nil))
}

// Join returns, for each base suite that the head also has, the head's id of it by the base's id. Two suites are the
// same by the first of these rules that holds:
//
//  1. The ids are equal.
//  2. The author's ids and the targets are equal. The ids differ because only one side has several targets.
//  3. The suite was renamed: each author's id is on one side only, and the cases are the same. Suites with the same
//     requests are joined first.
//  4. The suite was renamed and changed: more than half of the base suite's cases are in the head suite, and both fit
//     no other suite.
//
// If a suite's list of targets gains or loses a target, the suite for that target is joined with none. Several equal
// suites are joined in the order of their ids.
func Join[K comparable](base, head []Suite[K]) map[string]string {
	j := joiner[K]{out: map[string]string{}, taken: map[string]bool{}, base: byID(base), head: byID(head)}
	j.joinByName(func(s Suite[K]) string { return s.ID })
	j.joinByName(authorIDWithTarget)
	j.base, j.head = withoutAuthorIDsOf(j.base, j.head), withoutAuthorIDsOf(j.head, j.base)
	listed := func(s Suite[K]) string { _, target := Split(s.ID); return target }
	target := func(s Suite[K]) string { return s.Target }
	for _, sent := range []bool{true, false} {
		for _, names := range []nameFunc[K]{listed, target} {
			j.joinByName(func(s Suite[K]) string { return names(s) + "\x00" + s.contentHash(sent) })
		}
	}
	j.joinByCases(listed)
	j.joinByCases(target)
	return j.out
}

// withoutAuthorIDsOf returns the suites of side whose author's id no suite of other has.
func withoutAuthorIDsOf[K comparable](side, other []Suite[K]) []Suite[K] {
	written := map[string]bool{}
	for _, s := range other {
		written[AuthorID(s.ID)] = true
	}
	return slices.DeleteFunc(slices.Clone(side), func(s Suite[K]) bool { return written[AuthorID(s.ID)] })
}

// nameFunc is a function that returns a name for a suite. Suites of both sides with the same name are joined; "" joins
// none.
type nameFunc[K comparable] func(Suite[K]) string

// authorIDWithTarget returns the author's id of a suite together with its target, or "" if the target is unknown.
func authorIDWithTarget[K comparable](s Suite[K]) string {
	if s.Target == "" {
		return ""
	}
	return ForTarget(AuthorID(s.ID), s.Target)
}

// joiner is the state of Join.
type joiner[K comparable] struct {
	out        map[string]string // the head's ids by the base's ids
	taken      map[string]bool   // the head's ids that out has
	base, head []Suite[K]
}

// joinByName joins the remaining suites of both sides that have the same name.
func (j joiner[K]) joinByName(name nameFunc[K]) {
	unjoined := slices.DeleteFunc(slices.Clone(j.base), func(b Suite[K]) bool { return j.out[b.ID] != "" })
	if len(unjoined) == 0 { // do not compute names for nothing
		return
	}
	heads := map[string][]string{}
	for _, h := range j.head {
		if !j.taken[h.ID] {
			names := name(h)
			heads[names] = append(heads[names], h.ID)
		}
	}
	for _, b := range unjoined {
		names := name(b)
		if ids := heads[names]; names != "" && len(ids) > 0 {
			j.out[b.ID], j.taken[ids[0]], heads[names] = ids[0], true, ids[1:]
		}
	}
}

// joinByCases joins remaining suites that have the same name if the head suite has more than half of the base suite's
// cases. It joins two suites only if neither fits another suite.
func (j joiner[K]) joinByCases(name nameFunc[K]) {
	fits, fitCount := map[string][]string{}, map[string]int{} // by the base's id, and by the head's
	for _, b := range j.base {
		if j.out[b.ID] != "" {
			continue
		}
		for _, h := range j.head {
			if !j.taken[h.ID] && name(h) == name(b) && sharesMost(b.Cases(), h.Cases()) {
				fits[b.ID] = append(fits[b.ID], h.ID)
				fitCount[h.ID]++
			}
		}
	}
	for b, all := range fits {
		if len(all) == 1 && fitCount[all[0]] == 1 {
			j.out[b], j.taken[all[0]] = all[0], true
		}
	}
}

// sharesMost reports whether more than half of cases are also in among. Each case in among counts only once.
func sharesMost[K comparable](cases, among []Case[K]) bool {
	left := make(map[K]int, len(among))
	for _, c := range among {
		left[c.Key]++
	}
	n := 0
	for _, c := range cases {
		if left[c.Key] > 0 {
			left[c.Key]--
			n++
		}
	}
	return 2*n > len(cases)
}

func byID[K comparable](side []Suite[K]) []Suite[K] {
	return slices.SortedFunc(slices.Values(side), func(a, b Suite[K]) int { return strings.Compare(a.ID, b.ID) })
}
