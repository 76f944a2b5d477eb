package cli

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/suite"
)

// answers are both sides' results and what the comparison of them comes to.
type answers struct {
	head, base *report.Side // base is nil if there is nothing to compare with
	comparison compare.Comparison
}

// ask evaluates both sides, base and head of each case back to back, has cases asked again where noise may explain what was
// seen, and writes the results.
func (g *gate) ask(ctx context.Context) (a answers, err error) {
	if g.Stored != nil {
		if err = g.Stored.readResults(g.wanted); err != nil {
			return a, err
		}
	}
	if g.live != nil {
		g.openJournal()
		defer g.endAsking()
	}
	plan := g.plan()
	if err := g.beforeAsking(plan); err != nil {
		return a, err
	}
	if g.live != nil {
		defer g.live.heed(ctx)()
		ctx = context.WithoutCancel(ctx) // what was answered is judged and written
	}
	sinks, err := g.sinks(plan)
	if err != nil {
		return a, err
	}
	progress, finish := g.newCounter()
	defer finish()
	err = evaluate.Run(ctx, plan, func(at suite.Side, r report.Result) error {
		progress()
		return sinks[at].add(r)
	})
	if fault, ok := embed.AsFault(err); ok {
		return a, inputErrorf("semantic.on_unavailable is fail: %w", fault)
	}
	if err != nil {
		return a, err
	}
	a.head, a.base = sinks[suite.Head].builder.Side(), nil
	switch {
	case g.Stored != nil:
		a.base = g.Stored.head
	case plan.Base != nil:
		a.base = sinks[suite.Base].builder.Side()
	}
	if a.comparison, err = g.settle(ctx, plan, sinks, a); err != nil {
		return a, err
	}
	return a, sinks.commit()
}

// settle compares the sides; what it wants asked again is asked of both.
func (g *gate) settle(ctx context.Context, plan evaluate.Plan, sinks sinks, a answers) (compare.Comparison, error) {
	again := func(wants []compare.Want) error { return g.askAgain(ctx, plan, sinks, wants) }
	if plan.Base == nil { // nobody can be asked for a stored base
		again = nil
	}
	return compare.Settle(g.policy(), g.input(a), a.base, g.renamed(a), again)
}

func (g *gate) askAgain(ctx context.Context, plan evaluate.Plan, sinks sinks, wants []compare.Want) error {
	asked := make([]evaluate.Want, len(wants))
	for i, w := range wants {
		asked[i] = evaluate.Want{SuiteID: w.SuiteID, CaseID: w.CaseID, First: w.First, Last: w.Last}
	}
	return evaluate.Fresh(ctx, plan, asked, func(at suite.Side, r report.Result) error {
		r.Look = wants[0].Look // all that is wanted at once is wanted for one look
		return sinks[at].add(r)
	})
}

// sinks take the results of each side.
type sinks map[suite.Side]*results

func (g *gate) sinks(plan evaluate.Plan) (out sinks, err error) {
	out = sinks{}
	if out[suite.Head], err = g.results(resultsFile, plan.Head.Suites); err != nil {
		return nil, err
	}
	if plan.Base != nil {
		out[suite.Base], err = g.results(baseFile, plan.Base.Suites)
	}
	return out, err
}

func (s sinks) commit() error {
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		if r := s[at]; r != nil {
			if err := r.file.commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// plan is what is asked of both sides.
func (g *gate) plan() evaluate.Plan {
	plan := evaluate.Plan{
		Head: evaluate.Side{Suites: g.asked[suite.Head], Target: g.head.target}, Renamed: g.scope.Renamed,
		Judge: g.newJudge(), RunID: g.RunID, Now: g.now, Judges: g.judges(),
	}
	if g.base != nil {
		plan.Base = &evaluate.Side{Suites: g.asked[suite.Base], Target: g.base.target}
		if g.measuring() {
			plan.Base.Target = apart(plan.Base.Target)
		}
	}
	if g.live != nil && g.live.journal != nil {
		plan.Journal = g.live.journal
	}
	return plan
}

// endpointJudges judge at once where each of them waits for an endpoint; what they ask it is gathered.
const endpointJudges = 16

func (g *gate) judges() int {
	if g.meaning != nil && g.effective.Semantic.Provider == config.ProviderHTTP {
		return endpointJudges
	}
	return runtime.GOMAXPROCS(0)
}

// results reduces one side's results as they come, and streams them to a file.
type results struct {
	file    *outFile
	builder report.Builder
	writer  *report.ResultWriter
}

func (g *gate) results(file string, suites []*suite.Suite) (*results, error) {
	out, err := g.Out.create(file)
	if err != nil {
		return nil, err
	}
	r := &results{file: out, writer: report.NewResultWriter(out)}
	r.builder.Plan(plans(suites))
	return r, nil
}

func (r *results) add(one report.Result) error {
	if err := r.builder.Add(one); err != nil {
		return err
	}
	return r.writer.Write(one)
}

// wanted reports whether a suite of a stored base takes part: all do, unless the run was narrowed to some.
func (g *gate) wanted(suiteID string) bool {
	return len(g.Suites) == 0 || g.head.find(suiteID) != nil
}

func (g *gate) newJudge() *evaluate.Judge {
	return &evaluate.Judge{
		Classifier: classify.New(refusal.New(g.effective.Refusal.ExtraPatterns)),
		Phase:      g.effective.Phase,
		Scoring:    g.effective.Scoring,
		Semantic:   g.effective.Semantic,
		Meaning:    g.meaning,
		Corpora:    evaluate.Corpora(g.asked[suite.Head], g.asked[suite.Base], g.scope.Renamed),
		Risk:       g.riskScorer(),
		Redactor:   g.newRedactor(),
	}
}

// riskScorer judges probes; nil where none is asked, since its rules take a while to compile.
func (g *gate) riskScorer() *risk.Scorer {
	isProbe := func(s *suite.Suite) bool { return s.Plan.Strategy == score.StrategyProbe }
	if !slices.ContainsFunc(g.asked[suite.Head], isProbe) && !slices.ContainsFunc(g.asked[suite.Base], isProbe) {
		return nil
	}
	scorer, err := g.effective.Scoring.Risk.Scorer()
	if err != nil {
		panic("cli: risk rules: " + err.Error()) // the configuration was refused if they do not compile
	}
	return scorer
}

func (g *gate) newRedactor() *redact.Redactor {
	return redact.New(g.secrets(), g.effective.Secrets.RedactPatterns)
}

// secrets are the values that must not be kept: what the caller names, and the keys of the targets and of the embeddings.
func (g *gate) secrets() []string {
	values := append([]string{}, g.Secrets...)
	for _, name := range slices.Sorted(maps.Keys(g.effective.Targets)) {
		if env := g.effective.Targets[name].APIKeyEnv; env != "" {
			values = append(values, strings.TrimSpace(g.Getenv(env)))
		}
	}
	if env := g.effective.Semantic.APIKeyEnv; env != "" {
		values = append(values, g.Getenv(env))
	}
	return values
}

func plans(suites []*suite.Suite) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, Path: s.Path, Line: s.Pos.Line, Weight: s.Weight, MinScore: s.MinScore,
			Cases: len(s.Cases), Trials: s.Trials, Planned: trials(s)}
	}
	return out
}

// trials counts the answers that a suite is judged by.
func trials(s *suite.Suite) (n int) {
	for i := range s.Cases {
		n += s.Cases[i].Trials
	}
	return n
}

// newCounter shows the number of trials done so far and in all, until finish is called.
func (g *gate) newCounter() (one, finish func()) {
	p := g.Progress
	if p == nil {
		return func() {}, func() {}
	}
	if g.live != nil {
		p.spent = g.live.run.Spent
	}
	done, total := 0, 0
	for _, suites := range g.asked {
		for _, s := range suites {
			total += trials(s)
		}
	}
	p.begin(total)
	return func() { done++; p.tell(done) }, p.finish
}
