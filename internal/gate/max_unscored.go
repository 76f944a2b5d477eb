package gate

import (
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Unscored suspends a run with more missing answers than the gate allows.
var Unscored = Rule{
	Code: "max_unscored", SARIF: "no_answer",
	Doc: "More of the planned answers are missing than the share allows. Live and recorded answers are counted " +
		"apart. By default a recording has all of its answers.",
	check: func(r *Run) []finding {
		return append(append(tooManyErrors(r), tooManyUnscored(r)...), notCompared(r.Comparison)...)
	},
}

// tooManyErrors returns a finding if too many noisy cases, or strict cases of another runner, lack an answer on either
// side. It returns none if the head alone lacks too many answers, because tooManyUnscored reports that.
func tooManyErrors(r *Run) (found []finding) {
	if slices.ContainsFunc(r.missingByKind(r.sides[0]), missingAnswers.exceedsLimit) {
		return nil
	}
	strict := missingAnswers{limit: r.gate.UnscoredSetting(false), noun: "case"}
	for p := range r.Comparison.All() {
		if p.Noisy() || !p.IsShared() && !p.MayBeWorse() {
			continue
		}
		if strict.planned++; p.MayBeWorse() {
			strict.unscored++
		}
	}
	lacking := []missingAnswers{strict}
	if noise := r.Comparison.NoiseTest; noise != nil && noise.TooManyErrors {
		lacking = append(lacking, missingAnswers{r.gate.UnscoredSetting(true), noise.Errored, noise.Common, "case"})
	}
	for _, l := range lacking {
		if l.exceedsLimit() {
			found = append(found, l.asFinding(" have no score on one side"))
		}
	}
	return found
}

// tooManyUnscored returns a finding for strict cases if too many of their answers are missing, and another one for
// noisy cases.
func tooManyUnscored(r *Run) (found []finding) {
	said := [2]bool{}
	for _, m := range r.sides {
		for i, l := range r.missingByKind(m) {
			if !said[i] && l.exceedsLimit() {
				said[i] = true
				found = append(found, l.asFinding(m.suffix+" without a score"))
			}
		}
	}
	return found
}

// asFinding returns the finding that more answers are missing than the limit allows. what says how they are missing.
func (m missingAnswers) asFinding(what string) finding {
	share, allowed := score.FormatWithLimit(m.share(), m.limit.Value)
	return newFinding(effectSuspends, "%d of %s%s: share %s is above max_unscored %s", m.unscored,
		text.Count(m.planned, m.noun), what, share, allowed)
}

// notCompared returns a warning that counts the cases with too few answers on the base.
func notCompared(c compare.Comparison) []finding {
	n := c.Count(func(p *compare.Case) bool {
		return p.Status == report.Errored && !compare.CountsOf(p.Head).LacksAnswers()
	})
	if n == 0 {
		return nil
	}
	return atLevel(config.Warn, []finding{newFinding(effectWarns, "%s not compared: too few answers came before",
		text.Count(n, "case is", "cases are"))})
}
