// Package suiteid says which suite is meant where an author's suite names several targets: as each of them answers it, it is a suite of
// its own, which is asked, judged and compared for itself. It is pure, and knows ids alone.
package suiteid

import (
	"slices"
	"strings"
)

// between stands between the suite and the target. Neither name may hold it.
const between = "@"

// Of is the id of a suite as one of its several targets answers it: SUITE@TARGET.
func Of(suite, target string) string { return suite + between + target }

// Split returns the id that the author wrote, and the target; "" where the suite names one alone, which is no part of its id. What is no id,
// as in a report that somebody wrote by hand, has no target.
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

// Written is the id that the author wrote.
func Written(id string) string {
	suite, _ := Split(id)
	return suite
}

// One is a suite of a side as a Join knows it.
type One struct {
	ID      string
	Target  string        // who answers it; "" where that is not known
	Content func() string // equal for suites with equal cases and keys
}

// Join finds which suite of the head each of the base's is, by its id: the one of that id; the one that the same target answers, where
// one side alone names several; and else, of what the other side has not, the one with equal content, which was renamed. A target
// that is taken out of a list, or put into it, is joined with nothing. Of several equal ones the first in the order of ids are joined first.
func Join(base, head []One) map[string]string {
	j := joint{out: map[string]string{}, taken: map[string]bool{}, base: byID(base), head: byID(head)}
	j.each(func(b One) string { return b.ID }, func(h One) string { return h.ID })
	j.each(answered, answered)
	written := func(side []One) map[string]bool {
		out := map[string]bool{}
		for _, s := range side {
			out[Written(s.ID)] = true
		}
		return out
	}
	befores, heres := written(base), written(head)
	moved := func(name func(One) string, others map[string]bool) func(One) string {
		return func(s One) string {
			if others[Written(s.ID)] {
				return ""
			}
			return name(s) + "\x00" + s.Content()
		}
	}
	listed := func(s One) string { _, target := Split(s.ID); return target }
	j.each(moved(listed, heres), moved(listed, befores))
	j.each(moved(func(s One) string { return s.Target }, heres), moved(func(s One) string { return s.Target }, befores))
	return j.out
}

// answered names a suite with who answers it.
func answered(s One) string {
	if s.Target == "" {
		return ""
	}
	return Of(Written(s.ID), s.Target)
}

type joint struct {
	out        map[string]string
	taken      map[string]bool
	base, head []One
}

// each joins what both sides name alike, of what is not joined yet; "" is no name.
func (j joint) each(before, here func(One) string) {
	heads := map[string][]string{}
	for _, h := range j.head {
		if !j.taken[h.ID] {
			if name := here(h); name != "" {
				heads[name] = append(heads[name], h.ID)
			}
		}
	}
	for _, b := range j.base {
		if j.out[b.ID] != "" {
			continue
		}
		name := before(b)
		if ids := heads[name]; name != "" && len(ids) > 0 {
			j.out[b.ID], j.taken[ids[0]], heads[name] = ids[0], true, ids[1:]
		}
	}
}

func byID(side []One) []One {
	return slices.SortedFunc(slices.Values(side), func(a, b One) int { return strings.Compare(a.ID, b.ID) })
}
