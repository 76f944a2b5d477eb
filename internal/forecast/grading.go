package forecast

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// grade adds up what the judge is asked of a plan's answers; twice is what one more time of each case costs that may be asked again, and
// gets what grading that takes.
func (f *Forecast) grade(plan evaluate.Plan, c *config.Config, twice map[evaluate.CaseAt]price) {
	again := map[evaluate.CaseAt]price{}
	for q := range evaluate.Gradings(plan) {
		f.judge.target = c.Targets[q.Target]
		one := priceOf(q, f.judge.target.Price)
		f.judge.add(q, one)
		f.graded, f.endless = f.graded.plus(one), f.endless || f.judge.endless(q)
		if q.Compared.Suite != nil && q.Request.Trial <= 1 {
			votes := func(least int) price { return one.times((least + c.Judge.Votes - 1) / c.Judge.Votes) } // q comes once a vote
			twice[q.Compared], again[q.Compared] = twice[q.Compared].plus(votes(evaluate.FreshVotes)), again[q.Compared].plus(votes(evaluate.AcquitVotes))
		}
	}
	for _, one := range again {
		f.regrade = append(f.regrade, one)
	}
}

// asked is how many calls the run needs, and cost what they cost: nil where nothing has a price.
func (f Forecast) asked() int     { return f.Plan.Calls + f.Plan.JudgeCalls }
func (f Forecast) cost() *float64 { return report.PlusUSD(f.Plan.CostUSD, f.Plan.JudgeCostUSD) }

// grading says what the judge is asked beside the answers.
func (f Forecast) grading() string {
	n := f.Plan.JudgeCalls
	switch {
	case n == 0:
		return ""
	case f.Plan.JudgeCostUSD == nil:
		return ", and about " + text.Count(n, "call") + " of the judge"
	}
	return fmt.Sprintf(", and about %s of the judge, about $%s", text.Count(n, "call"), text.Dollars(*f.Plan.JudgeCostUSD))
}
