// Package drift compares a model's answers with its answers in earlier runs of the same branch, and finds the cases
// that are answered worse. A case whose request or expectation changes starts without a past.
package drift

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suiteid"
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

// Past counts the answers to a case in earlier runs.
type Past struct {
	suiteid.Name
	Key     string   `json:"key"`   // hash of request and expectation
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

// Step is the comparison of one run with the past. Select begins it, and Conclude ends it.
type Step struct {
	ToRerun []suiteid.Name // cases to rerun, Rounds times each

	past     map[suiteid.Name]Past
	seen     []Past
	notRerun int // candidates over the limit of MaxReruns
}

// Select compares seen, the counts of a run's first answers, with the past, and selects the cases to rerun. These are
// cases that are answered worse than before, and drifted cases that are answered right again.
func Select(past, seen []Past) *Step {
	s := &Step{past: map[suiteid.Name]Past{}, seen: seen}
	for _, p := range past {
		s.past[p.Name] = p
	}
	for _, one := range seen {
		p, known := s.past[one.Name]
		if !known || p.Key != one.Key {
			s.past[one.Name] = Past{Name: one.Name, Key: one.Key}
			continue
		}
		worse := p.Drifted == nil && one.Right < one.Asked && p.Right > 0
		better := p.Drifted != nil && one.Right == one.Asked
		if one.Asked > 0 && (worse || better) {
			s.ToRerun = append(s.ToRerun, one.Name)
		}
	}
	share := func(of suiteid.Name) float64 { return float64(s.past[of].Right) / float64(max(s.past[of].Asked, 1)) }
	slices.SortStableFunc(s.ToRerun, func(a, b suiteid.Name) int { return cmp.Compare(share(b), share(a)) })
	s.notRerun = max(len(s.ToRerun)-MaxReruns, 0)
	s.ToRerun = s.ToRerun[:len(s.ToRerun)-s.notRerun]
	return s
}

// Conclude returns the past for the next run, sorted by suite and case, and the result of this run. The parameter
// reruns counts the answers of the cases whose reruns all have one. The first answers of the other cases are added to
// their past. The parameter today is the date of new findings.
//
// A case has drifted if its reruns are worse than its past by Fisher's exact test. The chance of any false alarm in a
// run is at most 1 %. First answers do not count in the test, because they selected the case. The past of a drifted
// case does not change until 7 of 8 reruns are right again.
func (s *Step) Conclude(reruns map[suiteid.Name]stats.Count, today string) (past []Past, found report.Drift) {
	past = []Past{} // a list in JSON, also without a case
	found = report.Drift{Cases: len(s.seen), NotRerun: s.notRerun, Drifted: []report.DriftedCase{},
		Recovered: []report.DriftedCase{}}
	for _, name := range s.ToRerun {
		if reruns[name].Trials == 0 {
			found.NotRerun++
		}
	}
	proven := s.proven(reruns)
	for _, one := range s.seen {
		p, more := s.past[one.Name], reruns[one.Name]
		switch {
		case proven[one.Name]:
			p.Drifted = &Drifted{today, more.Passed, more.Trials}
		case p.Drifted == nil:
			p.Right, p.Asked = p.Right+one.Right+more.Passed, p.Asked+one.Asked+more.Trials
			if p.Asked > maxPastAnswers {
				p.Right, p.Asked = (p.Right+1)/2, (p.Asked+1)/2
			}
		case more.Trials > 0:
			p.Drifted = &Drifted{p.Drifted.Since, more.Passed, more.Trials}
		}
		if d := p.Drifted; d != nil {
			c := report.DriftedCase{SuiteID: p.Suite, CaseID: p.Case, Since: d.Since, RightBefore: p.Right,
				AskedBefore: p.Asked, Right: d.Right, Asked: d.Asked, New: proven[one.Name]}
			if more.Trials > 0 && more.Passed*Rounds >= minRecovered*more.Trials {
				found.Recovered, p.Drifted = append(found.Recovered, c), nil
			} else {
				found.Drifted = append(found.Drifted, c)
			}
		}
		past = append(past, p)
	}
	slices.SortFunc(past, func(a, b Past) int { return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Case, b.Case)) })
	return past, found
}

// proven reports which rerun cases are proven to be answered worse. reruns counts the answers of their reruns.
func (s *Step) proven(reruns map[suiteid.Name]stats.Count) map[suiteid.Name]bool {
	var names []suiteid.Name
	var chances []float64
	for _, name := range s.ToRerun {
		if p, more := s.past[name], reruns[name]; p.Drifted == nil && more.Trials > 0 {
			names = append(names, name)
			chances = append(chances, stats.Fisher(stats.Count{Passed: p.Right, Trials: p.Asked}, more))
		}
	}
	out := map[suiteid.Name]bool{}
	for i, p := range stats.Holm(chances) {
		out[names[i]] = stats.AtMost(p, alpha)
	}
	return out
}
