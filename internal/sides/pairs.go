package sides

import (
	"slices"

	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/together"
)

// Pairs finds the cases of both sides by their names on the head. It has the one decision of a run on which suites and
// cases are the same.
type Pairs struct {
	suiteid.Matches
	base, head map[string]indexedSuite // suites of each side by their ids on the head
}

// indexedSuite is a suite with its cases by id.
type indexedSuite struct {
	suite         *suite.Suite
	cases         map[string]*suite.Case // by id
	promptChanged bool                   // the head's suite uses another prompt than the base's
}

// NewPairs returns the pairs of both sides, whose suites and cases m matches. base may be nil.
func NewPairs(m suiteid.Matches, base, head *Side) Pairs {
	out := Pairs{Matches: m, base: map[string]indexedSuite{}, head: map[string]indexedSuite{}}
	bases := map[string]*suite.Suite{}
	for _, b := range base.All() {
		bases[m.HeadID(b.ID)] = b
	}
	together.Do(func() {
		for id, b := range bases {
			out.base[id] = indexedSuite{suite: b, cases: b.Cases.ByID()}
		}
	}, func() {
		for _, h := range head.Suites {
			out.head[h.ID] = indexedSuite{h, h.Cases.ByID(), suite.PromptChanged(m, bases[h.ID], h)}
		}
	})
	return out
}

// Find returns the case with the given ids on the head, and the same case on the base. A side that lacks the case is
// nil in the pair.
func (p Pairs) Find(suiteID, caseID string) (out suite.Pair) {
	head := p.head[suiteID]
	if out.Head = head.cases[caseID]; out.Head != nil {
		out.HeadSuite = head.suite
	}
	if own, known := p.Base(suiteid.Name{Suite: suiteID, Case: caseID}); known {
		from := p.base[own.Suite]
		if out.Base = from.cases[own.Case]; out.Base != nil {
			out.BaseSuite = from.suite
		}
	}
	return out
}

// InSeveralSuites reports whether several suites have a case with this id, on either side. A suite with several targets
// counts once.
func (p Pairs) InSeveralSuites(id string) bool {
	in := ""
	for _, side := range []map[string]indexedSuite{p.base, p.head} {
		for suite, one := range side {
			if one.cases[id] == nil {
				continue
			}
			if in != "" && in != suiteid.AuthorID(suite) {
				return true
			}
			in = suiteid.AuthorID(suite)
		}
	}
	return false
}

// BaseSuites returns the base suites from which the cases of the head suite s come. Usually that is the base suite with
// the same id. If there is none, it is every suite from which a case was moved.
func (p Pairs) BaseSuites(s *suite.Suite) (out []*suite.Suite) {
	if b := p.base[s.ID].suite; b != nil {
		return []*suite.Suite{b}
	}
	if !p.Moves() {
		return nil
	}
	for _, c := range s.Cases {
		if from := p.Find(s.ID, c.ID).BaseSuite; from != nil && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return out
}

// MovedIn returns the cases of the head suite s that another suite has on the base.
func (p Pairs) MovedIn(s *suite.Suite) (out []suite.Pair) {
	own := p.base[s.ID].suite
	if own == nil || !p.Moves() {
		return nil
	}
	for _, c := range s.Cases {
		if one := p.Find(s.ID, c.ID); one.BaseSuite != nil && one.BaseSuite != own {
			out = append(out, one)
		}
	}
	return out
}
