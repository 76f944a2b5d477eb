package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/text"
)

// How much a sentence names.
const (
	casesNamed = 5   // cases
	kindsNamed = 3   // kinds of reruns that came out alike
	filesNamed = 3   // files that reruns are recorded in
	mostTrials = 100 // of a case, as the schema of the configuration has it
)

// asked tells which cases were asked again and what came of it.
func asked(look *report.ConfirmLook) []show.Phrase {
	if len(look.Suspects) == 0 {
		return nil
	}
	states, rounds := map[string]int{}, 0
	for _, s := range look.Suspects {
		states[s.State]++
		rounds += s.Rounds
	}
	unanswered := show.Tally(look.Suspects, func(s report.Suspect) bool { return s.Unanswered })
	broken := show.Tally(look.Suspects, func(s report.Suspect) bool { return s.Broken })
	if rounds == 0 && states[report.SuspectIncomplete] == len(look.Suspects) {
		return []show.Phrase{{show.Say("There are no fresh answers to say whether it is more than noise.")}}
	}
	if slices.ContainsFunc(look.Suspects, func(s report.Suspect) bool { return s.Stored }) {
		lead := fmt.Sprintf("Nobody could be asked again: what is stored of the %s that flipped decides as far as it can, each held to a chance that all cases share: %s.",
			show.Count(len(look.Suspects), "case"), strings.Join(came(states, broken, len(look.Suspects)), ", "))
		return append([]show.Phrase{{show.Say(lead)}}, confirmed(look.Suspects)...)
	}
	again := len(look.Suspects) - states[report.SuspectNotRerun] - states[report.SuspectUnprovable]
	lead := fmt.Sprintf("%s asked again, up to %s on both sides, and only those answers count: %s.",
		were(again, unanswered), show.Count(look.Rounds, "time"), strings.Join(came(states, broken, len(look.Suspects)), ", "))
	return slices.Concat([]show.Phrase{{show.Say(lead)}}, confirmed(look.Suspects), looksBroken(look.Suspects, again))
}

// came says what the fresh answers made of the suspects.
func came(states map[string]int, broken, all int) []string {
	out := tally{all: all}
	add := out.add
	cleared := states[report.SuspectCleared] - broken
	add(states[report.SuspectConfirmed], "is confirmed", "are confirmed")
	add(broken, "looks broken and is not proven", "look broken and are not proven")
	switch {
	case states[report.SuspectConfirmed] > 0:
		add(cleared, "is not and does not block", "are not and do not block")
	case broken > 0:
		add(cleared, "does not", "do not")
	case cleared > 0:
		out.words = append(out.words, show.Agree(all, "it is not confirmed", "none is confirmed"))
	}
	add(states[report.SuspectLost], "has no answer here in any of them", "have no answer here in any of them")
	add(states[report.SuspectIncomplete], "is still open, since answers are missing", "are still open, since answers are missing")
	add(states[report.SuspectNotRerun], "was not asked again: there were too many", "were not asked again: there were too many")
	add(states[report.SuspectUnprovable], "was not asked, since so few rounds could not prove it", "were not asked, since so few rounds could not prove any")
	return out.words
}

// tally is what became of so many cases, in words.
type tally struct {
	all   int
	words []string
}

// add says what became of n of them; nothing of none.
func (o *tally) add(n int, one, many string) {
	switch {
	case n == 1 && o.all == 1:
		o.words = append(o.words, "it "+one)
	case n > 0:
		o.words = append(o.words, show.Grouped(n)+" "+show.Agree(n, one, many))
	}
}

func were(n, unanswered int) string {
	what := "flipped"
	switch {
	case unanswered >= n:
		what = "lost its answer"
	case unanswered > 0:
		what = "flipped or lost an answer"
	}
	if n == 1 {
		return "The case that " + what + " was"
	}
	if unanswered >= n {
		what = "lost their answer"
	}
	return "The " + show.Grouped(n) + " cases that " + what + " were"
}

func looksBroken(suspects []report.Suspect, again int) (out []show.Phrase) {
	for _, s := range suspects {
		if s.Broken && len(out) < kindsNamed {
			out = append(out, show.Phrase{show.Quote(show.Case(s.SuiteID, s.CaseID)), show.Say(fmt.Sprintf(" looks broken (%d/%d → %d/%d), not proven among %d.",
				s.BasePasses, s.Rounds, s.HeadPasses, s.Rounds, again))})
		}
	}
	return out
}

func confirmed(suspects []report.Suspect) (out []show.Phrase) {
	proven := show.Those(suspects, func(s report.Suspect) bool { return s.State == report.SuspectConfirmed })
	alike := view.Grouped(proven, func(s report.Suspect) [3]int { return [3]int{s.Rounds, s.BasePasses, s.HeadPasses} })
	for _, kind := range alike[:min(len(alike), kindsNamed)] {
		out = append(out, freshRuns(kind))
	}
	return out
}

func freshRuns(suspects []report.Suspect) show.Phrase {
	var names []string
	for _, s := range suspects {
		names = append(names, show.Case(s.SuiteID, s.CaseID))
	}
	s, verb := suspects[0], show.Agree(len(suspects), "was", "were each")
	p := append(enumerated(names, casesNamed), show.Say(fmt.Sprintf(" "+verb+" right in %d of %s before and wrong in %d of %d now", s.BasePasses, show.Count(s.Rounds, s.Runs()), s.Rounds-s.HeadPasses, s.Rounds)))
	if s.P == nil {
		return append(p, show.Say("."))
	}
	return append(p, show.Say(" ("+show.Agree(len(suspects), "", "each ")+text.Odds(*s.P, "in")+" if nothing changed)."))
}

// redrawn tells which recorded cases that flipped have fresh answers, what those came to, and where they stand.
func redrawn(look *report.RedrawnLook) []show.Phrase {
	states, most := map[string]int{}, 0
	for _, s := range look.Suspects {
		states[s.State]++
		most = max(most, s.Rounds)
	}
	n := len(look.Suspects)
	lead := show.If(look.Flips > 1, fmt.Sprintf("%s recorded cases flipped; %s of them %s asked again when they were recorded", show.Grouped(look.Flips), show.Grouped(n), show.Agree(n, "was", "were")),
		"1 recorded case flipped and was asked again when it was recorded")
	only := show.When(states[report.SuspectConfirmed]+states[report.SuspectCleared] > 0, "; only those answers count")
	came := tally{all: look.Flips}
	came.add(states[report.SuspectConfirmed], "is confirmed", "are confirmed")
	came.add(states[report.SuspectCleared], "is not confirmed", "are not confirmed")
	came.add(states[report.SuspectUnprovable], "has too few of them to prove anything and counts as it flipped", "have too few of them to prove anything and count as they flipped")
	if rest := look.Flips - n; rest > 0 {
		came.words = append(came.words, "the other "+show.Agree(rest, "one counts as it is", show.Grouped(rest)+" count as they are"))
	}
	out := []show.Phrase{{show.Say(fmt.Sprintf("%s, %s on both sides%s: %s.", lead, show.Count(most, "time"), only, strings.Join(came.words, ", ")))}}
	out = append(out, confirmed(look.Suspects)...)
	if len(look.Files) == 0 {
		return out
	}
	where := append(show.Phrase{show.Say("The fresh answers stand in ")}, show.Quotes(", ", look.Files[:min(len(look.Files), filesNamed)])...)
	if more := len(look.Files) - filesNamed; more > 0 {
		where = append(where, show.Say(" and "+show.Count(more, "more file")))
	}
	return append(out, append(where, show.Say(", and are their author’s word.")))
}

// limits says what the run could have found: absence of proof is not proof of absence.
func limits(v *view.View) string {
	n := noise(v)
	if n == nil || n.Planning == nil || v.Report.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	var text strings.Builder
	if len(v.Regressed) == 0 && v.Report.Verdict == report.Passed && !suspected(v) && len(likelyRegressions(v)) == 0 {
		text.WriteString("No regression found. ")
	}
	finds := show.If(p.Detectable < 1, "this run finds a drop of every case alike from about "+wholePoints(p.Detectable)+" points on",
		"a drop of every case alike is out of this run's reach")
	fmt.Fprintf(&text, "With %s and %s on each side, %s; %s. ", show.Count(p.Cases, "case"), show.Count(p.Trials, "answer"), finds, provable(n.Confirm))
	needed, how := p.Needed, ""
	if p.Needed > p.Trials && p.Cases > 0 {
		if trials := (p.Needed + p.Cases - 1) / p.Cases; trials <= mostTrials {
			needed, how = p.Cases*trials, fmt.Sprintf(" (%s × %s)", show.Count(p.Cases, "case"), show.Count(trials, "trial"))
		} else {
			how = ": that takes more cases"
		}
	}
	fmt.Fprintf(&text, "To find %s points, plan about %s on each side%s", wholePoints(p.Drop), show.Count(needed, "answer"), how)
	text.WriteString(".")
	return text.String()
}

func provable(look *report.ConfirmLook) string {
	switch {
	case look == nil:
		return "single broken cases are not asked again (`confirm: 0`)"
	case look.Provable == 1:
		return "one broken case is usually found regardless, and no more at once"
	}
	return "single broken cases are usually found regardless, up to " + show.Grouped(look.Provable) + " at once"
}

// noisyCases counts the cases that the looks at noise compared.
func noisyCases(v *view.View) (n int) {
	for _, s := range noise(v).Suites {
		n += s.Cases
	}
	return n
}

func wholePoints(v float64) string { return score.Fixed(100*v, 0, 0, 100) }

func measured(m *report.Measured) (out []show.Phrase) {
	if m.Cases == 0 {
		return []show.Phrase{{show.Say("Nothing was measured: no case has two answers.")}}
	}
	out = append(out, show.Phrase{show.Say(fmt.Sprintf("%s to %s of one revision: two answers to a case are judged differently in %s of 100 pairs.",
		show.Count(m.Answers, "answer"), show.Count(m.Cases, "case"), score.Fixed(100*m.Flake, 1, 0, 100)))})
	if m.Mixed > 0 {
		var named []show.Phrase
		for _, c := range m.MostMixed[:min(len(m.MostMixed), casesNamed)] {
			named = append(named, show.Phrase{show.Quote(show.Case(c.SuiteID, c.CaseID)), show.Say(fmt.Sprintf(" %d of %d", c.Passed, c.Trials))})
		}
		end := "."
		if more := m.Mixed - len(named); more > 0 {
			end = " and " + show.Grouped(more) + " more."
		}
		p := append(show.Phrase{show.Say(show.Count(m.Mixed, "case") + " answered now right and now wrong: ")}, show.Phrases(", ", named)...)
		out = append(out, append(p, show.Say(end)))
	}
	a := m.Advice
	out = append(out, show.Phrase{show.Say(fmt.Sprintf("Advised: `trials: %d`, `confirm: %d`, `recheck: %d`.", a.Trials, a.Confirm, a.Recheck))})
	finds := show.If(a.Detectable < 1, "The first answers of such a run find a drop of every case alike from about "+wholePoints(a.Detectable)+" points on",
		"A drop of every case alike is out of reach of such a run's first answers")
	return append(out, show.Phrase{show.Say(fmt.Sprintf("%s; for 10 points set `trials: %d`. Single broken cases are found by asking them again.", finds, a.ForTen))})
}
