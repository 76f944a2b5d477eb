package cause

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/bisect"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/stats"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

const (
	maxPassing    = 60 // passing cases whose request without the causes is computed
	maxTried      = 12 // passing cases that are run without the causes
	trialsPerCase = 4  // answers to a case, which is right if more than half of them are
)

// SelectPassing returns at most maxPassing live cases that are right on the head and whose request differs from that on
// the base. Cases that the base answers wrong come first, since they may be the purpose of the change.
func SelectPassing(p *sides.Sides, right func(suite.Pair) (base, head bool)) []Case {
	var gained, others []suite.Pair
	for s, c := range suite.EachCase(p.Selected[suite.Head]) {
		both := p.Pairs.Find(s.ID, c.ID)
		if both.Base == nil || both.Base.Keys().RequestKey == c.Keys().RequestKey ||
			!p.Head.IsLive(s.TargetOf(c)) {
			continue
		}
		switch base, head := right(both); {
		case head && !base:
			gained = append(gained, both)
		case head:
			others = append(others, both)
		}
	}
	gained = asking.EvenSample(gained, maxPassing, 0)
	var out []Case
	for _, both := range append(gained, asking.EvenSample(others, maxPassing-len(gained), 0)...) {
		out = append(out, Case{Pair: OpenPair(both)})
	}
	return out
}

// remedy runs the head without the hunks that broke cases. It counts the broken cases that are right again and the
// passing ones that get worse. It returns nil if no answer was needed, or if a broken case got no answer.
func (e *searcher) remedy(found []report.ExplainedCase, passing []Case) *report.Remedy {
	var causes bisect.Set
	for _, f := range found {
		causes |= blamed(f)
	}
	all := bisect.All(len(e.variants.change.Hunks))
	rest := all &^ causes
	if causes == 0 || rest == 0 {
		return nil
	}
	out, before := &report.Remedy{Hunks: causes.Hunks()}, e.answersLeft
	for i, f := range found {
		if f.Outcome == report.ExplainNotBroken {
			continue
		}
		out.Broken++
		right, known := e.isFixed(i, f, rest)
		if !known {
			return nil
		}
		if right {
			out.Fixed++
		}
	}
	e.checkPassing(out, passing, rest, all)
	if e.answersLeft == before {
		return nil
	}
	return out
}

// blamed returns the hunks that a result names.
func blamed(f report.ExplainedCase) (s bisect.Set) {
	for _, c := range f.Causes {
		for _, part := range c.Parts {
			s |= bisect.NewSet(part.Hunks...)
		}
	}
	return s
}

// isFixed reports whether a broken case is mostly right with only the hunks in kept. It runs the case, unless the
// search has decided this question. The second result is false if the case had to be run and no answer came.
func (e *searcher) isFixed(index int, f report.ExplainedCase, kept bisect.Set) (right, known bool) {
	key := e.variants.key(index, kept)
	without := bisect.All(len(e.variants.change.Hunks)) &^ blamed(f)
	switch {
	case f.Outcome == report.ExplainElsewhere, key == "":
		return false, true
	case f.Outcome == report.ExplainOnlyHunk, len(f.Causes) == 1 && len(f.Causes[0].Parts) == 1 &&
		key == e.variants.key(index, without):
		return true, true // the search has proven it
	}
	counts, ok := e.askWithin(index, []bisect.Set{kept}, trialsPerCase)
	return ok && mostlyRight(counts[0]), ok
}

func mostlyRight(c stats.Count) bool { return 2*c.Passed > c.Trials }

// checkPassing runs passing cases until the budget is used up, and adds to remedy the cases that got worse. A case got
// worse if most of its answers are right with all hunks, but not with the hunks in kept.
func (e *searcher) checkPassing(remedy *report.Remedy, passing []Case, kept, all bisect.Set) {
	first := len(e.all)
	e.all = append(e.all[:first:first], passing...)
	e.variants.all, e.variants.cache = e.all, map[bisect.Set]map[int]*suite.Case{}
	var differ []int
	for index := first; index < len(e.all); index++ {
		if key, now := e.variants.key(index, kept), e.variants.key(index, all); key != "" && now != "" && key != now {
			differ = append(differ, index)
		}
	}
	for _, index := range asking.EvenSample(differ, maxTried, 0) {
		counts, ok := e.askWithin(index, []bisect.Set{kept}, 1)
		if ok && counts[0].Passed == 0 {
			counts, ok = e.askWithin(index, []bisect.Set{kept, all}, trialsPerCase)
			if ok && !mostlyRight(counts[0]) && mostlyRight(counts[1]) {
				remedy.Worse = append(remedy.Worse, suiteid.Name{Suite: e.all[index].HeadSuite.ID,
					Case: e.all[index].Head.ID})
			}
		}
		if !ok {
			return
		}
		remedy.Asked++
	}
}

// askWithin calls ask if the budget covers all its answers. It returns false if the budget is too small or ask fails.
func (e *searcher) askWithin(index int, sets []bisect.Set, times int) ([]stats.Count, bool) {
	n := len(sets) * times
	if n > e.answersLeft {
		return nil, false
	}
	e.answersLeft -= n
	counts, err := e.ask(index, sets, times)
	return counts, err == nil
}
