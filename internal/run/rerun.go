package run

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/text"
)

// take adds a first answer to the results.
func (a *ScoredSides) take(one evaluate.Answer) error {
	a.taken++
	a.p.Sides.Inputs.Progress.Advance()
	return a.results[one.At].Add(one.Result)
}

// asker returns the Asker of the comparison. With a stored base, it is empty, and nothing is rerun.
func (a *ScoredSides) asker() compare.Asker {
	if a.plan.Base == nil {
		return compare.Asker{}
	}
	return compare.Asker{Rerun: a.rerun, Rest: a.rest, Room: a.room}
}

func (a *ScoredSides) rerun(wants []report.Want) error {
	reason, progress := wants[0].Reason, a.p.Sides.Inputs.Progress // all wants have one reason
	add := func(one evaluate.Answer) error {
		one.Result.RerunReason = reason
		return a.results[one.At].Add(one.Result)
	}
	if wants[0].Recorded {
		return evaluate.Rerun(a.ctx, a.plan, wants, add)
	}
	if reason != a.reason {
		a.reason = reason
		limit := 2 * roundsOf(wants)
		if reason == report.RerunConfirm { // up to that many rounds
			limit = 2 * len(wants) * a.p.Sides.Rules.Gate.Confirm
		}
		progress.Restart(rerunLabel(wants), limit)
	}
	progress.AtLeast(2 * roundsOf(wants))
	return evaluate.Rerun(a.ctx, a.plan, wants, func(one evaluate.Answer) error {
		progress.Advance()
		return add(one)
	})
}

// rest requests and judges the live cases that only one side has.
func (a *ScoredSides) rest() error {
	if left := asking.AnswersPlanned(a.p.Sides) - a.taken; left > 0 && a.reason != "" {
		a.p.Sides.Inputs.Progress.Restart("asking the cases of one side", left)
	}
	return evaluate.Run(a.ctx, shards.PartOf(a.p.Sides, a.plan, evaluate.Last), a.take)
}

// room returns in words why the budget is too small for a recheck, or "" if it is large enough. wants are the reruns of
// the recheck.
func (a *ScoredSides) room(wants []report.Want) string {
	if !a.p.Sides.Live.HasTargets() {
		return ""
	}
	calls := 0
	for q := range evaluate.RerunQuestions(a.plan, wants) {
		if !q.Kept {
			calls++
		}
	}
	if total := a.p.Sides.Live.Run.Room(calls); total != "" {
		return total + " leaves no room for it"
	}
	return ""
}

// rerunLabel returns how the progress describes the reruns in wants.
func rerunLabel(wants []report.Want) string {
	switch wants[0].Reason {
	case report.RerunJudge:
		return "asking the judge again about " + text.Count(len(wants), "flipped case")
	case report.RerunConfirm:
		return "asking " + text.Count(len(wants), "flipped case") + " again"
	}
	return "asking " + text.Count(len(wants), "case") + " again, since the score fell"
}

// roundsOf returns the number of reruns in wants, counted on one side.
func roundsOf(wants []report.Want) (n int) {
	for _, w := range wants {
		n += w.Rounds
	}
	return n
}
