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

	p            Plan
	ctx          context.Context
	sinks        asking.Sinks
	plan         evaluate.Plan
	results      asking.Results
	firstAnswers int                // number of first answers so far
	reason       report.RerunReason // the reason of the reruns that the progress shows
	session      asking.Session
	stop         func() // stops waiting for the cancellation of the context
	releaseTime  func() // releases the time limit of judging
	warnings     []report.Warning
}

// Ask requests and judges the first answers of both sides. Base and head of each case follow each other. If the base is
// stored, Ask reads its results instead. The caller must call End, unless Ask returns an error.
func (p Plan) Ask(ctx context.Context, m meaning.Model, sinks asking.Sinks) (a *ScoredSides, err error) {
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
	open, warnings := asking.OpenSession(p.Sides)
	warnings = slices.Concat(m.Warnings, warnings, asking.PriceWarnings(p.Sides))
	a = &ScoredSides{p: p, sinks: sinks, session: open, stop: func() {}, releaseTime: func() {}, warnings: warnings}
	ok := false
	defer func() {
		if !ok { // after an error or a panic
			a.End()
		}
	}()
	plan := p.prepare(asking.NewPlan(p.Sides, m.Similarity, open))
	plan.TimeLimit, a.releaseTime = p.Sides.Live.Run.JudgingContext()
	plan.OnBug = sinks.Bugs.Add
	if p.Sides.Live.HasTargets() {
		if a.Calls, err = asking.Announce(p.Sides, p.forecast(plan), sinks); err != nil {
			return a, err
		}
		stop := p.Sides.Live.StopOnCancel(ctx)
		// existing answers are judged and written even after a cancel
		a.stop, ctx = func() { stop() }, context.WithoutCancel(ctx)
	}
	a.ctx, a.plan = ctx, plan
	if a.results, err = asking.OpenResults(plan, sinks.Out); err != nil {
		return a, err
	}
	asking.BeginProgress(p.Sides)
	if err := evaluate.Run(ctx, shards.WithPart(p.Sides, plan, evaluate.PartMain), a.addFirst); err != nil {
		return a, meaning.RunError(err)
	}
	a.Head, a.Base = a.results.Side(suite.Head), a.results.Side(suite.Base)
	if p.Sides.Inputs.Stored != nil {
		a.Base = p.Sides.Inputs.Stored.Head
		compare.JoinSuites(a.Base, a.Head)
		isRecorded := func(target string) bool { return p.Sides.Rules.Targets[target].Provider == model.Recorded }
		compare.MarkKeptByHand(a.Base, a.Head, isRecorded)
	}
	ok = true
	return a, nil
}

// End releases the resources of the run and returns the warnings of the run so far.
func (a *ScoredSides) End() []report.Warning {
	a.p.Sides.Inputs.Progress.Finish()
	a.stop()
	a.releaseTime()
	return slices.Concat(a.warnings, a.session.Close())
}

// RerunAndCompare compares both sides, reruns cases that may be noise, adds the findings of the checks and writes the
// results. in is the input of the verdict. answers finds the complete answers of both sides.
func (a *ScoredSides) RerunAndCompare() (in gate.Run, answers page.ResultFinders, err error) {
	p, results := a.p, a.results
	in = p.gateInput(a.Head, a.Base)
	ask := a.asker()
	ask.HasFailed = in.Fails(p.Sides.Rules.Gate)
	compared := compare.Sides{Head: a.Head, Base: a.Base, Measuring: p.Sides.MeasuresNoise(), RecordedReruns: p.Sides.RecordedRounds,
		EarlierReruns: p.Sides.EarlierReruns}
	if in.Comparison, err = compare.RerunAndCompare(p.Sides.Rules.Gate, compared, ask); err != nil {
		return in, answers, meaning.RunError(err)
	}
	run := checks.Run{Plan: a.plan, Head: a.Head, Results: results[suite.Head], Sinks: a.sinks}
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
	answers = asking.AnswerFinders(a.Base, a.Head)
	for _, c := range p.checks {
		if c.AfterVerdict != nil {
			c.AfterVerdict(a.ctx, run, in)
		}
	}
	return in, answers, nil
}

// prepare returns plan with the changes that the checks make. In a run with shards, its targets take first answers
// from the shards.
func (p Plan) prepare(plan evaluate.Plan) evaluate.Plan {
	for _, c := range p.checks {
		if c.Prepare != nil {
			c.Prepare(&plan)
		}
	}
	plan.Head.Target = shards.WithShardAnswers(p.Sides, suite.Head, plan.Head.Target)
	if plan.Base != nil {
		plan.Base.Target = shards.WithShardAnswers(p.Sides, suite.Base, plan.Base.Target)
	}
	return plan
}
