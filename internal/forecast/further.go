package forecast

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// ExtraCalls describes the calls that a run may make in addition to its plan.
type ExtraCalls struct {
	Reruns         bool // flipped cases may be rerun
	ExplainAnswers int  // largest number of answers that are used to find the line that broke a case

	VerifyQuestions           []evaluate.Question // one question for each recorded case that may be verified
	MaxVerified, VerifyRounds int                 // largest numbers of verified cases, and of calls for each case

	// for each newly recorded case that may flip: the questions of both sides
	SettleQuestions          [][]evaluate.Question
	MaxSettled, SettleRounds int // largest numbers of rerun cases, and of reruns of each case
}

// verifiable returns the most expensive verification questions, as many as the run may ask within its limits. So
// verification never ends a run. sum is the price of all other calls.
func (e ExtraCalls) verifiable(sum price, c *config.Config) []evaluate.Question {
	one := func(q evaluate.Question) price { return priceOf(q, c.Targets[q.Target].Price) }
	out := slices.Clone(e.VerifyQuestions)
	slices.SortStableFunc(out, func(a, b evaluate.Question) int { return cmp.Compare(one(b).maxUSD, one(a).maxUSD) })
	for i, q := range out {
		sum = sum.plus(one(q))
		if limit, _ := exceeded(c.Limits.WithDefaults(), sum); limit != "" || i == e.MaxVerified {
			return out[:i]
		}
	}
	return out
}

// MaxCostUSD returns the highest possible cost, in US dollars, of the given number of answers to the most expensive
// question of the plan. It is at most the cost limit. MaxCostUSD returns nil if no target has a price.
func MaxCostUSD(plan evaluate.Plan, answers int, c *config.Config) *float64 {
	plan.Journal = nil
	var maxUSD *float64
	for q := range evaluate.Questions(plan) {
		if p := c.Targets[q.Target].Price; p != nil {
			one := min(priceOf(q, p).maxUSD*float64(answers), c.Limits.WithDefaults().MaxCostUSD)
			if maxUSD == nil || one > *maxUSD {
				maxUSD = &one
			}
		}
	}
	return maxUSD
}

// addGrading adds the judge's questions about the answers of the plan to the forecast. rerunPrices has the price of one
// rerun of each compared case. addGrading adds the price of grading that rerun to it.
func (f *Forecast) addGrading(plan evaluate.Plan, c *config.Config, rerunPrices map[evaluate.CaseRef]price) {
	again := map[evaluate.CaseRef]price{}
	for q := range evaluate.ForecastGradings(plan) {
		f.judgeNeed.target = c.Targets[q.Target]
		one := priceOf(q, f.judgeNeed.target.Price)
		f.judgeNeed.price = f.judgeNeed.plus(one)
		if q.Compared.Suite != nil && q.Request.Trial <= 1 {
			// there is one q for each vote
			votes := func(least int) price { return one.times((least + c.Judge.Votes - 1) / c.Judge.Votes) }
			rerunPrices[q.Compared], again[q.Compared] = rerunPrices[q.Compared].plus(votes(evaluate.RerunVotes)),
				again[q.Compared].plus(votes(evaluate.RegradeVotes))
		}
	}
	f.regradePrices = slices.Collect(maps.Values(again))
}

// calls returns the number of planned calls, including the judge's. cost returns their estimated cost in US dollars, or
// nil if no target has a price.
func (f Forecast) calls() int     { return f.Plan.Calls + f.Plan.JudgeCalls }
func (f Forecast) cost() *float64 { return report.PlusUSD(f.Plan.CostUSD, f.Plan.JudgeCostUSD) }

func (f Forecast) gradingText() string {
	n := f.Plan.JudgeCalls
	switch {
	case n == 0:
		return ""
	case f.Plan.JudgeCostUSD == nil:
		return ", and about " + text.Count(n, "call") + " of the judge"
	}
	return fmt.Sprintf(", and about %s of the judge, about $%s", text.Count(n, "call"),
		text.Dollars(*f.Plan.JudgeCostUSD))
}
