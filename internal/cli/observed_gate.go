package cli

import (
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// observe lays the run's cases out by their words, from the results that were written.
func (g *gate) observe(rep *report.Report, a answers) (err error) {
	renamed := g.renamed(a)
	o := observer{changes: rep.Changes, renamed: renamed, asked: g.questions(renamed), redact: g.newRedactor().Text}
	rep.Observability, err = o.observed(g.answers())
	return err
}

// questions finds a case of either side by the head's names.
func (g *gate) questions(renamed map[string]string) func(suiteID, caseID string, at suite.Side) (suite.Case, bool) {
	type key struct {
		of observe.CaseRef
		at suite.Side
	}
	all := map[key]*suite.Case{}
	for at, suites := range g.asked {
		for _, s := range suites {
			id := s.ID
			if to, known := renamed[id]; at == suite.Base && known {
				id = to
			}
			for i := range s.Cases {
				all[key{observe.CaseRef{SuiteID: id, CaseID: s.Cases[i].ID}, at}] = &s.Cases[i]
			}
		}
	}
	return func(suiteID, caseID string, at suite.Side) (suite.Case, bool) {
		k, known := all[key{observe.CaseRef{SuiteID: suiteID, CaseID: caseID}, at}]
		if !known {
			return suite.Case{}, false
		}
		return *k, true
	}
}
