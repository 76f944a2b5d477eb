package asking

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/forecast"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/recorded"
	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/refusal"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/risk"
	"github.com/failproof/failproof/internal/score"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/text"
)

// Sinks receive the outputs of a run.
type Sinks struct {
	Out     *output.Folder
	Say     func(format string, args ...any) // prints one line
	Confirm func(question string) bool       // asks a person whether to spend money; nil: yes
	Bugs    *fault.Bugs                      // collects internal errors
}

// NewPlan returns the plan for calling the targets of both sides and evaluating the answers.
func NewPlan(p *sides.Sides, m *evaluate.Similarity, session Session) evaluate.Plan {
	plan := evaluate.Plan{
		Head:      evaluate.Side{Suites: p.Selected[suite.Head], Target: p.Head.Target},
		Matches:   p.Pairs.Matches,
		Evaluator: newEvaluator(p, m, session), RunID: p.Inputs.RunID, Now: p.Inputs.Time,
		EvaluationConcurrency: EvaluationConcurrency(p, m),
		Journal:               session.Journal(),
	}
	if p.Base != nil {
		plan.Base = &evaluate.Side{Suites: p.Selected[suite.Base], Target: p.Base.Target}
		if p.MeasuresNoise() { // equal requests of the two sides use separate calls
			plan.Base.Target = func(name string) evaluate.Target {
				t := p.Base.Target(name)
				t.Address = "the same revision again: " + t.Address
				return t
			}
		}
	}
	return plan
}

// endpointConcurrency is the number of answers that are evaluated at once if the evaluation waits for an embedding
// endpoint or a judge model.
const endpointConcurrency = 16

// EvaluationConcurrency returns the number of answers that are evaluated at once.
func EvaluationConcurrency(p *sides.Sides, m *evaluate.Similarity) int {
	if p.Judge != nil {
		return max(endpointConcurrency, p.Rules.Targets[p.Rules.Judge.Target].Concurrency)
	}
	if m != nil && p.Rules.Semantic.Provider == config.ProviderHTTP {
		return endpointConcurrency
	}
	return runtime.GOMAXPROCS(0)
}

func newEvaluator(p *sides.Sides, m *evaluate.Similarity, session Session) *evaluate.Evaluator {
	e := RuleEvaluator(p)
	e.Similarity, e.Panel = m, NewPanel(p, session, p.Rules.Recordings.Stale)
	e.Corpora = evaluate.NewCorpora(suite.Pairing{Matches: p.Pairs.Matches, Bases: p.Selected[suite.Base],
		Heads: p.Selected[suite.Head]})
	e.Risk, e.Redactor = riskScorer(p), p.Redactor()
	for _, proposed := range p.Rules.Announced {
		policy := expect.CompilePolicy(proposed.Name, proposed.Description, proposed.Patterns)
		e.ProposedPolicies = append(e.ProposedPolicies, expect.Proposed{Policy: policy, ForAll: proposed.ApplyAll})
	}
	return e
}

// RuleEvaluator returns an evaluator that uses only rules. It calls no embedding model and no judge.
func RuleEvaluator(p *sides.Sides) *evaluate.Evaluator {
	return &evaluate.Evaluator{Classifier: classify.New(refusal.New(p.Rules.Refusal.ExtraPatterns)),
		Phase: p.Rules.Phase, Scoring: p.Rules.Scoring, Semantic: p.Rules.Semantic}
}

// RecordedAnswers returns the first answers that client has recorded for a case that has its Body.
func RecordedAnswers(ctx context.Context, client *recorded.Client, c *suite.Case) ([]model.Response, error) {
	out := make([]model.Response, max(c.Trials, 1))
	for i := range out {
		q := c.Prompt
		q.Trial = i + 1
		var err error
		if out[i], err = client.Answer(ctx, q); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// riskScorer returns the scorer of red-team probes. It returns nil if no suite has probes, to save the time of
// compiling the rules.
func riskScorer(p *sides.Sides) *risk.Scorer {
	all := slices.Concat(p.Selected[suite.Head], p.Selected[suite.Base])
	if !slices.ContainsFunc(all, func(s *suite.Suite) bool { return s.Plan.Strategy == score.StrategyProbe }) {
		return nil
	}
	return text.Must(p.Rules.Scoring.Risk.Scorer()) // the configuration was validated
}

// BeginProgress tells the progress how many answers are planned, and how it learns what they cost.
func BeginProgress(p *sides.Sides) {
	var spent func() schedule.Usage
	if p.Live.HasTargets() {
		spent = p.Live.Run.Usage
	}
	p.Inputs.Progress.Begin(AnswersPlanned(p), spent)
}

// AnswersPlanned returns the number of answers that both sides plan, without reruns.
func AnswersPlanned(p *sides.Sides) (n int) {
	for _, suites := range p.Selected {
		for _, s := range suites {
			n += s.Cases.Trials()
		}
	}
	return n
}

// Announce prints the calls and the cost that f forecasts, and returns the planned calls. The plan is nil if the run
// calls no live target. If the limits are too low for the run, Announce stops all calls before the first one. It
// returns an error if a person declines the cost.
func Announce(p *sides.Sides, f forecast.Forecast, sinks Sinks) (*report.CallPlan, error) {
	if f.Empty() {
		return nil, nil
	}
	if p.Inputs.Shards != nil { // the shards were paid for
		return &f.Plan, nil
	}
	if why := f.WhyRefused(); why != "" {
		sinks.Say("%s", f.Line())
		p.Live.Run.Refuse(why)
		return &f.Plan, nil
	}
	if room := f.RerunLimitText(); room != "" {
		sinks.Say("%s", room)
	}
	return &f.Plan, sinks.Consent(f.Line(), f.NeedsConsent())
}

// Consent prints a cost. If the cost needs consent and there is a person to ask, Consent asks instead. It returns an
// error if the person declines.
func (s Sinks) Consent(cost string, needed bool) error {
	if !needed || s.Confirm == nil {
		s.Say("%s", cost)
	} else if !s.Confirm(cost) {
		return fault.Inputf("canceled: no requests were sent; --yes skips this question")
	}
	return nil
}

// warnPrice is the code of the warning that a cost is computed with another model's price.
const warnPrice = "price_of_other_model"

// PriceWarnings returns a warning for each model of the head whose target has a price for another model only. Costs and
// limits are then estimates. A model that a prompt file sets gets no warning if the base uses it too.
func PriceWarnings(p *sides.Sides) (warnings []report.Warning) {
	base, head := liveModels(p, suite.Base), liveModels(p, suite.Head)
	for _, m := range slices.SortedFunc(maps.Keys(head), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		t, priced := p.Rules.Targets[m[0]], ""
		if m[1] == t.Model {
			priced = t.PricedModel
		} else if !base[m] {
			priced = t.Model
		}
		if t.Price != nil && priced != "" {
			warnings = append(warnings, report.Warning{Code: warnPrice, Path: p.Rules.Path, Message: fmt.Sprintf(
				"no price is set for %s (target %s): limits.max_cost_usd uses the price of %s", m[1], m[0], priced)})
		}
	}
	return warnings
}

// liveModels returns the models that a side's cases call, each as a live target and a model.
func liveModels(p *sides.Sides, at suite.Side) map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, s := range p.Selected[at] {
		if !p.Rules.Targets[s.Target].Live() {
			continue
		}
		for _, c := range s.Cases {
			out[[2]string{s.Target, c.Open().Prompt.Model}] = true
		}
	}
	return out
}

// WithCase adds a copy of case c, limited to one trial, to the suite in suites that has the id of caseSuite. If
// suites has no such suite, WithCase first appends a copy of caseSuite without cases. It returns the changed suites.
func WithCase(suites []*suite.Suite, caseSuite *suite.Suite, c suite.Case) []*suite.Suite {
	i := slices.IndexFunc(suites, func(s *suite.Suite) bool { return s.ID == caseSuite.ID })
	if i < 0 {
		copied := *caseSuite
		copied.Cases = suite.Cases{}
		suites, i = append(suites, &copied), len(suites)
	}
	c.Trials = 1
	suites[i].Cases.Add(c)
	return suites
}

// EvenSample returns n evenly spaced elements of a slice, or all if it has fewer. The first one is at offset, modulo
// the length of the slice.
func EvenSample[T any](all []T, n int, offset uint64) (out []T) {
	for i := range min(n, len(all)) {
		at := int(offset%uint64(len(all))) + i*len(all)/min(n, len(all))
		out = append(out, all[at%len(all)])
	}
	return out
}

// NewPanel returns the panel that grades the answers, or nil if no case has criteria. stale is the value of
// recordings.stale in the configuration, and says how the panel treats stale verdicts.
func NewPanel(p *sides.Sides, session Session, stale string) *evaluate.Panel {
	if p.Judge == nil {
		return nil
	}
	j := sides.NewJudge(p.Rules)
	return evaluate.NewPanel(j, p.Judge,
		evaluate.PanelOptions{Address: live.Address(j.Target), Journal: session.Journal(),
			Redactor: p.Redactor(), AskStale: stale == config.StaleAsk, Standing: p.Standing})
}
