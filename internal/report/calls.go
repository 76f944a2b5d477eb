package report

import "cmp"

// CallPlan is what a run plans to ask of live targets. Tokens and costs are estimates. Its upper bounds are of answers
// and grading together.
type CallPlan struct {
	Calls     int      `json:"calls"`
	MostCalls int      `json:"most_calls"` // where every case flips that can, and is asked again as often as the gate says, and no recording holds that is verified
	Kept      int      `json:"kept"`       // answers that were there already
	Tokens    int      `json:"tokens"`
	CostUSD   *float64 `json:"cost_usd"` // of targets with a price; null where none has one
	// of MostCalls, each as long as it may be, but no more than the limit; likewise
	MostUSD  *float64 `json:"most_usd"`
	Unpriced int      `json:"unpriced"` // of Calls, those of targets without a price

	JudgeCalls   int      `json:"judge_calls,omitempty"`    // beside Calls: to grade the answers
	JudgeCostUSD *float64 `json:"judge_cost_usd,omitempty"` // likewise; absent without a price
}

// Calls counts the calls of both sides, and their cost. Kept answers cost nothing.
type Calls struct {
	Provider  int      `json:"provider"` // attempts
	Cached    int      `json:"cached"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	CostUSD   *float64 `json:"cost_usd"` // as far as there is a price; null where there is none
	Unpriced  int      `json:"unpriced"` // of Provider, those that there is no price for
	// answers of which it was not told what they took; they count as much as they may have cost
	Estimated int `json:"estimated"`
}

// Plus adds up two sides' calls.
func (c Calls) Plus(d Calls) Calls {
	return Calls{
		Provider: c.Provider + d.Provider, Cached: c.Cached + d.Cached,
		TokensIn: c.TokensIn + d.TokensIn, TokensOut: c.TokensOut + d.TokensOut,
		CostUSD: PlusUSD(c.CostUSD, d.CostUSD), Unpriced: c.Unpriced + d.Unpriced, Estimated: c.Estimated + d.Estimated,
	}
}

// PlusUSD adds up what is known; nil where neither is.
func PlusUSD(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	total := *a + *b
	return &total
}

// CallsOf returns the calls and cost of one answer. A kept one costs nothing, if there is a price at all.
func CallsOf(r Result) (c Calls) {
	if r.Cached {
		c.Cached = 1
		if r.CostUSD != nil {
			c.CostUSD = new(float64)
		}
		return c
	}
	return callsOfAttempts(*cmp.Or(r.Attempts, new(1)), r.Tokens, r.CostUSD, r.Estimated)
}

// Sum is what the verdicts cost.
func (u *JudgeUse) Sum() (c Calls) {
	if u != nil {
		c = callsOfAttempts(u.Calls, u.Tokens, u.CostUSD, u.Estimated)
		c.Cached = u.Cached
	}
	return c
}

// callsOfAttempts counts the attempts that one answer took.
func callsOfAttempts(attempts int, tokens *Tokens, cost *float64, estimated bool) Calls {
	c := Calls{Provider: attempts, CostUSD: cost}
	if tokens != nil {
		c.TokensIn, c.TokensOut = tokens.In, tokens.Out
	}
	if cost == nil {
		c.Unpriced = attempts
	}
	if estimated {
		c.Estimated = 1
	}
	return c
}
