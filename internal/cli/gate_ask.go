package cli

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// ask evaluates both sides, base and head of each case back to back, and writes their results.
func (g *gate) ask(ctx context.Context) (head, base *report.Side, err error) {
	if g.Stored != nil {
		if err = g.Stored.readResults(g.wanted); err != nil {
			return nil, nil, err
		}
	}
	if g.live != nil {
		g.openJournal()
		defer g.endAsking()
	}
	plan := g.plan()
	if err := g.beforeAsking(plan); err != nil {
		return nil, nil, err
	}
	if g.live != nil {
		defer g.live.heed(ctx)()
		ctx = context.WithoutCancel(ctx) // what was answered is judged and written
	}
	heads, err := g.results(resultsFile, plan.Head.Suites)
	if err != nil {
		return nil, nil, err
	}
	sinks := map[suite.Side]*results{suite.Head: heads}
	if plan.Base != nil {
		if sinks[suite.Base], err = g.results(baseFile, plan.Base.Suites); err != nil {
			return nil, nil, err
		}
	}
	progress, finish := g.newCounter()
	defer finish()
	err = evaluate.Run(ctx, plan, func(at suite.Side, r report.Result) error {
		progress()
		return sinks[at].add(r)
	})
	if fault, ok := embed.AsFault(err); ok {
		return nil, nil, inputErrorf("semantic.on_unavailable is fail: %w", fault)
	}
	if err != nil {
		return nil, nil, err
	}
	switch {
	case g.Stored != nil:
		base = g.Stored.head
	case plan.Base != nil:
		if base, err = sinks[suite.Base].side(); err != nil {
			return nil, nil, err
		}
	}
	head, err = heads.side()
	return head, base, err
}

// plan is what is asked of both sides.
func (g *gate) plan() evaluate.Plan {
	plan := evaluate.Plan{
		Head: evaluate.Side{Suites: g.asked[suite.Head], Target: g.head.target}, Renamed: g.scope.Renamed,
		Judge: g.newJudge(), RunID: g.RunID, Now: g.now, Judges: g.judges(),
	}
	if g.base != nil {
		plan.Base = &evaluate.Side{Suites: g.asked[suite.Base], Target: g.base.target}
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

// side ends the file and returns what the results come to.
func (r *results) side() (*report.Side, error) { return r.builder.Side(), r.file.commit() }

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
		Redactor:   redact.New(g.secrets(), g.effective.Secrets.RedactPatterns),
	}
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
