// Package loosened finds redefined cases whose new expectation checks nothing: it accepts texts that answer no
// question.
package loosened

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// New returns the check that finds loosened cases.
func New(s *sides.Sides) checks.Check {
	found := loosened(s)
	return checks.Check{Static: func(in *gate.Run) { in.Loosened = found }}
}

// loosened returns the loosened cases as SUITE/CASE.
func loosened(s *sides.Sides) map[string]bool {
	rules := asking.RuleEvaluator(s)
	out := map[string]bool{}
	for h, c := range suite.EachCase(s.Selected[suite.Head]) {
		if rules.Loosens(s.Pairs.Find(h.ID, c.ID)) {
			out[h.ID+"/"+c.ID] = true
		}
	}
	return out
}
