package view

import (
	"fmt"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

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
		p := show.Phrase{show.Say(show.Count(m.Mixed, "case") + " answered now right and now wrong: ")}
		for i, c := range m.MostMixed[:min(len(m.MostMixed), mixedTold)] {
			if i > 0 {
				p = append(p, show.Say(", "))
			}
			p = append(p, show.Quote(show.Case(c.SuiteID, c.CaseID)), show.Say(fmt.Sprintf(" %d of %d", c.Passed, c.Trials)))
		}
		if more := m.Mixed - min(len(m.MostMixed), mixedTold); more > 0 {
			p = append(p, show.Say(" and "+show.Grouped(more)+" more"))
		}
		out = append(out, append(p, show.Say(".")))
	}
	a := m.Advice
	out = append(out, show.Phrase{show.Say(fmt.Sprintf("Advised: `trials: %d`, `confirm: %d`, `recheck: %d`.", a.Trials, a.Confirm, a.Recheck))})
	finds := "A drop of every case alike is out of reach of such a run's first answers"
	if a.Detectable < 1 {
		finds = "The first answers of such a run find a drop of every case alike from about " + wholePoints(a.Detectable) + " points on"
	}
	return append(out, show.Phrase{show.Say(fmt.Sprintf("%s; for 10 points set `trials: %d`. Single broken cases are found by asking them again.", finds, a.ForTen))})
}
