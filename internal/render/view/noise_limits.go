package view

import (
	"fmt"
	"strings"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// mostTrials is how often a case is asked at most, as the schema of the configuration has it.
const mostTrials = 100

// Limits says what the run could have found: absence of proof is not proof of absence.
func (v *View) Limits() string {
	n := v.Noise()
	if n == nil || n.Planning == nil || v.Report.Statistics.Measured != nil {
		return ""
	}
	p := n.Planning
	var text strings.Builder
	if len(v.Regressed) == 0 && v.Report.Verdict == report.Passed && !v.suspected() && len(v.LookBroken()) == 0 {
		text.WriteString("No regression found. ")
	}
	finds := "a drop of every case alike is out of this run's reach"
	if p.Detectable < 1 {
		finds = "this run finds a drop of every case alike from about " + wholePoints(p.Detectable) + " points on"
	}
	fmt.Fprintf(&text, "With %s and %s on each side, %s; %s. ", show.Count(p.Cases, "case"), show.Count(p.Trials, "answer"), finds, provable(n.Confirm))
	fmt.Fprintf(&text, "To find %s points, plan about %s on each side", wholePoints(p.Drop), show.Count(p.Needed, "answer"))
	if p.Needed > p.Trials && p.Cases > 0 {
		if trials := (p.Needed + p.Cases - 1) / p.Cases; trials <= mostTrials {
			fmt.Fprintf(&text, " (%s × %s)", show.Count(p.Cases, "case"), show.Count(trials, "trial"))
		} else {
			text.WriteString(": that takes more cases")
		}
	}
	text.WriteString(".")
	return text.String()
}

// provable says what the fresh answers to cases that flip can prove.
func provable(look *report.ConfirmLook) string {
	switch {
	case look == nil:
		return "single broken cases are not asked again (`confirm: 0`)"
	case look.Provable == 1:
		return "one broken case is usually found regardless, and no more at once"
	}
	return "single broken cases are usually found regardless, up to " + show.Grouped(look.Provable) + " at once"
}

// NoisyCases counts the cases that the looks at noise compared.
func (v *View) NoisyCases() (n int) {
	for _, s := range v.Noise().Suites {
		n += s.Cases
	}
	return n
}

func wholePoints(v float64) string { return score.Fixed(100*v, 0, 0, 100) }

// mixedTold is how many cases are named that answer now so and now so.
const mixedTold = 5

// measured tells how noisy a suite is of itself, and what to set the gate to.
func measured(m *report.Measured) (out []show.Phrase) {
	if m.Cases == 0 {
		return []show.Phrase{{show.Say("Nothing was measured: no case has two answers.")}}
	}
	out = append(out, show.Phrase{show.Say(fmt.Sprintf("%s to %s of one revision: two answers to a case are judged differently in %s of 100 pairs.",
		show.Count(m.Answers, "answer"), show.Count(m.Cases, "case"), score.Fixed(100*m.Flake, 1, 0, 100)))})
	if m.Mixed > 0 {
		var named []show.Phrase
		for _, c := range m.MostMixed[:min(len(m.MostMixed), mixedTold)] {
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
	finds := "A drop of every case alike is out of reach of such a run's first answers"
	if a.Detectable < 1 {
		finds = "The first answers of such a run find a drop of every case alike from about " + wholePoints(a.Detectable) + " points on"
	}
	return append(out, show.Phrase{show.Say(fmt.Sprintf("%s; for 10 points set `trials: %d`. Single broken cases are found by asking them again.", finds, a.ForTen))})
}
