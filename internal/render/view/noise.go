package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Noise is what a report says of a live model's answers; nil where none was compared.
func (v *View) Noise() *report.Noise {
	if v.Report.Statistics == nil || !v.Compared {
		return nil
	}
	return v.Report.Statistics.Noise
}

// How says in a few sentences how noise was told from a regression: what was seen, what chance makes of it, what was asked
// again and what came of that. It never calls unlikely what chance explains.
func (v *View) How() []show.Phrase {
	s := v.Report.Statistics
	switch {
	case s == nil:
		return nil
	case s.Measured != nil:
		return measured(s.Measured)
	}
	out := v.howStrict(s)
	if s.Redrawn != nil && v.Compared {
		out = append(out, redrawn(s.Redrawn)...)
	}
	if n := v.Noise(); n != nil && n.Overall != nil {
		out = append(out, v.howNoisy(n)...)
	}
	return out
}

// howStrict tells of the cases whose answers count as they are, and what such answers cannot know.
func (v *View) howStrict(s *report.Statistics) (out []show.Phrase) {
	if s.StrictLive > 0 {
		out = append(out, show.Phrase{show.Say("`mode: strict` takes the answers of live targets as they are: a flip may be noise, and is not asked again.")})
	}
	if !v.Compared {
		return out
	}
	fell, rose, single, several := 0, 0, 0, 0
	for _, c := range v.Report.Changes {
		switch {
		case c.Noisy || c.Quarantined || c.Head != nil && c.Head.UnderBase != nil: // a redefined one is not common
		case c.Change == report.Fixed:
			rose++
		case c.Change == report.Regressed && once(c.Base) && once(c.Head):
			fell++
			if s, again := v.Report.Suspect(c.SuiteID, c.CaseID); c.Drawn && !(again && s.Rounds > 0) {
				single++
			}
		case c.Change == report.Regressed:
			fell++
			several++
		}
	}
	if fell == 0 {
		return out
	}
	were, are := show.Agree(fell, "was", "were"), show.Agree(fell, "is", "are")
	what := show.If(s.Noisy > 0, "recorded case", "case")
	text := fmt.Sprintf("%s of %s %s right before and %s wrong now, %s went the other way.", show.Grouped(fell), show.Count(s.Strict, what), were, are, none(rose))
	return append(out, show.Phrase{show.Say(text + show.When(several > 0, " Where several answers are recorded, most of them decide.") +
		show.When(single > 0, " What was recorded once a side from a model may flip by itself; `failproof record --base` asks such cases again."))})
}

// OpenFlips are the cases that were right on the base and are wrong here, and that nobody asked again often enough to prove or clear it.
func (v *View) OpenFlips() []report.Change {
	return show.Those(v.Others, func(c report.Change) bool {
		s, ok := v.Report.Suspect(c.SuiteID, c.CaseID)
		return ok && c.Change == report.Flaky && !c.Quarantined && slices.Contains(notAskedToTheEnd, s.State)
	})
}

var notAskedToTheEnd = []string{report.SuspectNotRerun, report.SuspectUnprovable, report.SuspectIncomplete}

// neverAsked reports that cases flipped and none of them was asked again.
func (v *View) neverAsked() bool {
	open := v.OpenFlips()
	return len(open) > 0 && show.Tally(open, func(c report.Change) bool { s, _ := v.Report.Suspect(c.SuiteID, c.CaseID); return s.Rounds > 0 }) == 0
}

// PerhapsFixed reports a case that turned right where answers differ from one to the next, and that was asked once: falls are asked again, rises are not.
func (v *View) PerhapsFixed(c report.Change) bool {
	return c.Noisy && c.Change == report.Fixed && !c.Quarantined && once(c.Head)
}

func once(o *report.Outcome) bool { return o != nil && o.Trials == 1 }

func (v *View) howNoisy(n *report.Noise) (out []show.Phrase) {
	if n.Overall.Worse > 0 {
		out = append(out, show.Phrase{show.Say(v.seen(n))})
	}
	if n.Confirm != nil {
		out = append(out, asked(n.Confirm)...)
	}
	switch {
	case n.Recheck == nil:
	case n.Recheck.Skipped != "":
		out = append(out, show.Phrase{show.Say("The score had fallen, and no second look at all cases was taken: "), show.Tell(n.Recheck.Skipped), show.Say(". What the first answers show stands.")})
	case n.Recheck.Triggered:
		out = append(out, show.Phrase{show.Say(rechecked(n))})
	}
	return append(out, v.conclusion(n)...)
}

// seen tells the first run: how many cases fell, how many rose, and how often chance alone does that.
func (v *View) seen(n *report.Noise) string {
	all := n.Overall
	verb := show.If(n.Trials == 1, "flipped from pass to fail", "got worse")
	text := fmt.Sprintf("%s of %s %s, %s the other way. If nothing changed, a result at least this bad happens %s",
		show.Grouped(all.Worse), v.alike(all.Cases), verb, none(all.Better), inRuns(all.PWorse))
	return text + show.If(all.PWorse <= n.AlphaPerLook, ".", ", so by itself it proves nothing.")
}

// alike counts the cases that are compared like for like, and says so where the title counts others too.
func (v *View) alike(cases int) string {
	return show.Count(cases, "case") + show.When(len(v.Regressed) > 0 && v.comparedCases() < v.answeredCases(), " that both sides have unchanged and answered")
}

func none(n int) string {
	return show.If(n == 0, "none", show.Grouped(n))
}

// inRuns writes a chance as a share of runs: in 1 of 8 runs.
func inRuns(p float64) string {
	return show.If(p > 0.5, "in more than half of all runs", "in "+text.Odds(p, "of")+" runs")
}

func rechecked(n *report.Noise) string {
	times := show.If(n.Recheck.Asked > 1, show.Count(n.Recheck.Asked, "time")+" more", "again")
	text := "The score had fallen, so every case of the suites that fell was asked " + times + " on both sides"
	all := n.Recheck.Overall
	switch {
	case !n.Recheck.Complete || all == nil:
		return text + "; too many of those answers are missing to say."
	case all.Delta < 0:
		return fmt.Sprintf("%s: %s, %s worse, %s better. That happens %s if nothing changed.",
			text, Soft(show.Points(all.Delta)), show.Count(all.Worse, "case"), none(all.Better), inRuns(all.PWorse))
	}
	return text + ", and the drop did not come back."
}

func (v *View) conclusion(n *report.Noise) (out []show.Phrase) {
	all := v.whole()
	text := Soft(fmt.Sprintf("Score %s (asked again, it would lie between %s and %s).", show.Points(all.Delta), show.Points(all.Interval.Low), show.Points(all.Interval.High)))
	switch dropped := v.Has(gate.Drop.Code, report.LevelError); {
	case dropped && len(v.Regressed) == 0:
		text = "No single case is clearly broken, but the suite as a whole got worse. " + text
	case dropped:
	case v.suspected() && n.Recheck == nil:
		text += " Add trials or set `recheck: 5` to be sure."
	case v.suspected():
		text += " Add trials to be sure."
	default:
		return nil
	}
	return []show.Phrase{{show.Say(text)}}
}

func (v *View) suspects() []report.Suspect {
	if n := v.Noise(); n != nil && n.Confirm != nil {
		return n.Confirm.Suspects
	}
	return nil
}

// lost counts the cases of which the head loses every answer, and the base does not.
func (v *View) lost() int {
	return show.Tally(v.suspects(), func(s report.Suspect) bool { return s.State == report.SuspectLost })
}

// LookBroken are the cases that alone would be proven broken, and among so many are not.
func (v *View) LookBroken() []report.Suspect {
	return show.Those(v.suspects(), func(s report.Suspect) bool { return s.Broken })
}

// Excused reports a run bar that nobody named, and that noise alone may have kept from being met.
func (v *View) Excused() bool {
	return v.Report.Gate != nil && v.Report.Gate.At(config.MinRunScore).Level == config.Err && v.Has(gate.RunScore.Code, report.LevelWarn)
}

func (v *View) suspected() bool {
	return v.Has(gate.Inconclusive.Code, report.LevelWarn) || v.Has(gate.Inconclusive.Code, report.LevelError)
}

// Soft replaces the hard space of a table in running text.
func Soft(text string) string { return strings.ReplaceAll(text, show.Hard, " ") }

// ChangeWord names what happened to a case, as far as it is known.
func (v *View) ChangeWord(c report.Change) string {
	if c.Quarantined {
		return "in quarantine"
	}
	switch s, ok := v.Report.Suspect(c.SuiteID, c.CaseID); {
	case ok && c.Change == report.Flaky:
		switch s.State {
		case report.SuspectNotRerun, report.SuspectUnprovable:
			return "flipped, not asked again"
		case report.SuspectIncomplete:
			return show.If(s.Rounds == 0, "flipped, not asked again", "flipped, asked again in part")
		case report.SuspectCleared:
			if s.Broken {
				return "looks broken, not proven"
			}
		}
	case v.PerhapsFixed(c):
		return "perhaps fixed (asked once)"
	}
	return strings.ReplaceAll(string(c.Change), "_", " ")
}

func (v *View) fresh(c report.Change) string {
	s, ok := v.Report.Suspect(c.SuiteID, c.CaseID)
	switch {
	case ok && s.State == report.SuspectUnprovable && s.Rounds > 0:
		return fmt.Sprintf("asked again %s, too few to prove anything", show.Count(s.Rounds, "time"))
	case ok && (s.State == report.SuspectNotRerun || s.State == report.SuspectUnprovable):
		return "not asked again"
	case !ok || s.Rounds == 0:
		return ""
	case s.Stored && s.State != report.SuspectLost:
		return "recorded again: " + freshAnswers(s)
	}
	return "asked again: " + freshAnswers(s)
}

func freshAnswers(s report.Suspect) string {
	if s.State == report.SuspectLost {
		return fmt.Sprintf("no answer %d of %d before, %d of %d now", s.BaseLost, s.Rounds, s.HeadLost, s.Rounds)
	}
	return fmt.Sprintf("right %d of %d before, %d of %d now", s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds)
}

// AskedAgain says of one case what its further answers came to; "" where there are none.
func (v *View) AskedAgain(c report.Change) string {
	s, ok := v.Report.Suspect(c.SuiteID, c.CaseID)
	if !ok || s.Rounds == 0 && s.State != report.SuspectNotRerun {
		return ""
	}
	if s.Rounds == 0 {
		return "It was not asked again: too many answers flipped."
	}
	how, often, few := "Asked", show.Agree(s.Rounds, "once more", show.Grouped(s.Rounds)+" more times"), ""
	switch {
	case s.State == report.SuspectUnprovable:
		few = ", too few to prove anything"
	case s.Stored && s.State != report.SuspectLost:
		how = "Recorded"
	}
	return how + " " + often + " on both sides" + few + ": " + freshAnswers(s) + "."
}

// Explained is why a case's shown answer was judged as it was, and what fresh runs made of that.
func (v *View) Explained(c report.Change) show.Phrase {
	p := show.Happened(c.Head)
	switch {
	case c.Kind == report.KindWorse:
		fell := "its overall score fell from " + show.Percent(*c.Base.Overall()) + " to " + show.Percent(*c.Head.Overall())
		p = append(append(show.Phrase{show.Say("passes, but ")}, stated(c.Head)...), show.Say(fell))
	case c.Kind == report.KindHidden:
		p = disguise(c)
	case c.Kind == report.KindReview && c.KeptByHand:
		p = show.Phrase{show.Say("kept by hand though the prompt changed")}
	case c.Kind == report.KindReview && c.Cut:
		p = show.Phrase{show.Say("cut at the length limit; the answer before was whole")}
	}
	if c.Change == report.Regressed && c.Head != nil && c.Head.UnderBase != nil {
		neither := "redefined, and meets neither the new expectation nor the old one"
		if len(p) > 0 {
			neither += ": "
		}
		p = append(show.Phrase{show.Say(neither)}, p...)
	}
	parts := []show.Phrase{p}
	if again := v.fresh(c); again != "" {
		parts = append(parts, show.Phrase{show.Say(again)})
	}
	if c.Was != "" {
		parts = append(parts, show.Phrase{show.Say("before, it was "), show.Quote(c.Was)})
	}
	return show.Phrases("; ", slices.DeleteFunc(parts, func(p show.Phrase) bool { return len(p) == 0 }))
}

// stated says which forbidden claims an answer states that passes; nothing where it states none.
func stated(o *report.Outcome) (p show.Phrase) {
	if o.Details == nil || len(o.Details.StatedClaims) == 0 {
		return nil
	}
	return show.Phrase{show.Say("states the forbidden claim"), show.Say(show.Agree(len(o.Details.StatedClaims), " ", "s ")), show.Quote(strings.Join(o.Details.StatedClaims, "; ")), show.Say(": ")}
}
