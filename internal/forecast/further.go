package forecast

import (
	"cmp"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/evaluate"
)

// Further is what a run may ask beside its plan.
type Further struct {
	Again func(config.Gate, int) compare.Again // how often what is compared may be asked again; nil: nothing is

	Explain int // answers, at most, that tell which line broke a case that flipped

	Verify                   []evaluate.Question // one of each recorded case that may be verified
	VerifyMost, VerifyRounds int                 // cases, and times each

	Settle                   [][]evaluate.Question // one more of both sides, of each case whose new recording may get fresh answers
	SettleMost, SettleRounds int                   // cases, and times each
}

// dearest are the questions that verifying comes to where all recorded cases pass, the dearest first.
func (m Further) dearest(c *config.Config) []evaluate.Question {
	most := func(q evaluate.Question) float64 { return priceOf(q, c.Targets[q.Target].Price).most }
	out := slices.Clone(m.Verify)
	slices.SortStableFunc(out, func(a, b evaluate.Question) int { return cmp.Compare(most(b), most(a)) })
	return out[:min(len(out), m.VerifyMost)]
}

// explains reports whether it may be asked which line broke a case: one that flipped and was asked again.
func (f *Forecast) explains() bool { return f.further.Explain > 0 && f.again.Cases > 0 }

// MostOf is what so many answers to the questions of a plan cost at most, in US dollars, each as much as the dearest of them, but no more
// than the limit; nil where none has a price.
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
