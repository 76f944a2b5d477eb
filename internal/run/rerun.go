package run

import (
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
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

// rerunAndCompare compares both sides. While the budget lasts, it reruns flipped cases, asks the cases that only one
// side has, and at last rechecks whole suites, unless the run has failed by then. in is the input of the verdict
// without the comparison.
func (a *scoredSides) rerunAndCompare(in gate.Run) (c compare.Comparison, err error) {
	s := a.p.Sides
	policy, compared := s.Rules.Gate, compare.Sides{Head: a.head, Base: a.base, Measuring: s.MeasuresNoise(),
		RecordedReruns: s.RecordedRounds, EarlierReruns: s.EarlierReruns}
	if a.plan.Base == nil { // no base, or a stored one
		return compareStored(policy, in, compared)
	}
	comparer := compare.Begin(policy, compared)
	for wants, err := range comparer.Reruns() {
		if err == nil {
			err = a.rerun(wants)
		}
		if err != nil {
			return c, err
		}
	}
	if err := a.askOneSided(); err != nil {
		return c, err
	}
	settle(comparer, policy, in)
	if whole := comparer.PlannedRecheck(); len(whole) > 0 {
		if why := a.whyNoBudget(whole); why != "" {
			comparer.SkipRecheck(why)
		}
	}
	for wants := range comparer.Recheck() {
		if err := a.rerun(wants); err != nil {
			return c, err
		}
	}
	return comparer.Comparison()
}

// compareStored compares sides that hold all their answers. in is the input of the verdict without the comparison.
func compareStored(policy config.Gate, in gate.Run, compared compare.Sides) (compare.Comparison, error) {
	comparer := compare.Begin(policy, compared)
	settle(comparer, policy, in)
	return comparer.Comparison()
}

// settle decides the statuses. It prevents a recheck if the run fails whatever the recheck finds.
func settle(comparer *compare.Comparer, policy config.Gate, in gate.Run) {
	if found := comparer.Settle(); found.NoiseTest != nil && in.Fails(policy, found) {
		comparer.SkipAfterFailure()
	}
}

// rerun requests and judges the reruns in wants, which have one reason, and adds them to the sides.
func (a *scoredSides) rerun(wants []report.RerunRequest) error {
	reason, progress := wants[0].Reason, a.p.Sides.Inputs.Progress
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
