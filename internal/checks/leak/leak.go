// Package leak finds answer leaks: variables that the change newly sends and whose values are the expected answer.
package leak

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Limits of the search for answer leaks.
const (
	maxLeakCases = 50  // cases of a suite, evenly spread
	maxLeakBytes = 200 // bytes of a value; a longer one is a document that contains many answers
	leakShare    = 0.9 // least share of the cases with the new variable that its value must pass
)

// New returns the check that finds answer leaks.
func New(s *sides.Sides) checks.Check {
	leaks := answerLeaks(s)
	return checks.Check{Static: func(in *gate.Run) { in.Leaks = leaks }}
}

// answerLeaks returns the variables that leak the answer. Such a variable is newly sent by the change, and its value
// alone passes nearly all of its cases, while the values of the variables that the base sends do not.
func answerLeaks(p *sides.Sides) (out []gate.Leak) {
	rules := asking.RuleEvaluator(p)
	for _, h := range p.Selected[suite.Head] {
		out = append(out, suiteAnswerLeaks(p, h, rules)...)
	}
	slices.SortFunc(out, func(a, b gate.Leak) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Variable, b.Variable))
	})
	// the targets of a suite get the same variables
	return slices.CompactFunc(out, func(a, b gate.Leak) bool { return a.Suite == b.Suite && a.Variable == b.Variable })
}

// suiteAnswerLeaks returns the answer leaks of one suite. It checks at most maxLeakCases of its cases. If no variable
// leaks the answer alone, all new ones of a case may together.
func suiteAnswerLeaks(p *sides.Sides, h *suite.Suite, judge *evaluate.Evaluator) (out []gate.Leak) {
	alone, together := map[string]*gate.Leak{}, map[string]*gate.Leak{}
	step := (len(h.Cases) + maxLeakCases - 1) / maxLeakCases
	for i := 0; i < len(h.Cases); i += step {
		one := p.Pairs.Find(h.ID, h.Cases[i].ID)
		if one.Base == nil || one.Base.Keys().RequestKey == one.Head.Keys().RequestKey {
			continue
		}
		base, head := one.Base.Open(), one.Head.Open()
		known := base.SentVars
		count := func(counts map[string]*gate.Leak, name string, texts ...string) {
			if counts[name] == nil {
				counts[name] = &gate.Leak{Variable: name, Suite: suiteid.AuthorID(h.ID)}
			}
			counts[name].Checked++
			if slices.ContainsFunc(texts, func(text string) bool {
				return len(text) <= maxLeakBytes && judge.TextLeaksAnswer(context.Background(), &head, text, "x",
					strings.Join(slices.Sorted(maps.Values(known)), "\n"))
			}) {
				counts[name].Cases++
			}
		}
		var names, values []string
		for _, name := range head.SentVarsInOrder() {
			if _, before := known[name]; !before {
				names, values = append(names, name), append(values, head.Vars[name])
				count(alone, name, head.Vars[name])
			}
		}
		if len(names) > 1 {
			count(together, strings.Join(names, " and "), strings.Join(values, " "), strings.Join(values, ""))
		}
	}
	for _, counts := range []map[string]*gate.Leak{alone, together} {
		for _, t := range counts {
			if float64(t.Cases) >= leakShare*float64(t.Checked) {
				out = append(out, *t)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}
