package results

import (
	"cmp"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/suiteid"
)

// Rules are the settings by which results are judged.
type Rules struct {
	Name     string   // the suite's name, or a prefix for the suite names of the runner; may be ""
	Strict   bool     // reports whether one answer decides, because no model is called
	MustPass []string // patterns of the ids of cases that must pass
}

// Pairing is the results of both sides, with their cases paired.
type Pairing struct {
	Base, Head             *Side // Base is nil if only the head has results
	Names                  suiteid.Names
	Formats                []string
	ShowsAssertions        bool        // reports whether the results show the runner's assertions
	BaseCases, PairedCases int         // how many cases the base has, and how many of them were found on the head
	Renamed                []string    // the head's cases that have another name on the base
	OrderedCases           int         // the number of the head's cases that only their order tells apart
	OtherInput             []string    // the head's cases that have another input than on the base
	Edited                 []string    // the head's cases that passed on the base, and fail with changed assertions
	Skipped                []string    // the base's cases that the head's runner left out
	Repeated               []string    // see Side
	Incomplete             [2][]string // the cases of base and head with an answer in some of the runs, and in how many
	NoRunFound             bool        // reports whether Options.Runs matches no name on either side
	UnusedMustPass         []string    // the patterns of Rules.MustPass that match no case of either side
	PairedByOrder          []string    // the head's names of providers and prompts that are paired by order alone
	Models                 [2][]string // the names of the providers of base and head
	Runs                   [2]int      // the largest number of runs of a case, on base and head; see Merge

	name    string
	suites  []string // the ids of the suites of both sides; the head's come first
	targets map[string]string
	partner map[*testCase]*testCase // from a case of the base to the same case of the head
}

// Pair pairs the cases of both sides by suite, and then by the names that the runner gives to cases. base may be nil.
func Pair(rules Rules, base, head *Side) *Pairing {
	p := &Pairing{Base: base, Head: head, Formats: []string{head.Format.Name}, ShowsAssertions: head.Format.ShowsAssertions, name: rules.Name, targets: map[string]string{}, partner: map[*testCase]*testCase{}}
	if base == nil {
		p.Base = &Side{}
	}
	p.NoRunFound = head.NoRunFound && (base == nil || base.NoRunFound)
	for i, s := range []*Side{p.Base, p.Head} {
		p.Models[i] = s.providers()
		for _, name := range s.Repeated {
			if !slices.Contains(p.Repeated, name) {
				p.Repeated = append(p.Repeated, name)
			}
		}
	}
	p.alignVariants()
	p.nameSuites()
	p.pairByKey()
	p.pairByText(func(c *testCase) string { return c.name })
	p.Renamed = p.pairByText(func(c *testCase) string { return c.input })
	p.addMissingRuns()
	p.findIncomplete()
	p.findEdited()
	for _, side := range []*Side{p.Head, p.Base} {
		side.nameCases()
		for _, c := range side.cases {
			c.format, c.strict = head.Format.Name, rules.Strict
		}
	}
	p.markMustPass(rules.MustPass)
	for _, c := range p.Head.cases {
		c.pairName = "head " + c.suiteID + "/" + c.id
	}
	for _, was := range p.Base.cases {
		now := p.partner[was]
		if now == nil {
			was.pairName = "base " + was.suiteID + "/" + was.id
			if p.Head.skipped[was.name] {
				p.Skipped = append(p.Skipped, was.name)
			}
			continue
		}
		was.pairName = now.pairName
		// a missing input is not a changed input
		if was.input, now.input = cmp.Or(was.input, now.input), cmp.Or(now.input, was.input); was.input != now.input {
			p.OtherInput = append(p.OtherInput, now.name)
		}
		// MustPass may match either name
		was.mustPass = was.mustPass || now.mustPass
		now.mustPass = was.mustPass
	}
	p.Names = p.headNames()
	p.BaseCases, p.PairedCases, p.Base = len(p.Base.cases), len(p.partner), base
	return p
}

// Merge merges pairings that have no suite in common. Runs is that of the last pairing whose head has fewer runs.
func Merge(all []*Pairing) *Pairing {
	if len(all) == 1 {
		return all[0]
	}
	out := &Pairing{Head: &Side{}, ShowsAssertions: true, targets: map[string]string{},
		partner: map[*testCase]*testCase{}}
	for _, p := range all {
		out.Head.cases = append(out.Head.cases, p.Head.cases...)
		if p.Base != nil {
			if out.Base == nil {
				out.Base = &Side{}
			}
			out.Base.cases = append(out.Base.cases, p.Base.cases...)
		}
		maps.Copy(out.targets, p.targets)
		maps.Copy(out.partner, p.partner)
		out.BaseCases += p.BaseCases
		out.PairedCases += p.PairedCases
		out.OrderedCases += p.OrderedCases
		for i, list := range out.lists() {
			*list = append(*list, *p.lists()[i]...)
		}
		out.NoRunFound = out.NoRunFound || p.NoRunFound
		if p.Runs[1] < p.Runs[0] {
			out.Runs = p.Runs
		}
		out.ShowsAssertions = out.ShowsAssertions && p.ShowsAssertions
		if !slices.Contains(out.Formats, p.Formats[0]) {
			out.Formats = append(out.Formats, p.Formats[0])
		}
	}
	if out.Base != nil {
		out.Names = out.headNames()
	}
	return out
}

// lists returns the lists of p that Merge joins.
func (p *Pairing) lists() []*[]string {
	return []*[]string{&p.suites, &p.Renamed, &p.Skipped, &p.OtherInput, &p.Edited, &p.UnusedMustPass, &p.PairedByOrder, &p.Repeated,
		&p.Incomplete[0], &p.Incomplete[1], &p.Models[0], &p.Models[1]}
}

// InSeveralSuites reports whether several suites have a case with the given id.
func (p *Pairing) InSeveralSuites(id string) bool {
	suites := map[string]bool{}
	for _, side := range []*Side{p.Base, p.Head} {
		if side == nil {
			continue
		}
		for _, c := range side.cases {
			if c.id == id {
				suites[c.suiteID] = true
			}
		}
	}
	return len(suites) > 1
}

func grouped[T any, K comparable](all []T, key func(T) K) map[K][]T {
	out := map[K][]T{}
	for _, one := range all {
		out[key(one)] = append(out[key(one)], one)
	}
	return out
}

// pairByKey pairs cases with the same key: first by title and assertions, then by assertions, then by title, then in
// order. If the head has more cases of a kind, those that fail are paired with those that passed.
func (p *Pairing) pairByKey() {
	type place struct{ suite, key string }
	at := func(c *testCase) place { return place{c.suiteID, c.key} }
	heads := grouped(p.Head.cases, at)
	for _, head := range heads {
		titles := map[string]bool{}
		for _, c := range head {
			titles[c.title] = true
		}
		if len(titles) < len(head) {
			p.OrderedCases += len(head)
		}
	}
	type matchKey struct {
		place
		title, expected string
	}
	taken := map[*testCase]bool{}
	for _, match := range []func(c *testCase) matchKey{
		func(c *testCase) matchKey { return matchKey{at(c), c.title, c.expected} },
		func(c *testCase) matchKey { return matchKey{at(c), "", c.expected} },
		func(c *testCase) matchKey { return matchKey{at(c), c.title, ""} },
		func(c *testCase) matchKey { return matchKey{at(c), "", ""} },
	} {
		without := func(cases []*testCase, paired func(*testCase) bool) map[matchKey][]*testCase {
			return grouped(slices.DeleteFunc(slices.Clone(cases), paired), match)
		}
		heads := without(p.Head.cases, func(c *testCase) bool { return taken[c] })
		for one, bases := range without(p.Base.cases, func(c *testCase) bool { return p.partner[c] != nil }) {
			unpaired := heads[one]
			if len(unpaired) > len(bases) { // a new case that passes hides no old one that fails
				slices.SortStableFunc(unpaired, failingFirst)
				slices.SortStableFunc(bases, func(a, b *testCase) int { return failingFirst(b, a) })
			}
			for i, was := range bases[:min(len(bases), len(unpaired))] {
				p.partner[was], taken[unpaired[i]] = unpaired[i], true
			}
		}
	}
}

// failingFirst compares cases so that those come first of which most answers did not pass.
func failingFirst(a, b *testCase) int {
	switch {
	case a.passes() == b.passes():
		return 0
	case b.passes():
		return -1
	}
	return 1
}

// pairByText pairs the unpaired cases of a suite for which the function text returns the same text. A case is paired
// only if no other case of its side in the suite has that text. pairByText returns the head's names of the newly paired
// cases.
func (p *Pairing) pairByText(text func(*testCase) string) (called []string) {
	type place struct{ suite, text string }
	at := func(c *testCase) place { return place{c.suiteID, text(c)} }
	bases, heads := grouped(p.Base.cases, at), grouped(p.Head.cases, at)
	taken := map[*testCase]bool{}
	for _, head := range p.partner {
		taken[head] = true
	}
	for _, was := range p.Base.cases {
		head := heads[at(was)]
		if text(was) == "" || p.partner[was] != nil || len(bases[at(was)]) != 1 || len(head) != 1 || taken[head[0]] {
			continue
		}
		p.partner[was] = head[0]
		called = append(called, head[0].name)
	}
	return called
}
