// Package leak finds the variables that a change begins to send and that hold the expected answer.
package leak

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Bounds of what is looked at for variables that tell the answer.
const (
	toldLooked = 50  // cases of a suite, spread over it
	toldBytes  = 200 // of a value: what is longer is a document that holds the answer among others
	toldShare  = 0.9 // of the cases that begin to send a variable, from which on it is named
)

// New finds the variables that a change begins to send and that hold the expected answer.
func New(s *sides.Sides) checks.Check {
	leaks := answerLeaks(s)
	return checks.Check{Known: func(in *gate.Run) { in.Leaks = leaks }}
}

// answerLeaks returns the variables that a change begins to send and whose value alone passes their cases, while the
// case's other variables do not: with such a prompt the model was told the answer.
func answerLeaks(p *sides.Sides) (out []gate.Leak) {
	judge := &evaluate.Judge{Classifier: classify.New(refusal.New(p.Rules.Refusal.ExtraPatterns)),
		Phase: p.Rules.Phase, Scoring: p.Rules.Scoring, Semantic: p.Rules.Semantic}
	for _, h := range p.Asked[suite.Head] {
		out = append(out, suiteAnswerLeaks(p, h, judge)...)
	}
	slices.SortFunc(out, func(a, b gate.Leak) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Variable, b.Variable))
	})
	// several targets are sent the same
	return slices.CompactFunc(out, func(a, b gate.Leak) bool { return a.Suite == b.Suite && a.Variable == b.Variable })
}

// suiteAnswerLeaks are those of them that a suite is sent.
func suiteAnswerLeaks(p *sides.Sides, h *suite.Suite, judge *evaluate.Judge) (out []gate.Leak) {
	counts, step := map[string]*gate.Leak{}, (h.Cases.Len()+toldLooked-1)/toldLooked
	for i := 0; i < h.Cases.Len(); i += step {
		one := p.Joined.Of(h.ID, h.Cases.At(i).ID)
		if one.Base == nil || one.Base.Keys().RequestKey == one.Head.Keys().RequestKey {
			continue
		}
		base, head := one.Base.Open(), one.Head.Open()
		known := sentVars(&base)
		for name, value := range sentVars(&head) {
			if _, before := known[name]; before {
				continue
			}
			if counts[name] == nil {
				counts[name] = &gate.Leak{Variable: name, Suite: suiteid.AuthorID(h.ID)}
			}
			counts[name].Looked++
			if len(value) <= toldBytes && judge.LeaksAnswer(context.Background(), h, &head, value, "x",
				strings.Join(slices.Sorted(maps.Values(known)), "\n")) {
				counts[name].Cases++
			}
		}
	}
	for _, t := range counts {
		if float64(t.Cases) >= toldShare*float64(t.Looked) {
			out = append(out, *t)
		}
	}
	return out
}

// sentVars returns the variables of a case that the model is sent.
func sentVars(c *suite.Case) map[string]string {
	out := maps.Clone(c.Vars)
	for _, name := range c.Aside {
		delete(out, name)
	}
	return out
}
