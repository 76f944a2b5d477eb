package run

import (
	"context"
	"runtime"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
)

// Sinks are where goes what a run has to say while it lasts.
type Sinks struct {
	Out  *output.Folder
	Say  func(format string, args ...any) // one line to whoever looks on
	GoOn func(question string) bool       // asks whether to spend; nil: yes
	Bugs *evaluate.Bugs                   // keeps what failproof broke on and outlived
}

// Answered are both sides' answers, judged, of whom more is asked while they are compared: Settle does that, and End ends it.
type Answered struct {
	Head  *report.Side
	Base  *report.Side     // nil: there is nothing to compare with
	Calls *report.CallPlan // what was to be asked of live targets; nil: nothing

	p        Plan
	to       Sinks
	heard    heard
	again    *again
	open     asking
	stop     func() // heeding that the run is told to end
	untimed  func() // stops the clock of what is judged
	warnings []report.Warning
}

// Settled are both sides once nothing more is asked of them.
type Settled struct {
	compare.Input                   // what the verdict is made of
	Controls      evaluate.Controls // what the judge made of questions whose answers are known
	Answers       page.Answers      // what was answered
	Drift         *drift.Found      // nil: nobody wants to know
	Watched       int               // the cases that Drift is about

	Explained explained // which of the changed lines broke what is broken
}

// Ask has both sides answered and judged, base and head of each case back to back.
func (p Plan) Ask(ctx context.Context, m Meaning, to Sinks) (a Answered, err error) {
	if p.Inputs.Stored != nil {
		if err := p.Inputs.Stored.ReadResults(func(suiteID string) bool { return wanted(p.Sides, suiteID) }); err != nil {
			return a, err
		}
	}
	open, warnings := openAsking(p.Sides)
	a = Answered{p: p, to: to, open: open, stop: func() {}, untimed: func() {}, heard: heard{p, p.Redactor(), map[[2]string][]byte{}, map[[2]string]bool{}}, warnings: slices.Concat(m.warnings, warnings, unknownPrices(p.Sides))}
	asked := false
	defer func() {
		if !asked { // for an error, or since failproof broke
			a.End()
		}
	}()
	plan := questions(p.Sides, m, open)
	plan.Time, a.untimed = p.Live.Run.Judging()
	if plan.Broke = to.Bugs.Note; len(p.stale) > 0 {
		plan.Heard = a.heard.hear
	}
	if p.Live.Asks() {
		if a.Calls, err = announce(p.Sides, p.forecast(plan), to); err != nil {
			return a, err
		}
		stop := p.Live.StopOnCancel(ctx)
		a.stop, ctx = func() { stop() }, context.WithoutCancel(ctx) // what was answered is judged and written
	}
	results, err := openResults(p.Sides, plan, to.Out)
	if err != nil {
		return a, err
	}
	beginProgress(p.Sides)
	a.again = &again{p: p, ctx: ctx, plan: plan, results: results}
	if err := evaluate.Run(ctx, first(p.Sides, plan, evaluate.First), a.again.take); err != nil {
		return a, unmeant(err)
	}
	a.Head, a.Base = results.side(suite.Head), results.side(suite.Base)
	if p.Inputs.Stored != nil {
		a.Base = p.Inputs.Stored.Head
		compare.Join(a.Base, a.Head)
		compare.KeepByHand(a.Base, a.Head, func(target string) bool { return p.Rules.Targets[target].Provider == model.Recorded })
	}
	asked = true
	return a, nil
}

// End ends the asking, and returns what there is to say of it.
func (a Answered) End() []report.Warning {
	a.p.Inputs.Progress.Finish()
	a.stop()
	a.untimed()
	return slices.Concat(a.warnings, a.open.end())
}

// Settle compares both sides, has cases asked again where noise may explain what was seen, and does what is asked for beside the comparison: what
// announced policies would catch, new recordings, whether recordings are what the model says, drift, and which line did it. The results are written.
func (a Answered) Settle() (out Settled, err error) {
	p, plan, results, ctx := a.p, a.again.plan, a.again.results, a.again.ctx
	in := p.input(a.Head, a.Base)
	if in.Comparison, err = compare.Settle(p.Rules.Gate, in, in.Base, a.again.asker()); err != nil {
		return out, unmeant(err)
	}
	var controls evaluate.Controls
	if plan.Judge.Panel != nil {
		controls = plan.Judge.Panel.Controls()
	}
	in.JudgeWrong = controls.Wrong
	caught, err := willCatch(p.Sides, ctx, plan.Time, a.Head)
	if err != nil {
		return out, err
	}
	for i, change := range in.PolicyChanges {
		in.PolicyChanges[i].Caught = caught[change.Policy()]
	}
	ended := len(in.Comparison.Ended) > 0
	if len(p.stale) > 0 && !ended {
		patch, n, err := a.heard.patch(ctx, plan, a.Head)
		if err == nil && patch != nil {
			err = a.to.Out.Write(output.PatchFile, patch)
		}
		if in.Patched = n; err != nil {
			return out, err
		}
	}
	if in.Verified, err = verify(p.Sides, ctx, plan, a.Head, in.Comparison.Ended, results[suite.Head], a.to); err != nil {
		return out, err
	}
	var found *drift.Found
	watched := 0
	if p.Inputs.Drift != nil && !ended {
		if found, watched, err = measureDrift(p.Sides, ctx, plan, a.Head, results[suite.Head], a.to); err != nil {
			return out, err
		}
		in.Drifted = drifted(found.Drifted)
	}
	in.Comparison.Ended = p.Live.AddCancelled(in.Comparison.Ended)
	if err := results.commit(); err != nil {
		return out, err
	}
	answers := page.Answers{Head: results.shown(suite.Head), Base: results.shown(suite.Base)}
	if p.Inputs.Stored != nil {
		answers.Base = shown(p.Inputs.Stored.Log, a.Base)
	}
	return Settled{Input: in, Controls: controls, Answers: answers, Drift: found, Watched: watched,
		Explained: explainRegressions(p.Sides, ctx, plan, in.Comparison, a.to)}, nil
}

// questions are what is asked of both sides, and how it is judged.
func questions(p *sides.Sides, m Meaning, open asking) evaluate.Plan {
	plan := evaluate.Plan{
		Head:  evaluate.Side{Suites: p.Asked[suite.Head], Target: fromShards(p, suite.Head, p.Head.Target)},
		Judge: newJudge(p, m, open), RunID: p.Inputs.RunID, Now: p.Inputs.Time, Judges: judgesAtOnce(p, m), Journal: open.keeper(),
	}
	if p.Base != nil {
		plan.Base = &evaluate.Side{Suites: p.Asked[suite.Base], Target: p.Base.Target}
		if p.Measuring() {
			plan.Base.Target = apart(plan.Base.Target)
		}
		plan.Base.Target = fromShards(p, suite.Base, plan.Base.Target)
	}
	return plan
}

// endpointJudges judge at once where each of them waits for an endpoint or a judge; what they ask it is gathered, or paced.
const endpointJudges = 16

func judgesAtOnce(p *sides.Sides, m Meaning) int {
	if p.Judge != nil {
		return max(endpointJudges, p.Rules.Targets[p.Rules.Judge.Target].Concurrency)
	}
	if m.model != nil && p.Rules.Semantic.Provider == config.ProviderHTTP {
		return endpointJudges
	}
	return runtime.GOMAXPROCS(0)
}

// wanted reports whether a suite of a stored base takes part, whoever answers it: all do, unless the run was narrowed to some.
func wanted(p *sides.Sides, suiteID string) bool {
	return len(p.Inputs.Suites) == 0 || slices.ContainsFunc(p.Head.Suites, func(s *suite.Suite) bool { return suiteid.Written(s.ID) == suiteid.Written(suiteID) })
}

func newJudge(p *sides.Sides, m Meaning, open asking) *evaluate.Judge {
	return &evaluate.Judge{
		Classifier: classify.New(refusal.New(p.Rules.Refusal.ExtraPatterns)),
		Phase:      p.Rules.Phase,
		Scoring:    p.Rules.Scoring,
		Semantic:   p.Rules.Semantic,
		Meaning:    m.model,
		Corpora:    evaluate.Corpora(p.Asked[suite.Head], p.Asked[suite.Base]),
		Panel:      panel(p, open, p.Rules.Recordings.Stale),
		Risk:       riskScorer(p),
		Announced:  announced(p.Rules.Policies),
		Redactor:   p.Redactor(),
	}
}

// riskScorer judges probes; nil where none is asked, since its rules take a while to compile.
func riskScorer(p *sides.Sides) *risk.Scorer {
	all := slices.Concat(p.Asked[suite.Head], p.Asked[suite.Base])
	if !slices.ContainsFunc(all, func(s *suite.Suite) bool { return s.Plan.Strategy == score.StrategyProbe }) {
		return nil
	}
	scorer, err := p.Rules.Scoring.Risk.Scorer()
	if err != nil {
		panic("run: risk rules: " + err.Error()) // the configuration was refused if they do not compile
	}
	return scorer
}

// beginProgress shows the number of trials done so far and in all.
func beginProgress(p *sides.Sides) {
	var spent func() schedule.Spent
	if p.Live.Asks() {
		spent = p.Live.Run.Spent
	}
	p.Inputs.Progress.Begin(answersPlanned(p), spent)
}

// answersPlanned counts the first answers of both sides.
func answersPlanned(p *sides.Sides) (n int) {
	for _, suites := range p.Asked {
		for _, s := range suites {
			n += s.Cases.Trials()
		}
	}
	return n
}
