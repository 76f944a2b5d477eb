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
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// scoredSides has the judged answers of both sides.
type scoredSides struct {
	head  *report.Side
	base  *report.Side     // nil: no base
	calls *report.CallPlan // the planned live calls; nil: none

	p            Plan
	meaning      meaning.Model
	sinks        asking.Sinks
	session      asking.Session
	warnings     []report.Warning
	ctx          context.Context
	plan         evaluate.Plan
	results      map[suite.Side]*output.Results
	firstAnswers int                // number of first answers so far
	reason       report.RerunReason // the reason of the reruns that the progress shows
	releases     []func()           // what end calls
}

// open opens the session of a run. The caller must call end.
func (p Plan) open(m meaning.Model, sinks asking.Sinks) *scoredSides {
	session, warnings := asking.OpenSession(p.Sides)
	return &scoredSides{p: p, meaning: m, sinks: sinks, session: session,
		warnings: slices.Concat(m.Warnings, warnings, asking.PriceWarnings(p.Sides))}
}

// end releases the resources of the run and returns the warnings of the run so far.
func (a *scoredSides) end() []report.Warning {
	a.p.Sides.Inputs.Progress.Finish()
	for _, release := range a.releases {
		release()
	}
	return slices.Concat(a.warnings, a.session.Close())
}

// ask requests and judges the first answers of both sides. Base and head of each case follow each other. If the base is
// stored, ask reads its results instead.
func (a *scoredSides) ask(ctx context.Context) (err error) {
	s := a.p.Sides
	stored := s.Inputs.Stored
	if stored != nil {
		keep := func(suiteID string) bool { // all suites, unless the run selects some
			return len(s.Inputs.Suites) == 0 || slices.ContainsFunc(s.Head.Suites, func(s *suite.Suite) bool {
				return suiteid.AuthorID(s.ID) == suiteid.AuthorID(suiteID)
			})
		}
		if err := stored.ReadResults(keep); err != nil {
			return err
		}
	}
	if err := a.preparePlan(ctx); err != nil {
		return err
	}
	if err = a.openResults(); err != nil {
		return err
	}
	asking.BeginProgress(s)
	if err := evaluate.Run(a.ctx, shards.WithPart(s, a.plan, evaluate.PartMain), a.addFirst); err != nil {
		return meaning.RunError(err)
	}
	if stored != nil {
		a.base = compare.JoinSuites(stored.Head, a.head)
		isRecorded := func(target string) bool { return s.Rules.Targets[target].Provider == model.Recorded }
		compare.MarkKeptByHand(a.base, a.head, isRecorded)
	}
	return nil
}

// preparePlan sets the plan of the calls, and announces their cost. In a run with shards, the targets take first
// answers from the shards.
func (a *scoredSides) preparePlan(ctx context.Context) (err error) {
	s, plan := a.p.Sides, asking.NewPlan(a.p.Sides, a.meaning.Similarity, a.session)
	plan.Head.Target = shards.WithShardAnswers(s, suite.Head, plan.Head.Target)
	if plan.Base != nil {
		plan.Base.Target = shards.WithShardAnswers(s, suite.Base, plan.Base.Target)
	}
	timeLimit, release := s.Live.Run.JudgingContext()
	plan.TimeLimit, plan.OnBug, a.releases = timeLimit, a.sinks.Bugs.Add, append(a.releases, release)
	a.ctx, a.plan = ctx, plan
	if !s.Live.HasTargets() {
		return nil
	}
	if a.calls, err = asking.Announce(s, a.p.forecast(plan), a.sinks); err != nil {
		return err
	}
	stop := s.Live.StopOnCancel(ctx)
	a.releases = append(a.releases, func() { stop() })
	a.ctx = context.WithoutCancel(ctx) // existing answers are judged and written even after a cancel
	return nil
}

// gateRun compares both sides, reruns cases that may be noise, adds the findings of the checks and writes the results.
// It returns the input of the verdict.
func (a *scoredSides) gateRun() (in gate.Run, err error) {
	p := a.p
	in = p.gateInput(a.head, a.base)
	if in.Comparison, err = a.rerunAndCompare(in); err != nil {
		return in, meaning.RunError(err)
	}
	run := checks.Run{Plan: a.plan, Head: a.head, Results: a.results[suite.Head], Sinks: a.sinks}
	for _, c := range p.checks {
		if c.After == nil {
			continue
		}
		if err := c.After(a.ctx, run, &in); err != nil {
			return in, err
		}
	}
	in.Cancelled = p.Sides.Live.WhyCancelled()
	if err := a.commitResults(); err != nil {
		return in, err
	}
	for _, c := range p.checks {
		if c.Last != nil {
			c.Last(a.ctx, run, in)
		}
	}
	return in, nil
}
