package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// Drop fails a run if a strict score fell by more than the gate allows, or if a noisy score fell by more than chance
// explains.
var Drop = Rule{
	Code: "max_drop",
	Title: func(f TitleInput) string {
		if s := f.Report.Statistics; s != nil && (s.Noise != nil || s.Samples != nil) {
			return "the answers got worse as a whole"
		}
		return "the score dropped too far"
	},
	Doc: "The score fell by more than the figure, like for like, overall or for a suite. Recorded answers are " +
		"held to it as they are; by default those with " +
		"one answer a side are judged flip by flip, and a fall of a model's is suspected. The fall of a model's draws counts only if chance " +
		"hardly explains it.",
	check: func(r *Run) []finding {
		found := literalDrops(r)
		if f := r.Comparison.SampledTest; f != nil && f.Drop {
			found = append(found, dropFinding(worst(f.Numbers.Overall, f.Numbers.Suites), "recorded answers: "))
		}
		if f := r.Comparison.NoiseTest; f != nil && f.Drop {
			found = append(found, dropFinding(worst(f.Numbers.Overall, f.Numbers.Suites), ""))
		}
		if f := r.Comparison.NoiseTest; f != nil && f.Recheck {
			test := f.Numbers.Recheck
			found = append(found, dropFinding(worst(test.Overall, test.Suites), "asked again, "))
		}
		return found
	},
}

// literalDrops returns a finding for each strict score that fell by more than max_drop, with the run's score first. It
// compares the cases by the head's suites. If no score fell and cases moved to another suite, it compares them by the
// base's suites, so that no failing case hides in a larger suite.
func literalDrops(r *Run) []finding {
	limit := r.gate.DropSetting(true)
	if limit.Level == config.Off {
		return nil
	}
	c := r.Comparison
	found := drops(c, limit.Value, c.LiteralDeltas(r.gate), "")
	if len(found) > 0 || !c.HasMovedCases() {
		return found
	}
	return drops(c, limit.Value, c.LiteralDeltasAtBase(r.gate), " before cases moved")
}

// drops returns a finding for each score that fell by more than the limit, with the run's score first.
func drops(c compare.Comparison, limit float64, suites []compare.Delta, where string) (found []finding) {
	if mean, cases, ok := compare.RunDelta(suites); ok && !score.Meets(mean, -limit) {
		fell, limit := score.FormatWithLimit(-mean, limit)
		which := "common case"
		if cases < c.DeltaCases {
			which = "recorded case"
		}
		found = append(found, newFinding(effectFails, "run score fell by %s over %s%s, max_drop is %s", fell,
			text.Count(cases, which), where, limit))
	}
	for _, d := range suites {
		if !score.Meets(d.Mean, -limit) {
			fell, limit := score.FormatWithLimit(-d.Mean, limit)
			f := newFinding(effectFails, "suite %s%s: score fell by %s, max_drop is %s", d.SuiteID, where, fell, limit)
			f.SuiteID = d.SuiteID
			found = append(found, f)
		}
	}
	return found
}

// dropFinding returns the finding for a suite, or the whole run, whose score fell by more than noise explains.
func dropFinding(scope report.Scope, how string) finding {
	f := newFinding(effectFails, "%s", dropText(scope, how))
	f.SuiteID = scope.SuiteID
	return f
}

// dropText describes the drop of the score in s, and how likely this drop is if nothing changed.
func dropText(s report.Scope, how string) string {
	where := "score"
	if s.SuiteID != "" {
		where = "suite " + s.SuiteID + ": score"
	}
	better := "none better"
	if s.Better > 0 {
		better = fmt.Sprintf("%d better", s.Better)
	}
	return fmt.Sprintf("%s%s fell by %s points, %s worse, %s: %s if nothing changed", how, where, points(-s.Delta), text.Count(s.Worse, "case"), better, oddsText(*s.Adjusted))
}

func points(v float64) string { return score.FormatDecimals(100*v, 1, 0, 100) }

// oddsText returns a probability in words, such as "1 in 8".
func oddsText(p float64) string {
	if p > 0.5 {
		return "more often than not"
	}
	return text.Odds(p, "in")
}

// worst returns, of the run and its suites, the one whose drop is least likely if nothing changed.
func worst(overall *report.Scope, suites []report.Scope) report.Scope {
	family := suites
	if overall != nil && overall.Adjusted != nil {
		family = append([]report.Scope{*overall}, suites...)
	}
	out := family[0]
	for _, s := range family[1:] {
		if s.Delta < 0 && (out.Delta >= 0 || *s.Adjusted < *out.Adjusted) {
			out = s
		}
	}
	if len(suites) == 1 { // the suite is the run
		out.SuiteID = ""
	}
	return out
}
