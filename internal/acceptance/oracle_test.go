package acceptance_test

import (
	"maps"
	"slices"
	"strconv"
	"testing"
)

// expected is what the contract says of a comparison.
type expected struct {
	codes   []int             // exit codes that are right
	changes map[string]string // by suite, of those in scope
	why     []string
}

// judge says what must come of merging head's branch into base, whose branch stands at tip by the end of the run. It
// follows the contract's words and shares nothing with failproof: which suites are in scope, what happened to each
// case, which rules of the base are broken, and what is undecided.
func judge(t testing.TB, base, merged, tip state) expected {
	want := expected{changes: map[string]string{}}
	var now, then tally
	flips, removed, redefined, missing := 0, 0, 0, 0
	for _, id := range slices.Sorted(maps.Keys(union(base.suites, merged.suites))) {
		was, had := base.suites[id]
		is, has := merged.suites[id]
		if had && has && !touched(was, is) {
			continue
		}
		change := "still_passing"
		switch stale := has && is.madeFor != is.key(t, id); {
		case !has:
			change = "removed"
			if was.passes() {
				removed++
			}
		case stale:
			change = "errored"
			if !had {
				change = "new"
			} else if was.question != is.question || was.expected != is.expected {
				change = "redefined"
			}
			missing++
		case !had:
			change = "new"
		case was.question != is.question || was.expected != is.expected:
			change = "redefined"
			old := is.answer == was.expected
			if was.passes() && !old && !is.passes() {
				change = "flaky"
				flips++
			} else if was.passes() && !old && is.passes() {
				redefined++
			}
		case was.passes() && !is.passes(): // from one draw of a model to another
			change = "flaky"
			flips++
		case !was.passes() && is.passes():
			change = "fixed"
		case !is.passes():
			change = "still_failing"
		}
		want.changes[id] = change
		if has {
			passed := is.passes() && change != "errored" && is.madeFor == is.key(t, id)
			now.add(passed)
			if had {
				then.add(passed)
			}
		}
	}
	want.decide(base.rules, merged.rules, tip.rules, now, then, counts{flips, removed, redefined, missing})
	return want
}

type counts struct{ flips, removed, redefined, missing int }

// tally is a mean being made: of all cases of the head, or of those that the base has too.
type tally struct{ passed, of int }

func (t *tally) add(passed bool) {
	t.of++
	if passed {
		t.passed++
	}
}

// misses tells whether the mean is below a bar. Nothing to average misses none.
func (t tally) misses(bar float64) bool {
	return t.of > 0 && float64(t.passed)/float64(t.of)+1e-9 < bar
}

// decide makes the verdict out of what was counted, by the base's rules.
func (e *expected) decide(base, merged, tip rules, now, held tally, n counts) {
	failed := func(is bool, why string) {
		if is {
			e.why = append(e.why, why)
		}
	}
	bar, _ := strconv.ParseFloat(base.bar, 64)
	allowed, limited := strconv.Atoi(base.regressions)
	open := limited == nil && n.flips > allowed // which nobody asked again
	failed(n.removed > 0 && base.removed == "error", "removed")
	failed(n.redefined > 0 && base.redefined == "error", "redefined")
	failed(merged != base && base.policy == "error", "policy")
	proven := len(e.why) > 0
	failed(now.misses(bar), "bar")
	failed(held.misses(bar), "held")
	switch {
	case tip != base && len(e.why) > 0:
		e.codes = []int{1, 3}
	case tip != base:
		e.codes = []int{3}
	case n.missing > 0 && !proven && len(e.why) > 0:
		e.codes = []int{1, 3} // a bar that is missed: by which of both is the answered score's business
	case n.missing > 0 && !proven:
		e.codes = []int{3}
	case len(e.why) > 0:
		e.codes = []int{1}
	case open:
		e.codes = []int{3}
	default:
		e.codes = []int{0}
	}
}

func union(a, b map[string]suiteState) map[string]suiteState {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// touched tells whether a key of the suite's case or its recorded answer differs; the key of the recorded line alone
// does not count.
func touched(was, is suiteState) bool {
	was.madeFor, is.madeFor = "", ""
	return was != is
}
