package cli

import (
	"cmp"

	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// findScope settles which suites are asked on each side.
func (g *gate) findScope() {
	g.scope = suite.Scope(g.base.all(), g.head.suites, g.fingerprint)
	if g.base == nil || g.Scope == scopeAll || g.measuring() {
		g.asked[suite.Head], g.asked[suite.Base] = g.head.suites, g.base.all()
		g.scope.LeftOut = 0
		return
	}
	for at, s := range map[suite.Side]*side{suite.Head: g.head, suite.Base: g.base} {
		for _, one := range s.suites {
			if g.scope.Has(at, one.ID) {
				g.asked[at] = append(g.asked[at], one)
			}
		}
	}
}

// warnUnbound warns of answers that were recorded for another prompt, as far as anybody can tell: the request changed, the
// answer did not, and it does not say which request it was made for.
func (g *gate) warnUnbound() {
	before := g.baseCases()
	for _, s := range g.asked[suite.Head] {
		client, ok := g.head.clients[s.Target].(*recorded.Client)
		if !ok {
			continue
		}
		count := 0
		for i := range s.Cases {
			c := &s.Cases[i]
			base := before(s.ID, c.ID)
			if base == nil || base.Case.RequestKey == c.RequestKey || client.Keyed(s.ID, c.ID) {
				continue
			}
			if answer := client.Fingerprint(s.ID, c.ID); answer != "" && answer == g.base.fingerprint(base.Suite.Target, base.Suite.ID, c.ID) {
				count++
			}
		}
		if count > 0 {
			g.warnings = append(g.warnings, report.Warning{Code: "recording_unbound", SuiteID: s.ID, Path: s.Path, Line: s.Pos.Line, Count: count,
				Message: "the prompt changed and the recorded answers did not: were they recorded again? Give them a request_key, and a stale one is seen"})
		}
	}
}

// baseCase is a case as the base defines it.
type baseCase struct {
	Suite *suite.Suite
	Case  *suite.Case
}

// baseCases returns a look-up of the base's form of a head's case.
func (g *gate) baseCases() func(suiteID, caseID string) *baseCase {
	type key struct{ suite, id string }
	cases := map[key]*baseCase{}
	for _, s := range g.asked[suite.Base] {
		id := cmp.Or(g.scope.Renamed[s.ID], s.ID)
		for i := range s.Cases {
			cases[key{id, s.Cases[i].ID}] = &baseCase{Suite: s, Case: &s.Cases[i]}
		}
	}
	return func(suiteID, caseID string) *baseCase { return cases[key{suiteID, caseID}] }
}

// all returns the side's suites; none for no side.
func (s *side) all() []*suite.Suite {
	if s == nil {
		return nil
	}
	return s.suites
}

func (g *gate) fingerprint(at suite.Side, suiteID, caseID string) string {
	s := g.head
	if at == suite.Base {
		s = g.base
	}
	found := s.find(suiteID)
	if found == nil {
		return ""
	}
	return s.fingerprint(found.Target, suiteID, caseID)
}
