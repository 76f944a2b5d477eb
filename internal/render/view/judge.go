package view

import (
	"cmp"

	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// JudgedBy says who called a criterion of a case not met, and how far that is to be believed; empty where none did.
func (v *View) JudgedBy(c report.Change) show.Phrase {
	if c.Head == nil || c.Head.Details == nil {
		return nil
	}
	for _, u := range c.Head.Details.Unmet {
		if u.Criterion == score.Rubric {
			return append(Judge(v.Report), show.Say("."))
		}
	}
	return nil
}

// Judge names who graded the answers of a run, and how far it agrees with people; empty where nobody did.
func Judge(r *report.Report) show.Phrase {
	j := r.Judge
	if j == nil {
		return nil
	}
	return show.Phrase{show.Say("Judged by "), show.Quote(cmp.Or(j.Model, j.Target)), show.Say(", "), show.Tell(j.Standing)}
}

// JudgeCalls says what grading took.
func JudgeCalls(r *report.Report) string {
	if r.Judge == nil {
		return ""
	}
	words := show.Count(r.Judge.Calls.Provider, "call") + " of the judge"
	if cost, known := CostWords(r.Judge.Calls); known {
		words += ", " + cost
	}
	return words
}
