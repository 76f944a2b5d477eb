package run

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/drift"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
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

// Sides are both sides' answers, judged.
type Sides struct {
	Head     *report.Side
	Base     *report.Side      // nil: there is nothing to compare with
	Calls    *report.CallPlan  // what was to be asked of live targets; nil: nothing
	Controls evaluate.Controls // what the judge made of questions whose answers are known
	Warnings []report.Warning
	Answers  page.Answers // what was answered

	Further
	Explained explained // which of the changed lines broke what is broken
}

// Further is what came of what is asked for beside the comparison.
type Further struct {
	Caught   map[string][]string // cases that the policies of the head will catch once merged, by policy; nil: it announces none
	Patched  int                 // cases whose new recordings were written
	Verified compare.Verified
	Drift    *drift.Found // nil: nobody wants to know
	Watched  int          // the cases that Drift is about
}

// Ask has both sides answered and judged, base and head of each case back to back, compares them, and has cases asked again where
// noise may explain what was seen. The results are written.
func (p Plan) Ask(ctx context.Context, m Meaning, to Sinks) (sides Sides, found compare.Comparison, err error) {
	if p.Stored != nil {
		if err := p.Stored.readResults(p.wanted); err != nil {
			return sides, found, err
		}
	}
	open, warnings := p.openAsking()
	defer func() { sides.Warnings = slices.Concat(m.warnings, warnings, open.end()) }()
	warnings = append(warnings, p.unknownPrices()...)
	plan, heard := p.questions(m, open), heard{p, p.redactor(), map[[2]string][]byte{}, map[[2]string]bool{}}
	if plan.Broke = to.Bugs.Note; len(p.stale) > 0 {
		plan.Heard = heard.hear
	}
	if sides.Calls, err = p.announceCost(plan, to); err != nil {
		return sides, found, err
	}
	if p.live.asks() {
		defer p.live.heed(ctx)()
		ctx = context.WithoutCancel(ctx) // what was answered is judged and written
	}
	results, err := p.openResults(plan, to.Out)
	if err != nil {
		return sides, found, err
	}
	p.beginProgress()
	defer p.Progress.Finish()
	again := &again{p: p, ctx: ctx, plan: plan, results: results}
	if err := evaluate.Run(ctx, p.first(plan, evaluate.First), again.take); err != nil {
		return sides, found, unmeant(err)
	}
	sides.Head, sides.Base = results.side(suite.Head), results.side(suite.Base)
	if p.Stored != nil {
		sides.Base = p.Stored.head
		compare.Join(sides.Base, sides.Head)
	}
	if found, err = compare.Settle(p.policy(), p.input(sides), sides.Base, again.asker()); err != nil {
		return sides, found, unmeant(err)
	}
	if panel := plan.Judge.Panel; panel != nil {
		if sides.Controls = panel.Controls(); sides.Controls.Obeyed {
			warnings = append(warnings, report.Warning{Code: "judge_obeys", Message: "the judge called an answer met that ordered it to: an answer may talk it round; take another model as judge"})
		}
	}
	if sides.Further, err = p.further(ctx, plan, heard, results, sides.Head, found.Ended, to); err != nil {
		return sides, found, err
	}
	found.Ended = p.live.cancelledLate(found.Ended)
	if err := results.commit(); err != nil {
		return sides, found, err
	}
	sides.Explained = p.explainRegressions(ctx, plan, found, to)
	sides.Answers = page.Answers{Head: results.shown(suite.Head), Base: results.shown(suite.Base)}
	if p.Stored != nil {
		sides.Answers.Base = shown(p.Stored.log, sides.Base)
	}
	return sides, found, nil
}

// further does what is asked for beside the comparison: what announced policies would catch, new recordings, whether recordings are what the
// model says, and drift. A run that ended before its time does but the cheap ones.
func (p Plan) further(ctx context.Context, plan evaluate.Plan, heard heard, results results, head *report.Side, ended []report.Ended, to Sinks) (out Further, err error) {
	if out.Caught, err = p.willCatch(ctx, head); err != nil {
		return out, err
	}
	if len(p.stale) > 0 && len(ended) == 0 {
		patch, n, err := heard.patch(ctx, plan, head)
		if err == nil && patch != nil {
			err = to.Out.Write(output.PatchFile, patch)
		}
		if out.Patched = n; err != nil {
			return out, err
		}
	}
	if out.Verified, err = p.verify(ctx, plan, head, ended, results[suite.Head], to); err != nil {
		return out, err
	}
	if p.Drift != nil && len(ended) == 0 {
		out.Drift, out.Watched, err = p.measureDrift(ctx, plan, head, results[suite.Head], to)
	}
	return out, err
}

// questions are what is asked of both sides, and how it is judged.
func (p Plan) questions(m Meaning, open asking) evaluate.Plan {
	plan := evaluate.Plan{
		Head:  evaluate.Side{Suites: p.asked[suite.Head], Target: p.fromShards(suite.Head, p.head.target)},
		Judge: p.judge(m, open), RunID: p.RunID, Now: p.now, Judges: p.judges(m), Journal: open.keeper(),
	}
	if p.base != nil {
		plan.Base = &evaluate.Side{Suites: p.asked[suite.Base], Target: p.base.target}
		if p.measuring() {
			plan.Base.Target = apart(plan.Base.Target)
		}
		plan.Base.Target = p.fromShards(suite.Base, plan.Base.Target)
	}
	return plan
}

// endpointJudges judge at once where each of them waits for an endpoint or a judge; what they ask it is gathered, or paced.
const endpointJudges = 16

func (p Plan) judges(m Meaning) int {
	if p.judgeClient != nil {
		return max(endpointJudges, p.rules.Targets[p.rules.Judge.Target].Concurrency)
	}
	if m.model != nil && p.rules.Semantic.Provider == config.ProviderHTTP {
		return endpointJudges
	}
	return runtime.GOMAXPROCS(0)
}

// results take the results of each side.
type results map[suite.Side]*sideResults

// sideResults reduces one side's results as they come, and streams them to a file.
type sideResults struct {
	builder report.Builder
	file    *output.Results
}

func (p Plan) openResults(plan evaluate.Plan, out *output.Folder) (results, error) {
	all, places := results{}, plan.Places()
	for _, one := range []struct {
		at   suite.Side
		side *evaluate.Side
		file string
	}{{suite.Head, &plan.Head, output.ResultsFile}, {suite.Base, plan.Base, output.BaseFile}} {
		if one.side == nil {
			continue
		}
		file, err := out.CreateResults(one.file, places[one.at])
		if err != nil {
			return nil, err
		}
		r := &sideResults{file: file}
		r.builder.Log, r.builder.Alone = file.Log, plan.Base == nil && p.Stored == nil
		r.builder.Plan(plans(one.side.Suites, places[one.at]))
		all[one.at] = r
	}
	return all, nil
}

// side is what a side's results come to; nil for no side.
func (r results) side(at suite.Side) *report.Side {
	if r[at] == nil {
		return nil
	}
	return r[at].builder.Side()
}

// shown finds what a side answered; nil for no side.
func (r results) shown(at suite.Side) page.Find {
	if r[at] == nil {
		return nil
	}
	return shown(r[at].file.Log, r[at].builder.Side())
}

func (r *sideResults) add(one report.Result) error {
	at, err := r.file.Add(one)
	if err != nil {
		return err
	}
	return r.builder.Add(one, at)
}

func (r results) commit() error {
	for _, at := range []suite.Side{suite.Base, suite.Head} {
		if r[at] != nil {
			if err := r[at].file.Commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// plans say what is to be judged of suites. Where their cases stand at places, by suite/case, they come in that order.
func plans(suites []*suite.Suite, places map[string]int) []report.SuitePlan {
	out := make([]report.SuitePlan, len(suites))
	for i, s := range suites {
		out[i] = report.SuitePlan{ID: s.ID, As: s.As, Names: s.Names, Target: s.Target, Path: s.Path, Line: s.Pos.Line, Weight: s.Weight, MinScore: s.MinScore,
			Cases: s.Cases.Len(), Trials: s.Trials, Planned: s.Cases.Trials()}
		if places != nil {
			out[i].Order = idsOf(s, places)
		}
	}
	return out
}

// idsOf are a suite's cases in the order of their results.
func idsOf(s *suite.Suite, places map[string]int) []string {
	ids := make([]string, 0, s.Cases.Len())
	for c := range s.Cases.All() {
		ids = append(ids, c.ID)
	}
	slices.SortFunc(ids, func(a, b string) int { return places[s.ID+"/"+a] - places[s.ID+"/"+b] })
	return ids
}

// wanted reports whether a suite of a stored base takes part, whoever answers it: all do, unless the run was narrowed to some.
func (p Plan) wanted(suiteID string) bool {
	return len(p.Suites) == 0 || slices.ContainsFunc(p.head.suites, func(s *suite.Suite) bool { return suiteid.Written(s.ID) == suiteid.Written(suiteID) })
}

func (p Plan) judge(m Meaning, open asking) *evaluate.Judge {
	return &evaluate.Judge{
		Classifier: classify.New(refusal.New(p.rules.Refusal.ExtraPatterns)),
		Phase:      p.rules.Phase,
		Scoring:    p.rules.Scoring,
		Semantic:   p.rules.Semantic,
		Meaning:    m.model,
		Corpora:    evaluate.Corpora(p.asked[suite.Head], p.asked[suite.Base]),
		Panel:      p.panel(open, p.rules.Recordings.Stale),
		Risk:       p.riskScorer(),
		Announced:  announced(p.rules.Policies),
		Redactor:   p.redactor(),
	}
}

// riskScorer judges probes; nil where none is asked, since its rules take a while to compile.
func (p Plan) riskScorer() *risk.Scorer {
	all := slices.Concat(p.asked[suite.Head], p.asked[suite.Base])
	if !slices.ContainsFunc(all, func(s *suite.Suite) bool { return s.Plan.Strategy == score.StrategyProbe }) {
		return nil
	}
	scorer, err := p.rules.Scoring.Risk.Scorer()
	if err != nil {
		panic("run: risk rules: " + err.Error()) // the configuration was refused if they do not compile
	}
	return scorer
}

// redactor hides the secrets of the run.
func (p Plan) redactor() *redact.Redactor {
	if p.rules == nil {
		return redact.New(p.Secrets, nil)
	}
	hide := redact.New(p.secrets(), p.rules.Secrets.RedactPatterns)
	if p.live == nil {
		return hide
	}
	return hide.With(p.live.learned)
}

// secrets are the values that must not be kept: what the caller names, and the keys of the targets and of the embeddings.
func (p Plan) secrets() []string {
	values := append([]string{}, p.Secrets...)
	for _, name := range slices.Sorted(maps.Keys(p.rules.Targets)) {
		for _, variable := range p.rules.Targets[name].Variables() {
			values = append(values, strings.TrimSpace(p.Getenv(variable)))
		}
	}
	if env := p.rules.Semantic.APIKeyEnv; env != "" {
		values = append(values, p.Getenv(env))
	}
	return values
}

// beginProgress shows the number of trials done so far and in all.
func (p Plan) beginProgress() {
	var spent func() schedule.Spent
	if p.live.asks() {
		spent = p.live.run.Spent
	}
	p.Progress.Begin(p.answersPlanned(), spent)
}

// answersPlanned counts the first answers of both sides.
func (p Plan) answersPlanned() (n int) {
	for _, suites := range p.asked {
		for _, s := range suites {
			n += s.Cases.Trials()
		}
	}
	return n
}
