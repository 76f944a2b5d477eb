package schedule

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// reserve calls expected for e, the possible cost of a call, and reserves it. If the cost fits only after calls in
// progress cost less than they reserved, reserve waits for them. It returns a failure if the run has ended, or if this
// call ends it.
func reserve(ctx context.Context, r *Run, expected func() estimate) (e estimate, failure *model.Failure) {
	for {
		e = expected()
		failure, settled := tryReserve(r, e)
		if failure != nil || settled == nil {
			return e, failure
		}
		sleep(ctx, r, r.timeLeft(), settled)
		if ctx.Err() != nil {
			return e, endRun(r, model.EndNotCalled)
		}
	}
}

// tryReserve reserves e, the possible cost of a call. It returns a failure if the run has ended or ends here. If the
// cost does not fit yet, it returns a channel that is closed when a call in progress ends.
func tryReserve(r *Run, e estimate) (failure *model.Failure, settled <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.deadline.IsZero() && r.limits.Wall > 0 { // the time limit starts with the first call
		r.deadline = r.now().Add(r.limits.Wall)
	}
	if why := exceededLimit(r, e); why != "" {
		r.finishLocked(End{Reason: model.ReasonBudget, Why: why})
	}
	if f := r.failureLocked(model.EndNotCalled); f != nil {
		return f, nil
	}
	if !fits(r, 1, e) {
		return nil, r.callSettled
	}
	r.spent.Calls++
	r.underWay++
	r.reserved.tokens += e.tokens()
	r.reserved.costUSD += e.costUSD
	return nil, nil
}

// exceededLimit returns why one more call of the size e certainly exceeds a limit, or "".
func exceededLimit(r *Run, e estimate) string {
	l := r.limits
	switch {
	case !r.deadline.IsZero() && !r.now().Before(r.deadline):
		return usedUp(l.wallText())
	case l.Calls > 0 && r.spent.Calls >= l.Calls:
		return usedUp(l.callsText())
	case l.Tokens > 0 && r.spent.TokensIn+r.spent.TokensOut+e.tokens() > l.Tokens:
		if e.tokens() > l.Tokens {
			return fmt.Sprintf("one call can take %d tokens, more than %s allows", e.tokens(), l.tokensText())
		}
		return usedUp(l.tokensText())
	case l.CostUSD > 0 && r.spent.CostUSD+e.costUSD > l.CostUSD:
		if e.costUSD > l.CostUSD {
			return fmt.Sprintf("one call can cost $%.2f, more than %s allows", e.costUSD, l.costText())
		}
		return usedUp(l.costText())
	}
	return ""
}

// JudgingContext returns a context for judging answers. It ends after 1.1 times Limits.Wall, which is later than the
// last call, so that the last answers are judged. Without that limit, it ends only when it is canceled.
func (r *Run) JudgingContext() (context.Context, context.CancelFunc) {
	if r.limits.Wall <= 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeoutCause(context.Background(), r.limits.Wall+r.limits.Wall/10, errors.New(usedUp(r.limits.wallText())))
}

// callsText, tokensText, costText and wallText return the key of a limit in the configuration with its value.
func (l Limits) callsText() string  { return fmt.Sprintf("limits.max_calls (%d)", l.Calls) }
func (l Limits) tokensText() string { return fmt.Sprintf("limits.max_tokens (%d)", l.Tokens) }
func (l Limits) costText() string {
	return "limits.max_cost_usd (" + strconv.FormatFloat(l.CostUSD, 'f', -1, 64) + ")"
}
func (l Limits) wallText() string { return "limits.max_wall (" + l.Wall.String() + ")" }

// fits reports whether n calls of the size e fit into the budget, in addition to what is spent and reserved. The caller
// must hold r.mu.
func fits(r *Run, n int, e estimate) bool {
	l := r.limits
	return (l.Tokens <= 0 || r.spent.TokensIn+r.spent.TokensOut+r.reserved.tokens+n*e.tokens() <= l.Tokens) &&
		(l.CostUSD <= 0 || r.spent.CostUSD+r.reserved.costUSD+float64(n)*e.costUSD <= l.CostUSD)
}

// canAfford reports whether n calls of the size e fit into the budget. In this case, no call has to wait for the real
// cost of another.
func canAfford(r *Run, n int, e estimate) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fits(r, n, e)
}

// chargeCall replaces e, the reserved cost of a call, by c, its real usage.
func chargeCall(r *Run, e estimate, c model.Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reserved.tokens -= e.tokens()
	r.reserved.costUSD -= e.costUSD
	if r.underWay--; r.underWay == 0 {
		r.reserved = reservation{} // rounding errors
	}
	r.spent.TokensIn += c.TokensIn
	r.spent.TokensOut += c.TokensOut
	r.spent.CostUSD += c.Cost.USD
	close(r.callSettled)
	r.callSettled = make(chan struct{})
}

// timeLeft returns the time until the deadline of the run. It returns a day if the run has no time limit.
func (r *Run) timeLeft() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limits.Wall <= 0 {
		return 24 * time.Hour
	}
	if r.deadline.IsZero() {
		return r.limits.Wall
	}
	return max(r.deadline.Sub(r.now()), 0)
}

// endRun ends the run because its time is up or its context has ended. It returns the failure of a request with the
// given end state.
func endRun(r *Run, state model.EndState) *model.Failure {
	end := endCancelled
	if r.timeLeft() == 0 {
		end = End{Reason: model.ReasonBudget, Why: usedUp(r.limits.wallText())}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finishLocked(end)
	return r.failureLocked(state)
}

// ExceededBy returns the limit that the given number of further calls would exceed, or "". It assumes that further
// calls use as much as the calls so far. If the run has ended, ExceededBy returns the reason.
func (r *Run) ExceededBy(calls int) string {
	left := r.timeLeft()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		return r.end.Why
	}
	l, s := r.limits, r.spent
	if l.Calls > 0 && s.Calls+calls > l.Calls {
		return l.callsText()
	}
	if s.Calls == 0 {
		return ""
	}
	factor := 1 + float64(calls)/float64(s.Calls)
	switch {
	case l.Tokens > 0 && float64(s.TokensIn+s.TokensOut)*factor > float64(l.Tokens):
		return l.tokensText()
	case l.CostUSD > 0 && s.CostUSD*factor > l.CostUSD:
		return l.costText()
	case l.Wall > 0 && float64(l.Wall-left)*factor > float64(l.Wall):
		return l.wallText()
	}
	return ""
}

// Figures for estimates.
const (
	expectedOut   = 500 // tokens of an answer without a limit, before any answer is known
	perMessage    = 4   // tokens of a message in addition to its text
	bytesPerToken = 4   // in English text
	maxOverhead   = 16  // most tokens of a message or a request in addition to its texts

	// longestText is a number of tokens that no answer of a model exceeds (GPT-5 and Claude: 128,000). No text that a
	// target adds to a request exceeds it either.
	longestText = 200_000
)

// TokensIn returns the estimated number of tokens of a request.
func TokensIn(r model.Request) (n int) {
	n = (len(r.Parameters.JSONSchema) + len(r.AnswerSchema) + len(r.Tools) + bytesPerToken - 1) / bytesPerToken
	for _, m := range r.Messages {
		n += perMessage + (len(m.Content)+bytesPerToken-1)/bytesPerToken
	}
	for _, v := range r.Vars {
		n += (len(v) + bytesPerToken - 1) / bytesPerToken
	}
	return n
}

// MostIn returns an upper bound for the number of tokens of a request. It counts one token for each byte, because no
// token is shorter.
func MostIn(r model.Request) (n int) {
	n = maxOverhead + len(r.Parameters.JSONSchema) + len(r.AnswerSchema) + len(r.Tools)
	for _, m := range r.Messages {
		n += maxOverhead + len(m.Content)
	}
	for name, v := range r.Vars {
		n += maxOverhead + len(name) + len(v)
	}
	return n
}

// MostOut returns an upper bound for the number of tokens of an answer. If neither the request nor its provider sets a
// limit, it returns the expected number and false.
func MostOut(r model.Request) (int, bool) {
	if r.Parameters.MaxTokens != nil {
		return *r.Parameters.MaxTokens, true
	}
	if limit := config.MaxOutputTokens(r.Provider); limit > 0 {
		return limit, true
	}
	return expectedOut, false
}

// Cost returns the price in US dollars of the given numbers of input and output tokens.
func Cost(p config.Price, input, output int) float64 {
	return float64(float64(input)*p.InputPerMillion)/1e6 + float64(float64(output)*p.OutputPerMillion)/1e6
}

// sizes has the sizes of the answers of a target so far, for estimating the next answers.
type sizes struct {
	answered     bool    // whether any answer came
	density      float64 // largest ratio of real to estimated tokens of a request; 0 counts as 1
	overhead     int     // most tokens of a request beyond MostIn: text that the target adds
	maxTokensOut int     // most tokens of an answer
	ignoresLimit bool    // whether an answer exceeded its limit, which means that the target ignores limits
	maxCost      float64 // highest cost of an answer in US dollars, for a target without a price
}

// estimate is the possible size and cost of one call.
type estimate struct {
	tokensIn, tokensOut int     // tokensIn is the likely number; tokensOut is an upper bound if one is known
	costUSD             float64 // an upper bound if one is known
}

func (e estimate) tokens() int { return e.tokensIn + e.tokensOut }

// estimate returns the possible size and cost of the request r. price is nil if the target has none.
func (s sizes) estimate(r model.Request, price *config.Price) estimate {
	out, limited := MostOut(r)
	switch {
	case limited && s.ignoresLimit:
		out = max(out, s.maxTokensOut)
	case !limited && s.maxTokensOut > 0:
		out = s.maxTokensOut
	}
	e := estimate{tokensIn: int(math.Ceil(float64(TokensIn(r))*max(s.density, 1))) + s.overhead, tokensOut: out,
		costUSD: s.maxCost}
	if price != nil {
		e.costUSD = Cost(*price, MostIn(r)+s.overhead, e.tokensOut)
	}
	return e
}

func (s *sizes) learn(r model.Request, a model.Response) {
	s.answered = s.answered || a.Failure == nil
	s.overhead = max(s.overhead, a.Usage.TokensIn-MostIn(r))
	s.density = max(s.density, float64(min(a.Usage.TokensIn, MostIn(r)))/float64(max(TokensIn(r), 1)))
	s.maxTokensOut = max(s.maxTokensOut, a.Usage.TokensOut)
	if limit, limited := MostOut(r); limited && a.Usage.TokensOut > limit {
		s.ignoresLimit = true
	}
	s.maxCost = max(s.maxCost, a.Usage.Cost.USD)
}

// chargedUsage returns the usage that counts for a call with the response a. It is the usage that the target reports.
// If the target reports none and may still have worked, the estimate e counts. aborted says whether the call was
// aborted.
func (e estimate) chargedUsage(a model.Response, price *config.Price, aborted bool) model.Usage {
	c := a.Usage
	measured, estimated := c.TokensIn > 0 || c.TokensOut > 0, false
	if measured || a.Failure == nil || a.MayCost || aborted {
		if c.TokensIn <= 0 {
			c.TokensIn, estimated = e.tokensIn, true
		}
		if c.TokensOut <= 0 && (!measured || a.Text != "") {
			c.TokensOut, estimated = e.tokensOut, true
		}
	}
	if price == nil || c.Cost.USD > 0 {
		return c
	}
	c.Cost = model.Cost{USD: Cost(*price, c.TokensIn, c.TokensOut), Known: true, Estimated: estimated}
	if estimated {
		c.Cost.USD = max(c.Cost.USD, e.costUSD)
	}
	return c
}
