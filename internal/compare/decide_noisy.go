package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
)

// noise holds what the looks at a live model's answers found to the policy. What is proven fails, what is only suspected
// warns unless the gate says otherwise, and what could not be looked at leaves the run undecided.
func (j *judgement) noise() {
	f := j.in.Comparison.Noise
	if f == nil {
		return
	}
	drop := rule(j.policy.Gate.MaxDrop, off)
	if f.Drop {
		j.add(drop.Level, fails, report.Reason{Code: "max_drop", Message: fallen(worst(f.Numbers.Overall, f.Numbers.Suites), "") +
			": the suite as a whole got worse"})
	}
	if f.Recheck {
		look := f.Numbers.Recheck
		j.add(drop.Level, fails, report.Reason{Code: "max_drop", Message: fallen(worst(look.Overall, look.Suites), "asked again, ") +
			": the suite as a whole got worse"})
	}
	if f.Suspected && !f.Drop && !f.Recheck {
		j.suspicion()
	}
	j.unfinished(drop)
}

func (j *judgement) suspicion() {
	n := j.in.Comparison.Noise.Numbers
	scope := worst(n.Overall, n.Suites)
	if look := n.Recheck; look != nil && look.Triggered {
		scope = worst(look.Overall, look.Suites)
	}
	j.add(level(j.policy.Gate.OnInconclusive, config.Warn), fails, report.Reason{Code: "on_inconclusive",
		Message: fmt.Sprintf("%s: suspicious, not proven (a drop is blocked from %s on)", fallen(scope, ""), oneIn(n.AlphaPerLook))})
}

// unfinished names what could not be asked, or is not answered.
func (j *judgement) unfinished(drop config.Rule) {
	f := j.in.Comparison.Noise
	cases := rule(j.policy.Gate.MaxRegressions, config.Rule{Level: config.Err})
	if f.ConfirmIncomplete > 0 {
		j.add(cases.Level, suspends, report.Reason{Code: CodeConfirm,
			Message: count(f.ConfirmIncomplete, "case") + " passed on the base and not here, and could not be asked again often enough: no verdict on the prompt"})
	}
	if f.RecheckIncomplete {
		j.add(drop.Level, suspends, report.Reason{Code: CodeRecheck,
			Message: "the score fell, and too many answers of the second look at all cases are missing: no verdict on the prompt"})
	}
	r := j.policy.maxUnscored()
	if f.HeadErrors {
		j.add(r.Level, suspends, report.Reason{Code: CodeHeadErrors,
			Message: fmt.Sprintf("the head loses answers that the base does not (%s if that were an accident): possibly its fault, but no score", oneIn(f.Numbers.HeadErrors))})
	}
	if _, _, beyond := j.missing(); f.TooManyErrors && !beyond {
		share, most := figures(float64(f.Errored)/float64(f.Common), r.Value)
		j.add(r.Level, suspends, report.Reason{Code: "max_unscored",
			Message: fmt.Sprintf("%d of %s have no answer on one side: share %s is above max_unscored %s", f.Errored, count(f.Common, "common case"), share, most)})
	}
}

// worst is the scope of a family that is least likely to have fallen by chance.
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
	if len(suites) == 1 { // there is nothing to tell it from
		out.SuiteID = ""
	}
	return out
}

// fallen says by how much a scope fell, and how often chance alone does that.
func fallen(s report.Scope, how string) string {
	where := "score"
	if s.SuiteID != "" {
		where = "suite " + s.SuiteID + ": score"
	}
	better := "none better"
	if s.Better > 0 {
		better = fmt.Sprintf("%d better", s.Better)
	}
	return fmt.Sprintf("%s%s fell by %s points, %s worse, %s: %s if nothing changed", how, where, points(-s.Delta), count(s.Worse, "case"), better, oneIn(*s.Adjusted))
}

func points(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

// mostOneIn is from where on a chance is only said to be smaller.
const mostOneIn = 1e6

// oneIn writes a chance as people say it: 1 in 8.
func oneIn(p float64) string {
	switch {
	case !(p > 1/mostOneIn):
		return "less than 1 in a million"
	case p > 0.5:
		return "more often than not"
	}
	return "1 in " + grouped(int(math.Floor(1/p+1e-9)))
}

// grouped writes a number with commas.
func grouped(n int) string {
	text := fmt.Sprint(n)
	var b strings.Builder
	for i, r := range text {
		if i > 0 && (len(text)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// wrongMustPass weighs a wrong answer to a case that must pass. One wrong answer fails the gate, unless it may be noise: a
// case that passed on the base of a live model is asked again, and fails the gate if the fresh answers confirm it.
func (j *judgement) wrongMustPass(s *suitePair, p casePair) (weight, string) {
	failed := "failed: " + string(p.head.Primary)
	c := j.in.Comparison
	if !c.Noisy || c.Noise == nil || !p.enters() || p.shared() {
		return fails, failed
	}
	suspect, asked := c.suspects[s.id+"/"+p.id()]
	switch {
	case !asked && 2*sideOf(p.base).Passed <= sideOf(p.base).Trials:
		return fails, failed + ", as on the base"
	case !asked: // the gate asks nothing again
		return fails, failed
	case suspect.State == report.SuspectConfirmed:
		return fails, fmt.Sprintf("failed: %s, and in %d of %d fresh runs (%d on the base)", p.head.Primary,
			suspect.Rounds-suspect.HeadPasses, suspect.Rounds, suspect.Rounds-suspect.BasePasses)
	case suspect.State == report.SuspectCleared:
		return warns, fmt.Sprintf("answered wrong, which %s did not confirm", count(suspect.Rounds, "fresh run"))
	}
	return suspends, failed + ", and could not be asked again often enough"
}
