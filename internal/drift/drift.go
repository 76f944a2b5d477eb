// Package drift compares a model's answers with its answers in earlier runs of the same branch, and finds the cases
// that are answered worse. A case whose request or expectation changes starts without a past.
package drift

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

const (
	// Rounds is the number of reruns of a case. 8 wrong answers after 8 right ones happen by chance once in 12,870
	// times.
	Rounds = 8
	// MaxReruns is the largest number of cases that a run reruns.
	MaxReruns = 20
	// alpha is the chance that a run without any change reports a drifted case.
	alpha = 0.01
	// minRecovered is the least number of right answers, out of Rounds reruns, with which a drifted case has recovered.
	minRecovered = 7
	// maxPastAnswers is the largest number of answers that the past of a case counts. If there are more, both counts
	// are halved, so that a slow change is found too.
	maxPastAnswers = 64
)

// FirstAnswers counts a run's first answers to one case.
type FirstAnswers struct {
	Suite, Case  string
	Key          string // hash of request and expectation
	Right, Asked int    // right answers, all answers
}

// Past counts the answers to a case in earlier runs.
type Past struct {
	Suite   string   `json:"suite_id"`
	Case    string   `json:"case_id"`
	Key     string   `json:"key"`
	Right   int      `json:"right"` // right answers out of Asked; neither count changes while the case is drifted
	Asked   int      `json:"asked"`
	Drifted *Drifted `json:"drifted,omitempty"` // nil: the case has not drifted
}

// Drifted describes a case that is answered worse than before.
type Drifted struct {
	Since string `json:"since"` // when a run first found the drift, RFC 3339
	Right int    `json:"right"` // right answers out of Asked, in the last reruns
	Asked int    `json:"asked"`
}

func (s FirstAnswers) name() [2]string { return [2]string{s.Suite, s.Case} }
func (p Past) name() [2]string         { return [2]string{p.Suite, p.Case} }

// Step is the comparison of one run with the past. Select begins it, and Conclude ends it.
type Step struct {
	past     map[[2]string]Past
	seen     []FirstAnswers
	toRerun  []FirstAnswers // cases to rerun
	notRerun int            // candidates over the limit of Most
}

// Select compares seen, a run's first answers, with the past, and selects the cases to rerun. These are cases that are
// answered worse than before, and drifted cases that are answered right again.
func Select(past []Past, seen []FirstAnswers) *Step {
	s := &Step{past: map[[2]string]Past{}, seen: seen}
	for _, p := range past {
		s.past[p.name()] = p
	}
	for _, one := range seen {
		p, known := s.past[one.name()]
		if !known || p.Key != one.Key {
			s.past[one.name()] = Past{Suite: one.Suite, Case: one.Case, Key: one.Key}
			continue
		}
		worse := p.Drifted == nil && one.Right < one.Asked && p.Right > 0
		better := p.Drifted != nil && one.Right == one.Asked
		if one.Asked > 0 && (worse || better) {
			s.toRerun = append(s.toRerun, one)
		}
	}
	slices.SortStableFunc(s.toRerun, func(a, b FirstAnswers) int { // most often right first
		return cmp.Compare(s.past[b.name()].share(), s.past[a.name()].share())
	})
	if s.notRerun = max(len(s.toRerun)-MaxReruns, 0); s.notRerun > 0 {
		s.toRerun = s.toRerun[:MaxReruns]
	}
	return s
}

func (p Past) share() float64 { return float64(p.Right) / float64(max(p.Asked, 1)) }

// ToRerun returns the cases to rerun, Rounds times each.
func (s *Step) ToRerun() []FirstAnswers { return s.toRerun }

// Change is a case that drifted or recovered.
type Change struct {
	Past
	Before [2]int // right answers and all answers before the case drifted
	New    bool   // whether this run found the drift
}

// Result is the comparison of a run with the past.
type Result struct {
	Past      []Past   // for the next run, sorted by suite and case
	Drifted   []Change // cases that are answered worse than before
	Recovered []Change // cases that were answered worse until this run, and are right again
	NotRerun  int      // candidates that were not rerun, because there were more than Most
}

// Conclude returns the result of a run. The parameter reruns maps suite and case to two counts: the right answers and
// all answers of the case's reruns. The first answers of a case without reruns are added to its past. The parameter
// today is the date of new findings.
//
// A case has drifted if its reruns are worse than its past by Fisher's exact test. The chance of any false alarm in a
// run is at most 1 %. First answers do not count in the test, because they selected the case. The past of a drifted
// case does not change until 7 of 8 reruns are right again.
func (s *Step) Conclude(reruns map[[2]string][2]int, today string) Result {
	found := Result{NotRerun: s.notRerun}
	proven := s.proven(reruns)
	for _, one := range s.seen {
		p := s.past[one.name()]
		more, asked := reruns[one.name()]
		switch {
		case p.Drifted != nil && asked && more[1] > 0:
			p.Drifted = &Drifted{Since: p.Drifted.Since, Right: more[0], Asked: more[1]}
			if more[0]*Rounds >= minRecovered*more[1] {
				found.Recovered = append(found.Recovered, Change{Past: p, Before: [2]int{p.Right, p.Asked}})
				p.Drifted = nil
			}
		case p.Drifted != nil:
		case proven[one.name()]:
			p.Drifted = &Drifted{Since: today, Right: more[0], Asked: more[1]}
		default:
			p.Right, p.Asked = p.Right+one.Right+more[0], p.Asked+one.Asked+more[1]
			if p.Asked > maxPastAnswers {
				p.Right, p.Asked = (p.Right+1)/2, (p.Asked+1)/2
			}
		}
		if p.Drifted != nil {
			found.Drifted = append(found.Drifted, Change{Past: p, Before: [2]int{p.Right, p.Asked},
				New: proven[one.name()]})
		}
		found.Past = append(found.Past, p)
	}
	slices.SortFunc(found.Past, func(a, b Past) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite),
			cmp.Compare(a.Case, b.Case))
	})
	return found
}

// proven reports, by suite and case, which rerun cases are proven to be answered worse. again has the counts of their
// reruns, as the parameter reruns of Conclude.
func (s *Step) proven(again map[[2]string][2]int) map[[2]string]bool {
	var names [][2]string
	var chances []float64
	for _, one := range s.toRerun {
		p, more := s.past[one.name()], again[one.name()]
		if p.Drifted == nil && more[1] > 0 {
			names = append(names, one.name())
			chances = append(chances, stats.Fisher(stats.Count{Passed: p.Right, Trials: p.Asked},
				stats.Count{Passed: more[0], Trials: more[1]}))
		}
	}
	out := map[[2]string]bool{}
	for i, p := range stats.Holm(chances) {
		out[names[i]] = stats.AtMost(p, alpha)
	}
	return out
}
