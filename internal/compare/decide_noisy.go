package compare

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// noise holds what the looks at a live model's answers found to the policy. What is proven fails, what is only suspected
// warns unless the gate says otherwise, and what could not be looked at leaves the run undecided.
func (j *judgement) noise() {
	f := j.in.Comparison.Noise
	if f == nil {
		return
	}
	drop := j.gate.Drop(true)
	if f.Drop {
		j.add(drop.Level, fails, gotWorse(worst(f.Numbers.Overall, f.Numbers.Suites), ""))
	}
	if f.Recheck {
		look := f.Numbers.Recheck
		j.add(drop.Level, fails, gotWorse(worst(look.Overall, look.Suites), "asked again, "))
	}
	if f.Suspected && !f.Drop && !f.Recheck {
		scope := worst(f.Numbers.Overall, f.Numbers.Suites)
		if look := f.Numbers.Recheck; look != nil && look.Triggered {
			scope = worst(look.Overall, look.Suites)
		}
		j.suspicion(scope, "", f.Numbers)
	}
	j.unfinished(drop)
}

// suspicion tells of a fall that chance hardly explains, and that is not proven.
func (j *judgement) suspicion(scope report.Scope, how string, n report.Noise) {
	text := fmt.Sprintf("%s: suspicious, not proven (a drop is blocked from %s on)", fallen(scope, how), oneIn(n.AlphaPerLook))
	if n.Recheck != nil && n.Recheck.Skipped != "" {
		text += "; no second look was taken: " + n.Recheck.Skipped
	}
	j.add(j.gate.OnInconclusive, fails, report.Reason{Code: report.CodeDoubt, SuiteID: scope.SuiteID, Message: text})
}

// unfinished names what could not be asked, or is not answered.
func (j *judgement) unfinished(drop config.Rule) {
	f := j.in.Comparison.Noise
	cases := j.gate.MaxRegressions
	unanswered := f.Unfinished()
	if n := f.ConfirmIncomplete - unanswered; n > 0 {
		j.add(cases.Level, suspends, report.Reason{Code: report.CodeConfirm,
			Message: text.Count(n, "case") + " passed before and not now, and could not be asked again often enough, so nothing is proven"})
	}
	if unanswered > 0 {
		j.add(config.Err, suspends, report.Reason{Code: report.CodeConfirm,
			Message: text.Count(unanswered, "case has", "cases have") + " no answer now and had some before, and could not be asked again often enough to say why"})
	}
	if lost := j.lost(); lost.n > 0 {
		j.add(config.Err, suspends, lost.reason(report.CodeLost, fmt.Sprintf(
			"%s no answer now, however often asked, and had some before: %s; possibly this change's fault, but no score",
			text.Count(lost.n, "case has", "cases have"), lost.text())))
	}
	if f.RecheckIncomplete {
		j.add(drop.Level, suspends, report.Reason{Code: report.CodeRecheck,
			Message: "the score fell, and too many answers of the second look at all cases are missing: no verdict on the prompt"})
	}
	r := j.gate.Unscored(true)
	if f.HeadErrors {
		j.add(r.Level, suspends, report.Reason{Code: report.CodeHeadErrors,
			Message: fmt.Sprintf("answers are lost now that came before (%s if that were an accident): possibly this change's fault, but no score", oneIn(f.Numbers.HeadErrors))})
	}
	if f.TooManyErrors && !j.tooMuchMissing(j.held[0]) {
		share, most := score.Figures(float64(f.Errored)/float64(f.Common), r.Value)
		j.add(r.Level, suspends, report.Reason{Code: report.CodeUnscored,
			Message: fmt.Sprintf("%d of %s have no answer on one side: share %s is above max_unscored %s", f.Errored, text.Count(f.Common, "case"), share, most)})
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

// gotWorse is the reason of a scope that fell beyond chance.
func gotWorse(scope report.Scope, how string) report.Reason {
	return report.Reason{Code: report.CodeDrop, SuiteID: scope.SuiteID, Message: fallen(scope, how) + ": the suite as a whole got worse"}
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
	return fmt.Sprintf("%s%s fell by %s points, %s worse, %s: %s if nothing changed", how, where, points(-s.Delta), text.Count(s.Worse, "case"), better, oneIn(*s.Adjusted))
}

func points(v float64) string { return score.Fixed(100*v, 1, 0, 100) }

// oneIn writes a chance as people say it: 1 in 8.
func oneIn(p float64) string {
	if p > 0.5 {
		return "more often than not"
	}
	return text.Odds(p, "in")
}

// lost are the cases of which the head loses every answer, and the base does not.
func (j *judgement) lost() (out names) {
	for s, p := range j.in.Comparison.all() {
		if j.in.Comparison.suspects[s.id+"/"+s.name(p)].State == report.SuspectLost {
			out.add(s, p)
		}
	}
	return out
}

// lostMustPass weighs a case that must pass and has no answer: what fresh runs brought in its place, where it was asked again.
func (j *judgement) lostMustPass(s *suitePair, p casePair) (weight, string) {
	suspect, asked := j.in.Comparison.suspects[s.id+"/"+p.id()]
	switch {
	case asked && suspect.State == report.SuspectConfirmed:
		return fails, fmt.Sprintf("failed: %s, and in %d of %s (%d before)", p.head.Word(),
			suspect.Rounds-suspect.HeadPasses, text.Count(suspect.Rounds, suspect.Runs()), suspect.Rounds-suspect.BasePasses)
	case asked && suspect.State == report.SuspectCleared && suspect.HeadPasses > 0:
		return warns, fmt.Sprintf("had no answer (%s), and a right one in %d of %s", p.head.Word(), suspect.HeadPasses, text.Count(suspect.Rounds, suspect.Runs()))
	}
	return suspends, "has no answer: " + p.head.Word()
}

// wrongMustPass weighs a wrong answer to a case that must pass. One wrong answer fails the gate, unless it may be noise: a
// case that passed on the base of a live model is asked again, and fails the gate if the fresh answers confirm it.
func (j *judgement) wrongMustPass(s *suitePair, p casePair) (weight, string) {
	failed := "failed: " + p.head.Word()
	c := j.in.Comparison
	if !p.redrawn && (p.kind != noisy || c.Noise == nil) || !p.enters() || p.shared() {
		return fails, failed
	}
	suspect, asked := c.suspects[s.id+"/"+p.id()]
	switch {
	case !asked && 2*sideOf(p.base).Passed <= sideOf(p.base).Trials:
		return fails, failed + ", as before"
	case !asked: // the gate asks nothing again
		return fails, failed
	case suspect.State == report.SuspectConfirmed:
		return fails, fmt.Sprintf("failed: %s, and in %d of %s (%d before)", p.head.Word(),
			suspect.Rounds-suspect.HeadPasses, text.Count(suspect.Rounds, suspect.Runs()), suspect.Rounds-suspect.BasePasses)
	case suspect.State == report.SuspectCleared:
		return warns, fmt.Sprintf("answered wrong, and not so when asked %s more: right %[2]d of %[3]d before, %[4]d of %[3]d now",
			text.Count(suspect.Rounds, "time"), suspect.BasePasses, suspect.Rounds, suspect.HeadPasses)
	}
	return suspends, failed + ", and could not be asked again often enough"
}
