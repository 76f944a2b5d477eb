// Package drift tells whether a model answers worse than it did, of what runs of one branch saw of it, day after day.
// What is asked and expected stays the same from run to run; where it changes, a case begins anew.
package drift

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/stats"
)

const (
	// Rounds is how often a case is asked again before something is said of it: 8 of 8 wrong where 8 of 8 were right
	// happens by chance once in 12,870 times.
	Rounds = 8
	// Most is how many cases are asked again in a run.
	Most = 20
	// alpha is the chance that a run in which nothing changed says of any case that it did.
	alpha = 0.01
	// well is how many of Rounds must be right for a case to be well again.
	well = 7
	// window is how many answers the past of a case holds; beyond it the past counts half, so that a slow change is
	// seen too.
	window = 64
)

// FirstAnswers is what a run saw of one case.
type FirstAnswers struct {
	Suite, Case  string
	Key          string // of what is asked and expected
	Right, Asked int    // of its first answers
}

// Past is what is known of a case.
type Past struct {
	Suite   string   `json:"suite_id"`
	Case    string   `json:"case_id"`
	Key     string   `json:"key"`
	Right   int      `json:"right"` // of Asked answers while it was well
	Asked   int      `json:"asked"`
	Drifted *Drifted `json:"drifted,omitempty"` // nil: it is well, as far as is known
}

// Drifted is a case that is answered worse than it was.
type Drifted struct {
	Since string `json:"since"` // of the run that saw it, RFC 3339
	Right int    `json:"right"` // of Asked answers when it was last asked again
	Asked int    `json:"asked"`
}

func (s FirstAnswers) name() [2]string { return [2]string{s.Suite, s.Case} }
func (p Past) name() [2]string         { return [2]string{p.Suite, p.Case} }

// Step is one run's look at the past.
type Step struct {
	past   map[[2]string]Past
	seen   []FirstAnswers
	wanted []FirstAnswers // of which it is to be known more
	beyond int            // further ones, of which it is not
}

// Look compares what a run saw with the past, and decides which cases to ask again. Cases that are no longer asked are
// dropped.
func Look(past []Past, seen []FirstAnswers) *Step {
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
		suspect := p.Drifted == nil && one.Right < one.Asked && p.Right > 0
		better := p.Drifted != nil && one.Right == one.Asked
		if one.Asked > 0 && (suspect || better) {
			s.wanted = append(s.wanted, one)
		}
	}
	slices.SortStableFunc(s.wanted, func(a, b FirstAnswers) int { // those that were surest first
		return cmp.Compare(s.past[b.name()].share(), s.past[a.name()].share())
	})
	if s.beyond = max(len(s.wanted)-Most, 0); s.beyond > 0 {
		s.wanted = s.wanted[:Most]
	}
	return s
}

func (p Past) share() float64 { return float64(p.Right) / float64(max(p.Asked, 1)) }

// ToRerun returns the cases to rerun, Rounds times each.
func (s *Step) ToRerun() []FirstAnswers { return s.wanted }

// Change is a case of which something is to be said.
type Change struct {
	Past
	Before [2]int // right of asked, while it was well
	New    bool   // it was not known to have drifted before this run
}

// Result is what a run found.
type Result struct {
	Past      []Past   // to be kept for the next run, by suite and case
	Drifted   []Change // all that are answered worse than they were
	Recovered []Change // those that no longer are, since this run
	Beyond    int      // cases that were answered wrong and not asked again: there were too many
}

// Conclude takes the counts of right answers and of all answers from the reruns, by suite and case, and returns what
// the run found. Cases without reruns keep their past. now is the date of the finding.
//
// A case has drifted if the exact test of its reruns against its past proves a drop at 1 % over all cases of the run
// together. First answers do not count, because they selected the case. The past of a drifted case is frozen until 7 of
// 8 answers are right again.
func (s *Step) Conclude(again map[[2]string][2]int, now string) Result {
	found := Result{Beyond: s.beyond}
	proven := s.proven(again)
	for _, one := range s.seen {
		p := s.past[one.name()]
		more, asked := again[one.name()]
		switch {
		case p.Drifted != nil && asked && more[1] > 0:
			p.Drifted = &Drifted{Since: p.Drifted.Since, Right: more[0], Asked: more[1]}
			if more[0]*Rounds >= well*more[1] {
				found.Recovered = append(found.Recovered, Change{Past: p, Before: [2]int{p.Right, p.Asked}})
				p.Drifted = nil
			}
		case p.Drifted != nil:
		case proven[one.name()]:
			p.Drifted = &Drifted{Since: now, Right: more[0], Asked: more[1]}
		default:
			p = p.and(one.Right+more[0], one.Asked+more[1])
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

// proven are the suspects of which the test proves that they are answered worse.
func (s *Step) proven(again map[[2]string][2]int) map[[2]string]bool {
	var names [][2]string
	var chances []float64
	for _, one := range s.wanted {
		p, more := s.past[one.name()], again[one.name()]
		if p.Drifted == nil && more[1] > 0 {
			names = append(names, one.name())
			chances = append(chances, stats.Fisher(stats.Count{Passed: p.Right, Trials: p.Asked},
				stats.Count{Passed: more[0], Trials: more[1]}))
		}
	}
	out := map[[2]string]bool{}
	for i, p := range stats.Holm(chances) {
		out[names[i]] = stats.Reaches(p, alpha)
	}
	return out
}

// and is the past with more answers. Beyond the window all of it counts half.
func (p Past) and(right, asked int) Past {
	p.Right, p.Asked = p.Right+right, p.Asked+asked
	if p.Asked > window {
		p.Right, p.Asked = (p.Right+1)/2, (p.Asked+1)/2
	}
	return p
}
