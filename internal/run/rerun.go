package run

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/text"
)

// addFirst adds a first answer to the results.
func (a *scoredSides) addFirst(one evaluate.Answer) error {
	a.firstAnswers++
	a.p.Sides.Inputs.Progress.Advance()
	for _, c := range a.p.checks {
		if c.FirstAnswer != nil {
			c.FirstAnswer(one)
		}
	}
	return a.results[one.Side].Add(one.Result)
}

// asker returns the Rerunner of the comparison. With a stored base, it is empty, and nothing is rerun.
func (a *scoredSides) asker() compare.Rerunner {
	if a.plan.Base == nil {
		return compare.Rerunner{}
	}
	return compare.Rerunner{Rerun: a.rerun, RunOneSided: a.askOneSided, LimitReason: a.whyNoBudget}
}

func (a *scoredSides) rerun(wants []report.RerunRequest) error {
	reason, progress := wants[0].Reason, a.p.Sides.Inputs.Progress // all wants have one reason
	add := func(one evaluate.Answer) error { return a.results[one.Side].Add(one.Result) }
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
	progress.EnsureRemaining(2 * roundsOf(wants))
	return evaluate.Rerun(a.ctx, a.plan, wants, func(one evaluate.Answer) error {
		progress.Advance()
		return add(one)
	})
}

// askOneSided requests and judges the live cases that only one side has.
func (a *scoredSides) askOneSided() error {
	if left := asking.AnswersPlanned(a.p.Sides) - a.firstAnswers; left > 0 && a.reason != "" {
		a.p.Sides.Inputs.Progress.Restart("asking the cases of one side", left)
	}
	return evaluate.Run(a.ctx, shards.WithPart(a.p.Sides, a.plan, evaluate.PartOneSided), a.addFirst)
}

// whyNoBudget returns in words why the budget is too small for a recheck, or "" if it is large enough. wants are the
// reruns of the recheck.
func (a *scoredSides) whyNoBudget(wants []report.RerunRequest) string {
	if !a.p.Sides.Live.HasTargets() {
		return ""
	}
	calls := 0
	for q := range evaluate.RerunQuestions(a.plan, wants) {
		if !q.Cached {
			calls++
		}
	}
	if total := a.p.Sides.Live.Run.ExceededBy(calls); total != "" {
		return total + " leaves no room for it"
	}
	return ""
}

// rerunLabel returns how the progress describes the reruns in wants.
func rerunLabel(wants []report.RerunRequest) string {
	switch wants[0].Reason {
	case report.RerunJudge:
		return "asking the judge again about " + text.Count(len(wants), "flipped case")
	case report.RerunConfirm:
		return "asking " + text.Count(len(wants), "flipped case") + " again"
	}
	return "asking " + text.Count(len(wants), "case") + " again, since the score fell"
}

// roundsOf returns the number of reruns in wants, counted on one side.
func roundsOf(wants []report.RerunRequest) (n int) {
	for _, w := range wants {
		n += w.Rounds
	}
	return n
}
