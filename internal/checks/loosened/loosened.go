// Package loosened finds redefined cases whose new expectation checks nothing: it accepts texts that have to do with no
// question.
package loosened

import (
	"context"
	"strings"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// unrelated has texts that answer no question. A case that expects some form of its answer, such as a number or a
// sentence, rejects one of them.
var unrelated = []string{
	"grey",
	"4711",
	"The ferry leaves the old harbour when the tide is high enough.",
	strings.Repeat("Three oak trees stand behind the mill. Nobody knows who planted them.\n\n", 50),
}

// New returns the check that finds loosened cases.
func New(s *sides.Sides) checks.Check {
	found := loosened(s)
	return checks.Check{Static: func(in *gate.Run) { in.Loosened = found }}
}

// loosened returns the loosened cases as SUITE/CASE.
func loosened(s *sides.Sides) map[string]bool {
	judge := &evaluate.Evaluator{Classifier: classify.New(refusal.New(s.Rules.Refusal.ExtraPatterns)),
		Phase: s.Rules.Phase, Scoring: s.Rules.Scoring, Semantic: s.Rules.Semantic}
	out := map[string]bool{}
	for _, h := range s.Selected[suite.Head] {
		for _, c := range h.Cases {
			if Loosens(judge, s.Pairs.Find(h.ID, c.ID)) {
				out[h.ID+"/"+c.ID] = true
			}
		}
	}
	return out
}

// Loosens reports whether the head's case accepts all unrelated texts, while the base's rejects one.
func Loosens(judge *evaluate.Evaluator, p suite.Pair) bool {
	return p.Base != nil && suite.Redefined(p.Base, p.Head) && acceptsAll(judge, p.HeadSuite, p.Head) &&
		!acceptsAll(judge, p.BaseSuite, p.Base)
}

// acceptsAll reports whether all unrelated texts pass the case c of the suite s. It is false if a model judges c.
func acceptsAll(judge *evaluate.Evaluator, s *suite.Suite, c *suite.Case) bool {
	opened := c.Open()
	if opened.Graded() || opened.Semantic() || opened.Probe != nil {
		return false
	}
	for _, text := range unrelated {
		if !judge.PassesAs(context.Background(), s, &opened, text) {
			return false
		}
	}
	return true
}
