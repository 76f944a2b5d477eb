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

// findIncomplete finds the cases of both sides with fewer answers than runs, and with at least one. A case without a number
// of a run is not repeated if others of its side have such numbers.
func (p *Pairing) findIncomplete() {
	for i, s := range []*Side{p.Base, p.Head} {
		numbered := slices.ContainsFunc(s.cases, func(c *testCase) bool { return c.runs[0].number != "" })
		for _, c := range s.cases {
			answers := 0
			for _, r := range c.runs {
				if !r.noAnswer {
					answers++
				}
			}
			if answers == 0 || answers == p.Runs[i] || numbered && c.runs[0].number == "" && len(c.runs) == 1 {
				continue
			}
			p.Incomplete[i] = append(p.Incomplete[i], fmt.Sprintf("%s (%d of %d)", short(c.name), answers, p.Runs[i]))
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
	passed, all := 0, 0
	for _, r := range c.runs {
		if !r.noAnswer {
			all++
		}
		if r.passed && !r.noAnswer {
			passed++
		}
	}
	return 2*passed > all
}
