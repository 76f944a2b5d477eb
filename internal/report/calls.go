package report

import (
	"cmp"

	"github.com/failproof/failproof/internal/model"
)

// CallPlan is the estimate of a run's calls to live targets. The upper bounds include grading.
type CallPlan struct {
	Calls int `json:"calls"`
	// upper bound of calls: each case that can flip does and is rerun up to the gate's limit, and each verified
	// recording fails
	MostCalls int      `json:"most_calls"`
	Cached    int      `json:"kept"` // answers that the response cache has
	Tokens    int      `json:"tokens"`
	CostUSD   *float64 `json:"cost_usd"` // of the targets with a price; null if there is none
	// upper bound for MostCalls answers of full length, never above the cost limit; null without a price
	MostUSD  *float64 `json:"most_usd"`
	Unpriced int      `json:"unpriced"` // calls to targets without a price

	JudgeCalls   int      `json:"judge_calls,omitempty"`    // calls to grade the answers, not included in Calls
	JudgeCostUSD *float64 `json:"judge_cost_usd,omitempty"` // of JudgeCalls; absent without a price
}

// Calls counts the calls of a run and their cost. Answers from the response cache cost nothing.
type Calls struct {
	Provider  int      `json:"provider"` // attempts
	Cached    int      `json:"cached"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	CostUSD   *float64 `json:"cost_usd"` // of the calls with a price; null if there is none
	Unpriced  int      `json:"unpriced"` // attempts without a price
	// answers without a reported token count; each counts with the most it may have cost
	Estimated int `json:"estimated"`
}

// Plus returns the sum of two counts.
func (c Calls) Plus(d Calls) Calls {
	return Calls{
		Provider: c.Provider + d.Provider, Cached: c.Cached + d.Cached,
		TokensIn: c.TokensIn + d.TokensIn, TokensOut: c.TokensOut + d.TokensOut,
		CostUSD: PlusUSD(c.CostUSD, d.CostUSD), Unpriced: c.Unpriced + d.Unpriced, Estimated: c.Estimated + d.Estimated,
	}
}

// PlusUSD returns the sum of the known costs; nil if neither is known.
func PlusUSD(a, b *float64) *float64 {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	total := *a + *b
	return &total
}

// CallsOf returns the calls and cost of one answer. A cached answer costs 0, or nil if its target has no price.
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

// Sum returns the calls and cost of the verdicts.
func (u *JudgeUse) Sum() (c Calls) {
	if u != nil {
		c = callsOfAttempts(u.Calls, u.Tokens, u.CostUSD, u.Estimated)
		c.Cached = u.Cached
	}
	return c
}

// callsOfAttempts returns the calls and cost of an answer that took some attempts.
func callsOfAttempts(attempts int, tokens *model.Tokens, cost *float64, estimated bool) Calls {
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
