// Package suiteid splits a suite with several targets: with each target it is a separate suite, run, judged and
// compared alone. It is pure and knows only ids.
package suiteid

import (
	"crypto/sha256"
	"io"
	"slices"
	"strings"
)

// between stands between the suite and the target. Neither name may hold it.
const between = "@"

// Of is the id of a suite as one of its several targets answers it: SUITE@TARGET.
func Of(suite, target string) string { return suite + between + target }

// Split returns the id that the author wrote, and the target; "" where the suite names one alone, which is no part of
// its id. What is no id, as in a report that somebody wrote by hand, has no target.
func Split(id string) (suite, target string) {
	suite, target, several := strings.Cut(id, between)
	if !several || strings.ContainsFunc(suite+target, func(r rune) bool { return !inName(r) }) {
		return id, ""
	}
	return suite, target
}

// inName reports a letter of suites' and targets' names.
func inName(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/", r)
}

// AuthorID returns the id as the author wrote it, without the target.
func AuthorID(id string) string {
	suite, _ := Split(id)
	return suite
}

// One is a suite of a side as a Join knows it.
type One[K comparable] struct {
	ID     string
	Target string                   // who answers it; "" where that is not known
	Lines  func(sent bool) []string // one for each case, of its id and its keys; unless sent, without what is sent
	Cases  func() []Case[K]
}

// content is equal for suites with equal cases that are judged alike, whatever their order; if sent, for those that are
// sent the same.
func (s One[K]) content(sent bool) string {
	lines := s.Lines(sent)
	slices.Sort(lines)
	sum := sha256.New()
	for _, line := range lines {
		io.WriteString(sum, line+"\n")
	}
	return string(sum.Sum(nil))
}

// Join finds which suite of the head each of the base's is, by its id: the one of that id; the one that the same target
// answers, where one side alone names several; and else, of what the other side has not, the one that it was renamed
// to. That is the one with equal content; else the one whose cases are judged alike; else the only one that has more
// than half of its cases, where it is the only one of which that one has so many. A target that is taken out of a list,
// or put into it, is joined with nothing. Of several equal ones the first in the order of ids are joined first.
func Join[K comparable](base, head []One[K]) map[string]string {
	j := joint[K]{out: map[string]string{}, taken: map[string]bool{}, base: byID(base), head: byID(head)}
	j.each(func(s One[K]) string { return s.ID })
	j.each(withTarget)
	j.base, j.head = without(j.base, j.head), without(j.head, j.base)
	listed := func(s One[K]) string { _, target := Split(s.ID); return target }
	target := func(s One[K]) string { return s.Target }
	for _, sent := range []bool{true, false} {
		for _, by := range []called[K]{listed, target} {
			j.each(func(s One[K]) string { return by(s) + "\x00" + s.content(sent) })
		}
	}
	j.mostly(listed)
	j.mostly(target)
	return j.out
}

// without are the suites of a side that are written on it alone.
func without[K comparable](side, other []One[K]) []One[K] {
	written := map[string]bool{}
	for _, s := range other {
		written[AuthorID(s.ID)] = true
	}
	return slices.DeleteFunc(slices.Clone(side), func(s One[K]) bool { return written[AuthorID(s.ID)] })
}

// called says what a suite is called where two sides are joined; "" is no name.
type called[K comparable] func(One[K]) string

// withTarget returns the author's id of a suite with its target, or "" if the suite has none.
func withTarget[K comparable](s One[K]) string {
	if s.Target == "" {
		return ""
	}
	return Of(AuthorID(s.ID), s.Target)
}

type joint[K comparable] struct {
	out        map[string]string
	taken      map[string]bool
	base, head []One[K]
}

// each joins what both sides name alike, of what is not joined yet; "" is no name.
func (j joint[K]) each(name called[K]) {
	left := slices.DeleteFunc(slices.Clone(j.base), func(b One[K]) bool { return j.out[b.ID] != "" })
	if len(left) == 0 { // and what a suite holds need not be read
		return
	}
	heads := map[string][]string{}
	for _, h := range j.head {
		if !j.taken[h.ID] {
			by := name(h)
			heads[by] = append(heads[by], h.ID)
		}
	}
	for _, b := range left {
		by := name(b)
		if ids := heads[by]; by != "" && len(ids) > 0 {
			j.out[b.ID], j.taken[ids[0]], heads[by] = ids[0], true, ids[1:]
		}
	}
}

// mostly joins, of what both sides name alike and is not joined yet, a suite and the only one that has more than half
// of its cases.
func (j joint[K]) mostly(name called[K]) {
	fits, found := map[string][]string{}, map[string]int{} // by the base's id, and by the head's
	for _, b := range j.base {
		if j.out[b.ID] != "" {
			continue
		}
		for _, h := range j.head {
			if !j.taken[h.ID] && name(h) == name(b) && mostOf(b.Cases(), h.Cases()) {
				fits[b.ID] = append(fits[b.ID], h.ID)
				found[h.ID]++
			}
		}
	}
	for b, all := range fits {
		if len(all) == 1 && found[all[0]] == 1 {
			j.out[b], j.taken[all[0]] = all[0], true
		}
	}
}

// mostOf reports whether more than half of some cases are among others, each of these once.
func mostOf[K comparable](cases, among []Case[K]) bool {
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

func byID[K comparable](side []One[K]) []One[K] {
	return slices.SortedFunc(slices.Values(side), func(a, b One[K]) int { return strings.Compare(a.ID, b.ID) })
}
