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

// Further describes the calls that a run may make in addition to its plan.
type Further struct {
	Reruns  bool // flipped cases may be rerun
	Explain int  // largest number of answers that are used to find the line that broke a case

	Verify                   []evaluate.Question // one question for each recorded case that may be verified
	VerifyMost, VerifyRounds int                 // largest numbers of verified cases, and of calls for each case

	// for each newly recorded case that may flip: the questions of both sides
	Settle                   [][]evaluate.Question
	SettleMost, SettleRounds int // largest numbers of rerun cases, and of reruns of each case
}

// dearest returns the VerifyMost most expensive verification questions, the most expensive first.
func (m Further) dearest(c *config.Config) []evaluate.Question {
	maxUSD := func(q evaluate.Question) float64 { return priceOf(q, c.Targets[q.Target].Price).maxUSD }
	out := slices.Clone(m.Verify)
	slices.SortStableFunc(out, func(a, b evaluate.Question) int { return cmp.Compare(maxUSD(b), maxUSD(a)) })
	return out[:min(len(out), m.VerifyMost)]
}

// explains reports whether the run may search for the lines that broke cases.
func (f *Forecast) explains() bool { return f.further.Explain > 0 && f.reruns.Cases > 0 }

// MostOf returns the highest possible cost, in US dollars, of the given number of answers to the most expensive
// question of the plan. It is at most the cost limit. MostOf returns nil if no target has a price.
func MostOf(plan evaluate.Plan, answers int, c *config.Config) *float64 {
	plan.Journal = nil
	var maxUSD *float64
	for q := range evaluate.Questions(plan) {
		if p := c.Targets[q.Target].Price; p != nil {
			one := min(priceOf(q, p).maxUSD*float64(answers), c.Limits.InForce().MaxCostUSD)
			if maxUSD == nil || one > *maxUSD {
				maxUSD = &one
			}
		}
	}
	return maxUSD
}

// grade adds the judge's questions about the answers of the plan to the forecast. twice has the price of one rerun of
// each compared case. grade adds the price of grading that rerun to it.
func (f *Forecast) grade(plan evaluate.Plan, c *config.Config, twice map[evaluate.CaseAt]price) {
	again := map[evaluate.CaseAt]price{}
	for q := range evaluate.Gradings(plan) {
		f.judge.target = c.Targets[q.Target]
		one := priceOf(q, f.judge.target.Price)
		f.judge.price, f.endless = f.judge.plus(one), f.endless || f.judge.endless(q)
		if q.Compared.Suite != nil && q.Request.Trial <= 1 {
			// there is one q for each vote
			votes := func(least int) price { return one.times((least + c.Judge.Votes - 1) / c.Judge.Votes) }
			twice[q.Compared], again[q.Compared] = twice[q.Compared].plus(votes(evaluate.RerunVotes)),
				again[q.Compared].plus(votes(evaluate.RegradeVotes))
		}
	}
	f.regrade = slices.Collect(maps.Values(again))
}

// calls returns the number of planned calls, including the judge's. cost returns their estimated cost in US dollars, or
// nil if no target has a price.
func (f Forecast) calls() int     { return f.Plan.Calls + f.Plan.JudgeCalls }
func (f Forecast) cost() *float64 { return report.PlusUSD(f.Plan.CostUSD, f.Plan.JudgeCostUSD) }

func (f Forecast) grading() string {
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
