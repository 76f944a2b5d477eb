package asking

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
)

// Sinks are where goes what a run has to say while it lasts.
type Sinks struct {
	Out  *output.Folder
	Say  func(format string, args ...any) // one line to whoever looks on
	GoOn func(question string) bool       // asks whether to spend; nil: yes
	Bugs *evaluate.Bugs                   // keeps what failproof broke on and outlived
}

// Questions are what is asked of both sides, and how it is judged.
func Questions(p *sides.Sides, m *evaluate.Meaning, open Session) evaluate.Plan {
	plan := evaluate.Plan{
		Head:  evaluate.Side{Suites: p.Asked[suite.Head], Target: p.Head.Target},
		Judge: newJudge(p, m, open), RunID: p.Inputs.RunID, Now: p.Inputs.Time, Judges: JudgesAtOnce(p, m),
		Journal: open.Keeper(),
	}
	if p.Base != nil {
		plan.Base = &evaluate.Side{Suites: p.Asked[suite.Base], Target: p.Base.Target}
		if p.Measuring() {
			plan.Base.Target = apart(plan.Base.Target)
		}
	}
	return plan
}

// endpointJudges is how many evaluations run at once if each waits for an endpoint or a judge, whose questions are
// batched or paced.
const endpointJudges = 16

func JudgesAtOnce(p *sides.Sides, m *evaluate.Meaning) int {
	if p.Judge != nil {
		return max(endpointJudges, p.Rules.Targets[p.Rules.Judge.Target].Concurrency)
	}
	if m != nil && p.Rules.Semantic.Provider == config.ProviderHTTP {
		return endpointJudges
	}
	return runtime.GOMAXPROCS(0)
}

func newJudge(p *sides.Sides, m *evaluate.Meaning, open Session) *evaluate.Judge {
	return &evaluate.Judge{
		Classifier: classify.New(refusal.New(p.Rules.Refusal.ExtraPatterns)),
		Phase:      p.Rules.Phase,
		Scoring:    p.Rules.Scoring,
		Semantic:   p.Rules.Semantic,
		Meaning:    m,
		Corpora:    evaluate.Corpora(p.Asked[suite.Head], p.Asked[suite.Base]),
		Panel:      NewPanel(p, open, p.Rules.Recordings.Stale),
		Risk:       riskScorer(p),
		Redactor:   p.Redactor(),
	}
}

// riskScorer returns the scorer of red-team probes; nil if no probe is asked, since compiling its rules takes a while.
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

// BeginProgress shows the number of trials done so far and in all.
func BeginProgress(p *sides.Sides) {
	var spent func() schedule.Usage
	if p.Live.HasTargets() {
		spent = p.Live.Run.Usage
	}
	p.Inputs.Progress.Begin(AnswersPlanned(p), spent)
}

// AnswersPlanned counts the first answers of both sides.
func AnswersPlanned(p *sides.Sides) (n int) {
	for _, suites := range p.Asked {
		for _, s := range suites {
			n += s.Cases.Trials()
		}
	}
	return n
}

// Unmeant returns the error of a run that failed to compare by meaning and was told to end then.
func Unmeant(err error) error {
	if why, ok := errors.AsType[*embed.Fault](err); ok {
		return fault.Inputf("semantic.on_unavailable is fail: %w", why)
	}
	return err
}

// Announce prints what a run needs, and ends it before the first call if its budget cannot suffice. The plan is nil if
// nothing in scope asks a live target.
func Announce(p *sides.Sides, f forecast.Forecast, to Sinks) (*report.CallPlan, error) {
	if f.Empty() {
		return nil, nil
	}
	if p.Inputs.Shards != nil { // it was asked, and paid
		return &f.Plan, nil
	}
	why := f.Refused()
	ask := why == "" && to.GoOn != nil && f.NeedsConsent()
	if !ask { // else the question says it
		to.Say("%s", f.Line())
	}
	if why != "" {
		p.Live.Run.Refuse(why)
		return &f.Plan, nil
	}
	if room := f.Room(); room != "" {
		to.Say("%s", room)
	}
	if ask && !to.GoOn(f.Line()) {
		return nil, fault.Inputf("canceled: no requests were sent; --yes skips this question")
	}
	return &f.Plan, nil
}

// warnPrice is the code of a warning that a cost is counted at another model's price.
const warnPrice = "price_of_other_model"

// UnknownPrices warns of models that only the head asks. The base's price of the target is of another model, so costs,
// and limits in dollars, are estimates.
func UnknownPrices(p *sides.Sides) (warnings []report.Warning) {
	before := map[[2]string]bool{}
	for _, s := range p.Asked[suite.Base] {
		if !p.Rules.Targets[s.Target].Live() {
			continue
		}
		for c := range s.Cases.All() {
			before[[2]string{s.Target, c.Open().Prompt.Model}] = true
		}
	}
	unknown := map[[2]string]string{} // target and model → the model whose price is taken
	for _, s := range p.Asked[suite.Head] {
		t := p.Rules.Targets[s.Target]
		if !t.Live() || t.Price == nil {
			continue
		}
		for c := range s.Cases.All() {
			asked := [2]string{s.Target, c.Open().Prompt.Model}
			switch {
			case asked[1] == t.Model && t.PricedModel != "":
				unknown[asked] = t.PricedModel
			case asked[1] != t.Model && !before[asked]:
				unknown[asked] = t.Model
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(unknown), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	for _, asked := range names {
		warnings = append(warnings, report.Warning{Code: warnPrice, Path: p.Rules.Path, Message: fmt.Sprintf(
			"no price is set for %s (target %s): limits.max_cost_usd uses the price of %s",
			asked[1], asked[0], unknown[asked])})
	}
	return warnings
}

// WithCase adds a case, with one trial, to the copy of its suite in suites.
func WithCase(suites []*suite.Suite, of *suite.Suite, c suite.Case) []*suite.Suite {
	at := slices.IndexFunc(suites, func(s *suite.Suite) bool { return s.ID == of.ID })
	if at < 0 {
		copied := *of
		copied.Cases = suite.Cases{}
		suites, at = append(suites, &copied), len(suites)
	}
	c.Trials = 1
	suites[at].Cases.Add(c)
	return suites
}

// NewPanel returns the panel of judges for the answers; nil if there is nothing to grade. stale is what happens to
// stale verdicts, in the words that config has for stale answers.
func NewPanel(p *sides.Sides, open Session, stale string) *evaluate.Panel {
	if p.Judge == nil {
		return nil
	}
	j := sides.Grader(p.Rules)
	return evaluate.NewPanel(j, p.Judge, evaluate.PanelOptions{Where: live.Where(j.Target), Journal: open.Keeper(),
		Redactor: p.Redactor(), AskStale: stale == config.StaleAsk, Standing: p.Standing})
}

// apart keeps equal questions of both sides from sharing an answer: what is measured is how much answers differ.
func apart(target func(name string) evaluate.Target) func(name string) evaluate.Target {
	return func(name string) evaluate.Target {
		t := target(name)
		t.Where = "the same revision again: " + t.Where
		return t
	}
}
