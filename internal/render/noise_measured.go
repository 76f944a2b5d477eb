package render

import (
	"fmt"

	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// mixedTold is how many cases are named that answer now so and now so.
const mixedTold = 5

// measured tells how noisy a suite is of itself, and what to set the gate to.
func measured(m *report.Measured) (out []phrase) {
	if m.Cases == 0 {
		return []phrase{{say("Nothing was measured: no case has two answers.")}}
	}
	out = append(out, phrase{say(fmt.Sprintf("%s to %s of one revision: two answers to a case are judged differently in %s of 100 pairs.",
		count(m.Answers, "answer"), count(m.Cases, "case"), score.Fixed(100*m.Flake, 1, 0, 100)))})
	if m.Mixed > 0 {
		p := phrase{say(count(m.Mixed, "case") + " answered now right and now wrong: ")}
		for i, c := range m.MostMixed[:min(len(m.MostMixed), mixedTold)] {
			if i > 0 {
				p = append(p, say(", "))
			}
			p = append(p, quote(c.CaseID), say(fmt.Sprintf(" %d of %d", c.Passed, c.Trials)))
		}
		if more := m.Mixed - min(len(m.MostMixed), mixedTold); more > 0 {
			p = append(p, say(" and "+grouped(more)+" more"))
		}
		out = append(out, append(p, say(".")))
	}
	a := m.Advice
	out = append(out, phrase{say(fmt.Sprintf("Advised: `trials: %d`, `confirm: %d`, `recheck: %d`.", a.Trials, a.Confirm, a.Recheck))})
	finds := "A drop of every case alike is out of reach of such a run's first answers"
	if a.Detectable < 1 {
		finds = "The first answers of such a run find a drop of every case alike from about " + wholePoints(a.Detectable) + " points on"
	}
	return append(out, phrase{say(fmt.Sprintf("%s; for 10 points set `trials: %d`. Single broken cases are found by asking them again.", finds, a.ForTen))})
}
