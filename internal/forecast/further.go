package forecast

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Further is what a run may ask beside its plan.
type Further struct {
	Again func(config.Gate, int) compare.Again // how often what is compared may be asked again; nil: nothing is

	Explain int // answers, at most, that tell which line broke a case that flipped

	Verify                   []evaluate.Question // one of each recorded case that may be verified
	VerifyMost, VerifyRounds int                 // cases, and times each

	// one more of both sides, of each case whose new recording may get fresh answers
	Settle                   [][]evaluate.Question
	SettleMost, SettleRounds int // cases, and times each
}

// dearest returns the verification questions of a run in which all recorded cases pass, the dearest first.
func (m Further) dearest(c *config.Config) []evaluate.Question {
	most := func(q evaluate.Question) float64 { return priceOf(q, c.Targets[q.Target].Price).most }
	out := slices.Clone(m.Verify)
	slices.SortStableFunc(out, func(a, b evaluate.Question) int { return cmp.Compare(most(b), most(a)) })
	return out[:min(len(out), m.VerifyMost)]
}

// explains reports whether the run may ask which line broke a case that flipped.
func (f *Forecast) explains() bool { return f.further.Explain > 0 && f.again.Cases > 0 }

// MostOf returns the most that so many answers to a plan's questions can cost, in US dollars: each as much as the
// dearest, and together at most the limit; nil if none has a price.
func MostOf(plan evaluate.Plan, answers int, c *config.Config) *float64 {
	plan.Journal = nil
	var most *float64
	for q := range evaluate.Questions(plan) {
		if p := c.Targets[q.Target].Price; p != nil {
			one := min(priceOf(q, p).most*float64(answers), c.Limits.InForce().MaxCostUSD)
			if most == nil || one > *most {
				most = &one
			}
		}
	}
	return most
}

// grade adds up the questions to the judge about a plan's answers. twice is the price of asking each case once more;
// grade adds that of grading.
func (f *Forecast) grade(plan evaluate.Plan, c *config.Config, twice map[evaluate.CaseAt]price) {
	again := map[evaluate.CaseAt]price{}
	for q := range evaluate.Gradings(plan) {
		f.judge.target = c.Targets[q.Target]
		one := priceOf(q, f.judge.target.Price)
		f.judge.price, f.endless = f.judge.plus(one), f.endless || f.judge.endless(q)
		if q.Compared.Suite != nil && q.Request.Trial <= 1 {
			// q comes once a vote
			votes := func(least int) price { return one.times((least + c.Judge.Votes - 1) / c.Judge.Votes) }
			twice[q.Compared], again[q.Compared] = twice[q.Compared].plus(votes(evaluate.RerunVotes)),
				again[q.Compared].plus(votes(evaluate.AcquitVotes))
		}
	}
	f.regrade = slices.Collect(maps.Values(again))
}

// calls returns how many calls the run needs; cost returns their price, or nil if no target has a price.
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
