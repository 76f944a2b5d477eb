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

// ScoredSides has the judged answers of both sides. RerunAndCompare reruns some cases and compares the sides. End
// releases the resources.
type ScoredSides struct {
	Head  *report.Side
	Base  *report.Side     // nil: no base
	Calls *report.CallPlan // the planned live calls; nil: none

	p        Plan
	ctx      context.Context
	to       asking.Sinks
	plan     evaluate.Plan
	results  asking.Results
	taken    int                // number of first answers so far
	reason   report.RerunReason // the reason of the reruns that the progress shows
	open     asking.Session
	stop     func() // stops waiting for the cancellation of the context
	untimed  func() // releases the time limit of judging
	warnings []report.Warning
}

// Ask requests and judges the first answers of both sides. Base and head of each case follow each other. If the base is
// stored, Ask reads its results instead. The caller must call End, unless Ask returns an error.
func (p Plan) Ask(ctx context.Context, m meaning.Model, to asking.Sinks) (a *ScoredSides, err error) {
	if p.Sides.Inputs.Stored != nil {
		keep := func(suiteID string) bool { // all suites, unless the run selects some
			return len(p.Sides.Inputs.Suites) == 0 || slices.ContainsFunc(p.Sides.Head.Suites, func(s *suite.Suite) bool {
				return suiteid.AuthorID(s.ID) == suiteid.AuthorID(suiteID)
			})
		}
		if err := p.Sides.Inputs.Stored.ReadResults(keep); err != nil {
			return nil, err
		}
	}
	open, warnings := asking.Start(p.Sides)
	warnings = slices.Concat(m.Warnings, warnings, asking.UnknownPrices(p.Sides))
	a = &ScoredSides{p: p, to: to, open: open, stop: func() {}, untimed: func() {}, warnings: warnings}
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
	a.ctx, a.plan = ctx, plan
	if a.results, err = asking.OpenResults(plan, to.Out); err != nil {
		return a, err
	}
	asking.BeginProgress(p.Sides)
	if err := evaluate.Run(ctx, shards.PartOf(p.Sides, plan, evaluate.First), a.take); err != nil {
		return a, asking.Unmeant(err)
	}
	a.Head, a.Base = a.results.Side(suite.Head), a.results.Side(suite.Base)
	if p.Sides.Inputs.Stored != nil {
		a.Base = p.Sides.Inputs.Stored.Head
		compare.Join(a.Base, a.Head)
		isRecorded := func(target string) bool { return p.Sides.Rules.Targets[target].Provider == model.Recorded }
		compare.KeepByHand(a.Base, a.Head, isRecorded)
	}
	asked = true
	return a, nil
}

// End releases the resources of the run and returns the warnings of the run so far.
func (a *ScoredSides) End() []report.Warning {
	a.p.Sides.Inputs.Progress.Finish()
	a.stop()
	a.untimed()
	return slices.Concat(a.warnings, a.open.End())
}

// RerunAndCompare compares both sides, reruns cases that may be noise, adds the findings of the checks and writes the
// results. in is the input of the verdict. answers finds the complete answers of both sides.
func (a *ScoredSides) RerunAndCompare() (in gate.Run, answers page.Answers, err error) {
	p, results := a.p, a.results
	in = p.input(a.Head, a.Base)
	ask := a.asker()
	ask.Failed = in.Fails(p.Sides.Rules.Gate)
	compared := compare.Sides{Head: a.Head, Base: a.Base, Measuring: p.Sides.Measuring(), RecordedReruns: p.Sides.RerunsOf,
		EarlierReruns: p.Sides.EarlierReruns}
	if in.Comparison, err = compare.RerunAndCompare(p.Sides.Rules.Gate, compared, ask); err != nil {
		return in, answers, asking.Unmeant(err)
	}
	run := checks.Run{Plan: a.plan, Head: a.Head, Results: results[suite.Head], Sinks: a.to}
	for _, c := range p.checks {
		if c.After == nil {
			continue
		}
		if err := c.After(a.ctx, run, &in); err != nil {
			return in, answers, err
		}
	}
	in.Comparison.Ended = p.Sides.Live.AddCancelled(in.Comparison.Ended)
	if err := results.Commit(); err != nil {
		return in, answers, err
	}
	answers = page.Answers{Head: asking.AnswerFinder(a.Head), Base: asking.AnswerFinder(a.Base)}
	for _, c := range p.checks {
		if c.Late != nil {
			c.Late(a.ctx, run, in)
		}
	}
	return in, answers, nil
}

// prepared returns plan with the changes that the checks make. In a run with shards, its targets take first answers
// from the shards.
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
