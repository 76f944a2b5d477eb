package results

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/text"
)

// addMissingRuns adds failed runs to a case of the head that has fewer runs than on the base. Otherwise a change could
// leave out failing runs. The case gets at most as many runs as the head's case with the most runs. It may get more if
// the base's case has more runs under numbers that the head uses.
func (p *Pairing) addMissingRuns() {
	for i, s := range []*Side{p.Base, p.Head} {
		for _, c := range s.cases {
			p.Runs[i] = max(p.Runs[i], len(c.runs))
		}
	}
	numbered := map[string]bool{}
	for _, c := range p.Head.cases {
		for _, r := range c.runs {
			numbered[r.number] = r.number != ""
		}
	}
	for _, was := range p.Base.cases {
		head := p.partner[was]
		if head == nil {
			continue
		}
		seen := 0
		for _, r := range was.runs {
			if numbered[r.number] {
				seen++
			}
		}
		have, want := len(head.runs), min(len(was.runs), max(p.Runs[1], seen))
		for range want - have {
			head.runs = append(head.runs, run{noAnswer: true, reason: fmt.Sprintf("%d of %s not in the results", want-have, text.Count(want, "run is", "runs are"))})
		}
	}
}

// findIncomplete finds the cases of both sides with fewer answers than half of the cases have runs, and with at least
// one answer. If runs have numbers, only cases with numbers count.
func (p *Pairing) findIncomplete() {
	for i, s := range []*Side{p.Base, p.Head} {
		cases := s.cases
		isNumbered := func(c *testCase) bool { return c.runs[0].number != "" }
		if slices.ContainsFunc(cases, isNumbered) {
			cases = slices.DeleteFunc(slices.Clone(cases), func(c *testCase) bool { return !isNumbered(c) })
		}
		var counts []int
		for _, c := range cases {
			counts = append(counts, len(c.runs))
		}
		slices.Sort(counts)
		for _, c := range cases {
			if _, answers := c.counts(); answers > 0 && answers < counts[len(counts)/2] {
				p.Incomplete[i] = append(p.Incomplete[i], fmt.Sprintf("%s (%d of %d)", short(c.name), answers, counts[len(counts)/2]))
			}
		}
	}
}

// findEdited finds the cases that passed on the base and fail changed assertions on the head. Such a case counts as
// failed, so an edited assertion excuses nothing.
func (p *Pairing) findEdited() {
	for _, was := range p.Base.cases {
		if head := p.partner[was]; head != nil && head.expected != was.expected && was.passes() && !head.passes() {
			p.Edited = append(p.Edited, head.name)
		}
	}
}

// passes reports whether most answers to the case passed.
func (c *testCase) passes() bool {
	passed, answers := c.counts()
	return 2*passed > answers
}

// counts returns how many answers the case has, and how many of them passed.
func (c *testCase) counts() (passed, answers int) {
	for _, r := range c.runs {
		if r.noAnswer {
			continue
		}
		if answers++; r.passed {
			passed++
		}
	}
	return passed, answers
}
