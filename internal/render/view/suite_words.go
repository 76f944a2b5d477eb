package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// SuiteState is an icon, which stands first in a row so that a telephone shows it, and what it says in words.
func (v *View) SuiteState(s Row) (icon, text string) {
	var words []string
	add := func(n int, mark, text string) {
		if n == 0 {
			return
		}
		icon = cmp.Or(icon, mark)
		words = append(words, text)
	}
	if s.BelowBar {
		add(1, "❌", "below its bar")
	}
	if s.Worse {
		add(1, v.blockIcon(gate.Drop.Code), "got worse as a whole")
	} else if s.Suspected {
		add(1, "⚠️", "perhaps worse")
	}
	if s.MustPass > 0 && icon == "" {
		icon = "❌"
	}
	add(s.Regressed, v.blockIcon(gate.Regressions.Code), show.Grouped(s.Regressed)+" broken")
	add(s.MustPass, "❌", show.Grouped(s.MustPass)+" must pass")
	add(s.Unscored, "⏸️", show.Grouped(s.Unscored)+" unanswered")
	add(s.fixed, "✅", show.Grouped(s.fixed)+" fixed")
	add(s.perhaps, "", show.Grouped(s.perhaps)+" perhaps fixed")
	add(s.Inside, "", show.Grouped(s.Inside)+" pass and got worse")
	if len(words) == 0 {
		var word string
		icon, word = v.quietState(s)
		words = append(words, word)
	}
	if s.KeptByHand > 0 && icon == "✅" {
		icon = "⚠️"
	}
	add(max(s.Unverified-s.KeptByHand, 0), "", show.Grouped(s.Unverified-s.KeptByHand)+" unverified")
	add(s.Quarantined, "", show.Grouped(s.Quarantined)+" in quarantine")
	add(s.KeptByHand, "", show.Grouped(s.KeptByHand)+" kept by hand")
	if icon == "✅" && !s.sound() {
		icon = ""
	}
	return icon, strings.Join(words, ", ")
}

// sound reports a suite that deserves a green sign: it did not get worse, some answer is right, and each was judged.
func (s Row) sound() bool {
	worse := s.Delta != nil && *s.Delta < 0 || fellTo(s.BaseScore, s.Score) // of a case that is new and wrong too
	return !worse && s.Inside == 0 && s.Unscored == 0 && s.Unverified == 0 && (s.Passed > 0 || s.Cases == 0)
}

func (v *View) quietState(s Row) (icon, text string) {
	switch {
	case s.Cases == 0 && s.Quarantined > 0:
		return "", "nothing judged"
	case s.Cases == 0:
		return "", "no case"
	case s.Passed == s.Cases:
		return "✅", "all pass"
	case s.MinScore != nil:
		return "✅", "meets its bar"
	case v.Compared && s.Delta != nil && *s.Delta < 0:
		return "", "lower than before"
	case v.Compared:
		return "✅", "nothing broke"
	}
	return "", "some are wrong"
}

// blockIcon is that of a reason which fails the run, or only warns.
func (v *View) blockIcon(code string) string {
	return show.If(v.Has(code, report.LevelError), "❌", "⚠️")
}

// RunState is the same of the whole run.
func (v *View) RunState() (icon, text string) {
	need, got := v.Report.Scoring.MinRunScore, v.Report.RunScore
	icon, text = v.barState(need, got)
	fell, mark := "", "⚠️"
	switch {
	case v.Has(gate.Drop.Code, report.LevelError), v.Has(gate.Drop.Code, report.LevelWarn):
		fell, mark = "got worse as a whole", v.blockIcon(gate.Drop.Code)
	case v.suspected():
		fell = "perhaps worse"
	default:
		return icon, text
	}
	if icon != "❌" {
		icon = mark
	}
	return icon, strings.TrimSuffix(fell+", "+text, ", ")
}

func (v *View) barState(need, got *float64) (icon, text string) {
	switch {
	case need == nil || got == nil:
		return "", ""
	case v.Report.Verdict == report.Undecided:
		return "⏸️", "undecided"
	case !v.BelowRunBar() && v.Report.KeptByHand > 0:
		return "⚠️", "meets its bar, unverified in part"
	case !v.BelowRunBar() && (v.Report.Verdict == report.Failed || v.Report.Unverified > 0 || len(v.Worse) > 0 || v.Compared && fellTo(v.Report.BaseRunScore, got)): // no green sign beside what is not well
		return "", "meets its bar"
	case !v.BelowRunBar():
		return "✅", "meets its bar"
	case v.Has(gate.RunScore.Code, report.LevelError):
		return "❌", "below its bar"
	case v.Excused():
		return "⚠️", "below its bar, perhaps by noise"
	}
	return "⚠️", "below its bar"
}

// Withheld reports a score that is not shown: with answers missing, that of an undecided run would blame the prompt for an outage.
func (v *View) Withheld(unscored int) bool {
	return v.Report.Verdict == report.Undecided && unscored > 0
}

// ScoreNotes says what the numbers leave open.
func (v *View) ScoreNotes() string {
	notes := []string{v.heldNote()}
	if r := v.Report; v.Compared && r.Delta != nil && r.DeltaCases != r.Cases {
		notes = append(notes, "Over the "+show.Count(r.DeltaCases, "case")+" that both sides have unchanged and answered, the score moved by "+Soft(show.Points(*r.Delta))+".")
	}
	if r := v.Report; r.Unscored > 0 && r.AnsweredScore != nil {
		notes = append(notes, fmt.Sprintf("%s missing: over the answers that came, the score is %s; with the missing ones as wrong it is %s.",
			IsAre(r.Unscored, "answer"), show.Percent(*r.AnsweredScore), show.PercentOr(r.RunScore)))
	}
	if note := v.Unverified(); note != "" {
		notes = append(notes, note+" (unverified).")
	}
	if n := v.toReview(); n > 0 {
		notes = append(notes, show.Count(n, "answer")+" could not be compared by meaning, for want of an embedding model: no bar was applied, "+
			"and a person has to look.")
	}
	return show.Join(" ", notes...)
}

// Unverified tells of the cases that whatever is answered passes, or whose answers only a person can judge for want of an embedding model.
func (v *View) Unverified() string {
	n := v.Report.Unverified - v.Report.KeptByHand
	return show.When(n > 0, show.Count(n, "case")+show.If(v.toReview() >= n, " passed without a look at the meaning of the answer", " passed with nothing to hold the answer to"))
}

// VerifyAdvice says what holds such cases to something, behind a sentence on them; "" where the note on embeddings says it.
func (v *View) VerifyAdvice() string {
	return show.When(v.toReview() < v.Report.Unverified-v.Report.KeptByHand, "; give them an expectation, a format or a policy")
}

func (v *View) toReview() int {
	if i := slices.IndexFunc(v.Report.Warnings, func(x report.Warning) bool { return x.Code == score.WarnNeedsReview }); i >= 0 {
		return max(v.Report.Warnings[i].Count, 1)
	}
	return 0
}

// IsAre counts with a verb: 1 case is, 2 cases are.
func IsAre(n int, noun string) string { return show.Count(n, noun) + " " + show.Agree(n, "is", "are") }

// fellTo reports a score that is lower than before; false where one of them is missing.
func fellTo(before, now *float64) bool { return before != nil && now != nil && *now < *before }

// misses reports a score that is below its bar; false where one of them is missing.
func misses(got, need *float64) bool { return got != nil && need != nil && !score.Meets(*got, *need) }

// BelowRunBar reports a run that misses its bar, by the score as it stands or over the base's cases.
func (v *View) BelowRunBar() bool {
	need := v.Report.Scoring.MinRunScore
	return misses(v.Report.RunScore, need) || misses(v.Report.HeldRunScore, need)
}

// liftedByNew reports a run score that meets its bar only thanks to the cases that the head adds.
func (v *View) liftedByNew() bool {
	need := v.Report.Scoring.MinRunScore
	return misses(v.Report.HeldRunScore, need) && !misses(v.Report.RunScore, need)
}

// heldNote says the score by which every bar is held too, where it is another one than the run score.
func (v *View) heldNote() string {
	r := v.Report
	if r.HeldRunScore == nil || r.RunScore == nil || *r.HeldRunScore == *r.RunScore {
		return ""
	}
	return fmt.Sprintf("Over the base’s %s alone, which %s to meet every bar as well, the score is %s.", show.Count(r.HeldCases, "case"), show.Agree(r.HeldCases, "has", "have"),
		show.Against(r.HeldRunScore, r.Scoring.MinRunScore))
}

// told reports a reason of a code about a suite: about itself, or about the whole to which it adds its part.
func (v *View) told(code string, s report.SuiteSummary) bool {
	return v.Compared && slices.ContainsFunc(v.Report.Reasons, func(r report.Reason) bool {
		return r.Code == code && (r.SuiteID == s.SuiteID || r.SuiteID == "" && s.Delta != nil && *s.Delta < 0)
	})
}
