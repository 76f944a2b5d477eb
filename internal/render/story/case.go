package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/worddiff"
)

// PlainOutcomes returns the outcomes of the case c before and now, such as "pass → fail", or of several answers
// "right 5 of 5 → right 0 of 5". If nothing was compared, it returns only the outcome now.
func (v *Story) PlainOutcomes(c report.Change) string {
	return show.When(v.Compared, show.PlainOutcome(c.Base)+" → ") + show.PlainOutcome(c.Head)
}

// ResultReason returns in words why the shown answer to the case c has its result, and what its reruns showed.
func (v *Story) ResultReason(c report.Change) show.Phrase {
	p := show.CategoryReason(c.Head)
	switch {
	case c.Kind == report.KindWorse:
		p = show.Phrasef("passes, but %vits overall score fell from %v to %v", statedClaims(c.Head),
			show.Percent(*c.Base.Overall()), show.Percent(*c.Head.Overall()))
	case c.Kind == report.KindMayHide:
		p = editPhrase(c)
	case c.Kind == report.KindRedefined && c.Head != nil && c.Head.UnderBase != nil:
		p = show.LiteralPhrase("passes the old expectation as well")
	case c.Kind == report.KindReview && c.KeptByHand:
		p = show.LiteralPhrase("kept by hand though what is asked changed")
	case c.Kind == report.KindReview && c.Truncated:
		p = show.LiteralPhrase("cut at the length limit; the answer before was whole")
	}
	if note := editNote(c); note != "" {
		p = show.Phrasef("%v%v%v", note, show.When(len(p) > 0, ": "), p)
	}
	var was show.Phrase
	if c.BaseName != "" {
		was = show.Phrasef("before, it was %v", show.Quote(c.BaseName))
	}
	return show.JoinPhrases("; ", show.NonEmpty(p, show.LiteralPhrase(v.RerunNote(c)), was))
}

// statedClaims returns in words which forbidden claims the passing answer o makes. It returns nil if it makes none.
func statedClaims(o *report.Outcome) show.Phrase {
	if o.Details == nil || len(o.Details.StatedClaims) == 0 {
		return nil
	}
	claims := o.Details.StatedClaims
	return show.Phrasef("states the forbidden %v %v: ", show.Agree(len(claims), "claim", "claims"),
		show.Quote(strings.Join(claims, "; ")))
}

// editPhrase returns in words how a case of the kind KindMayHide was edited.
func editPhrase(c report.Change) show.Phrase {
	switch {
	case c.Head == nil:
		return show.LiteralPhrase("removed; it passed before")
	case c.FailsOldExpectation():
		return show.Phrasef("redefined: passes the new expectation, fails the old one (%v)", show.Message(*c.Head.UnderBase))
	}
	return show.LiteralPhrase("redefined: asks something else, and nothing shows how what it asked before is answered now")
}

// MissedExpectation returns in words all that the answer to the case c misses, with a label. Both are empty if that is
// nothing, or if the case is listed for another reason, such as a lower score.
func (v *Story) MissedExpectation(c report.Change) (label string, p show.Phrase) {
	o := c.Head
	if o == nil || c.Kind == report.KindWorse || c.Kind == report.KindReview || c.Kind == report.KindMayHide {
		return "", nil
	}
	label, p = show.LabelOf(o.Primary), show.MissedPhrase(o)
	switch {
	case o.Primary != classify.Fail:
	case v.Report.Runner != "":
		label = "Result" // what the runner expects is not shown
	case missesOnlyScore(o):
		label = "Score too low" // the phrase says what is wrong, and not what is expected
	}
	if at := slices.IndexFunc(c.Expected, func(d expect.Requirement) bool {
		return d.Criterion == "expected_format"
	}); at >= 0 && o.Primary == classify.WrongFormat {
		p = show.Phrasef("%v is expected: %v", show.Quote(c.Expected[at].Expected), p)
	}
	return label, show.JoinPhrases("; ", show.NonEmpty(p, show.LiteralPhrase(editNote(c))))
}

// missesOnlyScore reports whether the overall score of metrics other than a label is all that an answer misses.
func missesOnlyScore(o *report.Outcome) bool {
	return o.Details != nil && len(o.Details.Unmet) > 0 && !slices.ContainsFunc(o.Details.Unmet, func(u expect.Unmet) bool {
		return u.Criterion != "overall_score" || strings.HasPrefix(u.Reason, score.LabelFindingPrefix)
	})
}

// editNote returns in words how the regressed case c was redefined, or "" if it was not.
func editNote(c report.Change) string {
	switch was := c.BaseVersion; {
	case c.Change != report.Regressed || c.Head == nil || c.Head.UnderBase == nil:
		return ""
	case was != nil && was.InputChanged && slices.Equal(was.Expected, c.Expected):
		return "asks something else than before"
	}
	return "redefined, and meets neither the new expectation nor the old one"
}

// PerhapsFixed reports whether only a single answer of a model, live or recorded, shows that a case is fixed. Only
// regressions are rerun, so the fix may be chance.
func PerhapsFixed(c report.Change) bool {
	return (c.Noisy || c.Sampled) && c.Change == report.Fixed && !c.Quarantined && HasOneTrial(c.Head)
}

// perhapsBroken reports whether the case c is flaky, and most of its reruns were right before and wrong now. That may
// be chance.
func perhapsBroken(v *Story, c report.Change) bool {
	s := v.candidates[c.Name()]
	return c.Kind == report.KindFlaky && !c.Quarantined && c.Head.Wrong() && s.State == report.CandidateCleared && !s.Likely &&
		v.Report.Runner == "" && 2*s.BasePasses > s.Rounds && 2*s.HeadPasses < s.Rounds
}

// HasOneTrial reports whether the side o of a case has exactly one answer.
func HasOneTrial(o *report.Outcome) bool { return o != nil && o.Trials == 1 }

// unresolvedStates are the states of a flip that reruns neither confirmed nor cleared.
var unresolvedStates = []string{report.CandidateNotRerun, report.CandidateUnprovable, report.CandidateIncomplete}

// UnresolvedFlips returns the cases that were right on the base and are wrong now, with too few reruns to confirm or
// clear the flip.
func (v *Story) UnresolvedFlips() []report.Change {
	return show.Filter(v.Others, v.IsUnresolvedFlip)
}

// IsUnresolvedFlip reports whether the case c is one of UnresolvedFlips.
func (v *Story) IsUnresolvedFlip(c report.Change) bool {
	s, ok := v.candidates[c.Name()]
	return ok && c.Change == report.Flaky && !c.Quarantined && slices.Contains(unresolvedStates, s.State)
}

// WrongOnce returns the must-pass cases that are wrong now and that reruns cleared. A person has to see the answers.
func (v *Story) WrongOnce() []report.Change {
	return show.Filter(v.Others, func(c report.Change) bool { return isWrongOnce(v, c) })
}

func isWrongOnce(v *Story, c report.Change) bool {
	s := v.candidates[c.Name()]
	cleared := s.State == report.CandidateCleared && !s.Likely
	return c.MustPass && c.Change == report.Flaky && !c.Quarantined && c.Head.Wrong() && cleared
}

// RerunNote returns in words what the reruns of the case c showed, or "" if there were none.
func (v *Story) RerunNote(c report.Change) string {
	s, ok := v.candidates[c.Name()]
	earlier := show.When(s.EarlierRounds > 0, fmt.Sprintf("; the recorded answer before was wrong, and %d of %s right",
		s.EarlierPasses, show.Count(s.EarlierRounds, "earlier rerun")))
	switch {
	case !ok, v.Report.Runner != "": // the outcomes of another runner count its runs
		return ""
	case s.Rounds == 0:
		return show.When(s.State == report.CandidateNotRerun || s.State == report.CandidateUnprovable && earlier != "", "not asked again"+earlier)
	case s.State == report.CandidateLost:
		return fmt.Sprintf("asked again: no answer %s before, %s now", fraction(s.BaseLost, s.Rounds), fraction(s.HeadLost, s.Rounds))
	}
	few := show.When(s.State == report.CandidateUnprovable, ", too few to prove anything")
	return fmt.Sprintf("%s again: right %s before, %s now", show.If(s.Stored, "recorded", "asked"), fraction(s.BasePasses, s.Rounds),
		fraction(s.HeadPasses, s.Rounds)) + few + earlier
}

// MissingKind returns in words what came instead of an answer. The shown trial o may have an answer if another trial of
// the case lacks one. MissingKind then returns "no answer".
func MissingKind(o *report.Outcome) show.Phrase {
	switch o.Primary {
	case classify.Error, classify.Timeout, classify.Crash:
		return show.Phrasef("%v: %v", show.Strong(o.CategoryWord()), show.CategoryReason(o))
	}
	return show.LiteralPhrase("no answer")
}

// GroupBy groups the items in all by key. The groups have the order of their first items.
func GroupBy[T any, K comparable](all []T, key func(T) K) (out [][]T) {
	at := map[K]int{}
	for _, one := range all {
		k := key(one)
		if _, known := at[k]; !known {
			at[k], out = len(out), append(out, nil)
		}
		out[at[k]] = append(out[at[k]], one)
	}
	return out
}

// Edit is a text of a redefined case that was edited, as it is on one side.
type Edit struct {
	Label string // Asked before, Asked now, Expected before, Expected now, Edited
	Text  show.Phrase
}

// Edits returns what was edited in the input and in the expectation of the redefined case c, before and now. An input
// that looks the same on both sides is left out: either only a check reads what was edited, or it is not shown.
func Edits(c report.Change) (out []Edit) {
	b := c.BaseVersion
	if b == nil {
		return nil
	}
	before, now := worddiff.ShortenAround(inOneLine(b.Input), inOneLine(c.Input), show.QuoteRunes, show.QuoteRunes)
	if b.InputChanged && before != now {
		out = append(out, Edit{AskedBefore, askedText(before)}, Edit{"Asked now", askedText(now)})
	}
	was, is := Only(b.Expected, c.Expected), Only(c.Expected, b.Expected)
	switch {
	case len(b.Expected) > 0 && len(was)+len(is) > 0:
		expect.ShortenApart(was, is, editRunes)
		out = append(out, Edit{"Expected before", demands(was, b.Expected)}, Edit{"Expected now", demands(is, c.Expected)})
	case len(out) == 0 && b.InputChanged && c.Input != "":
		out = append(out, Edit{"Edited", show.LiteralPhrase("a part of the input that is not shown")})
	}
	return out
}

func askedText(text string) show.Phrase {
	if text == "" {
		return show.LiteralPhrase("nothing of its own")
	}
	return show.Phrase{show.Quote(text)}
}

func inOneLine(text model.Untrusted) string { return strings.ReplaceAll(string(text), "\n", " · ") }

// Only returns the expectations in one that other lacks.
func Only(one, other []expect.Requirement) []expect.Requirement {
	return show.Filter(one, func(d expect.Requirement) bool { return !slices.Contains(other, d) })
}

// AskedBefore is the label of the input that the case had on the base.
const AskedBefore = "Asked before"

// Limits of the expectations that are listed for a side: their number, and the runes of each that has a counterpart.
const (
	maxDemands = 5
	editRunes  = 80
)

// demands lists the expectations that one side alone has. all are all of that side.
func demands(own, all []expect.Requirement) show.Phrase {
	switch {
	case len(all) == 0:
		return show.LiteralPhrase("nothing")
	case len(own) == 0:
		return show.LiteralPhrase("the same without this")
	}
	return show.JoinFirst(maxDemands, "; ", "; and ", show.MapPhrases(own, DemandText))
}

// DemandText returns the expectation d in words.
func DemandText(d expect.Requirement) show.Phrase {
	name := d.Criterion
	if !IsVariable(d) {
		name = strings.ReplaceAll(name, "_", " ")
	}
	return show.Phrasef("%v %v", show.Message(name), show.Quote(d.Expected))
}

// IsVariable reports whether the expectation d is a variable that a check reads, and no check itself.
func IsVariable(d expect.Requirement) bool { return strings.HasPrefix(d.Criterion, "vars.") }
