package run

import (
	"context"
	"slices"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/checks"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/gate"
	"github.com/failproof/failproof/internal/meaning"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// ScoredSides are the judged answers of both sides. RerunAndCompare reruns some of them and compares; End releases a
// run's resources.
type ScoredSides struct {
	Head  *report.Side
	Base  *report.Side     // nil: no base
	Calls *report.CallPlan // the planned live calls; nil: none

	p        Plan
	to       asking.Sinks
	reruns   *reruns
	open     asking.Session
	stop     func() // ends reacting to a canceled context
	untimed  func() // stops the time limit of judging
	warnings []report.Warning
}

// FinalSides are both sides after the last rerun.
type FinalSides struct {
	gate.Run // input of the verdict
	Answers  page.Answers
}

// Ask runs and judges both sides, base and head of each case in sequence.
func (p Plan) Ask(ctx context.Context, m meaning.Model, to asking.Sinks) (a ScoredSides, err error) {
	if p.Sides.Inputs.Stored != nil {
		keep := func(suiteID string) bool { // all suites, unless the run selects some
			return len(p.Sides.Inputs.Suites) == 0 || slices.ContainsFunc(p.Sides.Head.Suites, func(s *suite.Suite) bool {
				return suiteid.AuthorID(s.ID) == suiteid.AuthorID(suiteID)
			})
		}
		if err := p.Sides.Inputs.Stored.ReadResults(keep); err != nil {
			return a, err
		}
	}
	open, warnings := asking.Start(p.Sides)
	warnings = slices.Concat(m.Warnings, warnings, asking.UnknownPrices(p.Sides))
	a = ScoredSides{p: p, to: to, open: open, stop: func() {}, untimed: func() {}, warnings: warnings}
	asked := false
	defer func() {
		if !asked { // after an error or a panic
			a.End()
		}
	}()
	plan := p.prepared(asking.Questions(p.Sides, m.Similarity, open))
	plan.Time, a.untimed = p.Sides.Live.Run.Judging()
	plan.Broke = to.Bugs.Note
	if p.Sides.Live.HasTargets() {
		if a.Calls, err = asking.Announce(p.Sides, p.forecast(plan), to); err != nil {
			return a, err
		}
		stop := p.Sides.Live.StopOnCancel(ctx)
		// existing answers are judged and written even after a cancel
		a.stop, ctx = func() { stop() }, context.WithoutCancel(ctx)
	}
	results, err := asking.OpenResults(plan, to.Out)
	if err != nil {
		return a, err
	}
	asking.BeginProgress(p.Sides)
	a.reruns = &reruns{p: p, ctx: ctx, plan: plan, results: results}
	if err := evaluate.Run(ctx, shards.PartOf(p.Sides, plan, evaluate.First), a.reruns.take); err != nil {
		return a, asking.Unmeant(err)
	}
	a.Head, a.Base = results.Side(suite.Head), results.Side(suite.Base)
	if p.Sides.Inputs.Stored != nil {
		a.Base = p.Sides.Inputs.Stored.Head
		compare.Join(a.Base, a.Head)
		isRecorded := func(target string) bool { return p.Sides.Rules.Targets[target].Provider == model.Recorded }
		compare.KeepByHand(a.Base, a.Head, isRecorded)
	}
	asked = true
	return a, nil
}

// End releases the resources and returns warnings.
func (a ScoredSides) End() []report.Warning {
	a.p.Sides.Inputs.Progress.Finish()
	a.stop()
	a.untimed()
	return slices.Concat(a.warnings, a.open.End())
}

// RerunAndCompare compares both sides, reruns cases that may be noise, adds the findings of the checks and writes the
// results.
func (a ScoredSides) RerunAndCompare() (out FinalSides, err error) {
	p, plan, results, ctx := a.p, a.reruns.plan, a.reruns.results, a.reruns.ctx
	in := p.input(a.Head, a.Base)
	ask := a.reruns.asker()
	ask.Failed = in.Fails(p.Sides.Rules.Gate)
	compared := compare.Sides{Head: a.Head, Base: a.Base, Measuring: p.Sides.Measuring(), RecordedReruns: p.Sides.RerunsOf}
	if in.Comparison, err = compare.RerunAndCompare(p.Sides.Rules.Gate, compared, ask); err != nil {
		return out, asking.Unmeant(err)
	}
	run := checks.Run{Plan: plan, Head: a.Head, Results: results[suite.Head], Sinks: a.to}
	for _, c := range p.checks {
		if c.After == nil {
			continue
		}
		if err := c.After(ctx, run, &in); err != nil {
			return out, err
		}
	}
	in.Comparison.Ended = p.Sides.Live.AddCancelled(in.Comparison.Ended)
	if err := results.Commit(); err != nil {
		return out, err
	}
	answers := page.Answers{Head: results.AnswerFinder(suite.Head), Base: results.AnswerFinder(suite.Base)}
	if p.Sides.Inputs.Stored != nil {
		answers.Base = asking.AnswerFinder(p.Sides.Inputs.Stored.Log, a.Base)
	}
	for _, c := range p.checks {
		if c.Late != nil {
			c.Late(ctx, run, in)
		}
	}
	return FinalSides{Run: in, Answers: answers}, nil
}

// prepared returns the plan with the changes of the checks.
func (p Plan) prepared(plan evaluate.Plan) evaluate.Plan {
	for _, c := range p.checks {
		if c.Prepare != nil {
			c.Prepare(&plan)
		}
	}
	plan.Head.Target = shards.FirstAnswers(p.Sides, suite.Head, plan.Head.Target)
	if plan.Base != nil {
		plan.Base.Target = shards.FirstAnswers(p.Sides, suite.Base, plan.Base.Target)
	}
	return plan
}
