package cli

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// ask evaluates both sides, the base first, and writes their results.
func (g *gate) ask(ctx context.Context) (head, base *report.Side, err error) {
	judge := g.newJudge()
	heads, bases := g.asked[suite.Head], g.asked[suite.Base]
	progress := newCounter(g.Progress, heads, bases)
	switch {
	case g.Stored != nil:
		if err = g.Stored.readResults(g.wanted); err != nil {
			return nil, nil, err
		}
		base = g.Stored.head
	case g.base != nil:
		if base, err = g.evaluate(ctx, judge, g.base, bases, baseFile, progress); err != nil {
			return nil, nil, err
		}
	}
	head, err = g.evaluate(ctx, judge, g.head, heads, resultsFile, progress)
	return head, base, err
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
		Corpora:    evaluate.Corpora(g.asked[suite.Head], g.asked[suite.Base], g.scope.Renamed),
		Redactor:   redact.New(g.secrets(), g.effective.Secrets.RedactPatterns),
	}
}

// secrets are the values that must not be kept: what the caller names, and the keys of the targets.
func (g *gate) secrets() []string {
	values := append([]string{}, g.Secrets...)
	for _, name := range slices.Sorted(maps.Keys(g.effective.Targets)) {
		if env := g.effective.Targets[name].APIKeyEnv; env != "" {
			values = append(values, g.Getenv(env))
		}
	}
	return values
}

// evaluate runs one side's suites and streams its results to a file.
func (g *gate) evaluate(ctx context.Context, judge *evaluate.Judge, s *side, suites []*suite.Suite, file string, progress func()) (*report.Side, error) {
	out, err := g.Out.create(file)
	if err != nil {
		return nil, err
	}
	var builder report.Builder
	builder.Plan(plans(suites))
	writer := report.NewResultWriter(out)
	plan := evaluate.Plan{
		Suites: suites, Judge: judge, RunID: g.RunID, Now: g.now, Workers: runtime.GOMAXPROCS(0),
		Client: func(target string) model.Client { return s.clients[target] },
	}
	if s == g.head && g.base != nil {
		plan.Base = g.baseCases()
	}
	err = evaluate.Run(ctx, plan, func(r report.Result) error {
		progress()
		if err := builder.Add(r); err != nil {
			return err
		}
		return writer.Write(r)
	})
	if err != nil {
		return nil, err
	}
	return builder.Side(), out.commit()
}

// baseCases returns a look-up of the base's form of a head's case.
func (g *gate) baseCases() func(suiteID, caseID string) *evaluate.BaseCase {
	type key struct{ suite, id string }
	cases := map[key]*evaluate.BaseCase{}
	for _, s := range g.asked[suite.Base] {
		id := cmp.Or(g.scope.Renamed[s.ID], s.ID)
		for i := range s.Cases {
			cases[key{id, s.Cases[i].ID}] = &evaluate.BaseCase{Suite: s, Case: &s.Cases[i]}
		}
	}
	return func(suiteID, caseID string) *evaluate.BaseCase { return cases[key{suiteID, caseID}] }
}

func plans(suites []*suite.Suite) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, Path: s.Path, Line: s.Pos.Line, Weight: s.Weight, MinScore: s.MinScore,
			Cases: len(s.Cases), Trials: s.Trials}
	}
	return out
}

// newCounter calls tell with the number of trials done so far and in all.
func newCounter(tell func(done, total int), sides ...[]*suite.Suite) func() {
	if tell == nil {
		return func() {}
	}
	done, total := 0, 0
	for _, suites := range sides {
		for _, s := range suites {
			total += len(s.Cases) * s.Trials
		}
	}
	return func() { done++; tell(done, total) }
}
