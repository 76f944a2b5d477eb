package schedule

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// reserve sets aside what a call may cost, before it is made. Where only calls under way could use the budget up, it waits
// for them, and looks again at what they told. It returns the failure to hand on if the run has ended or ends here.
func (r *Run) reserve(ctx context.Context, expected func() estimate) (e estimate, failure *model.Failure) {
	for {
		e = expected()
		failure, settled := r.tryReserve(e)
		if failure != nil || settled == nil {
			return e, failure
		}
		r.sleep(ctx, r.left(), settled)
		if ctx.Err() != nil {
			return e, r.cut("not asked")
		}
	}
}

// tryReserve returns a channel to wait for where the budget holds the call only if those under way cost less than they may.
func (r *Run) tryReserve(e estimate) (failure *model.Failure, settled <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start()
	if why := r.exceeded(e); why != "" {
		r.finishLocked(End{Reason: model.ReasonBudget, Why: why})
	}
	if f := r.failureLocked("not asked"); f != nil {
		return f, nil
	}
	if r.crowded(e) {
		return nil, r.settled
	}
	r.spent.Calls++
	r.underWay++
	r.reserved.tokens += e.tokens()
	r.reserved.costUSD += e.costUSD
	return nil, nil
}

// start sets the clock going with the first question.
func (r *Run) start() {
	if r.deadline.IsZero() && r.limits.Wall > 0 {
		r.deadline = r.now().Add(r.limits.Wall)
	}
}

// exceeded says which limit one more call breaks, as far as that is certain; "" if none.
func (r *Run) exceeded(e estimate) string {
	l := r.limits
	switch {
	case !r.deadline.IsZero() && !r.now().Before(r.deadline):
		return used(r.wall())
	case l.Calls > 0 && r.spent.Calls >= l.Calls:
		return used(fmt.Sprintf("limits.max_calls (%d)", l.Calls))
	case l.Tokens > 0 && r.spent.TokensIn+r.spent.TokensOut+e.tokens() > l.Tokens:
		limit := fmt.Sprintf("limits.max_tokens (%d)", l.Tokens)
		if e.tokens() > l.Tokens {
			return fmt.Sprintf("one call may take %d tokens, more than %s allows", e.tokens(), limit)
		}
		return used(limit)
	case l.CostUSD > 0 && r.spent.CostUSD+e.costUSD > l.CostUSD:
		limit := "limits.max_cost_usd (" + strconv.FormatFloat(l.CostUSD, 'f', -1, 64) + ")"
		if e.costUSD > l.CostUSD {
			return fmt.Sprintf("one call may cost $%.2f, more than %s allows", e.costUSD, limit)
		}
		return used(limit)
	}
	return ""
}

func (r *Run) wall() string { return "limits.max_wall (" + r.limits.Wall.String() + ")" }

// crowded reports whether a call fits into the budget only if those under way cost less than is set aside for them.
func (r *Run) crowded(e estimate) bool {
	l := r.limits
	return l.Tokens > 0 && r.spent.TokensIn+r.spent.TokensOut+r.reserved.tokens+e.tokens() > l.Tokens ||
		l.CostUSD > 0 && r.spent.CostUSD+r.reserved.costUSD+e.costUSD > l.CostUSD
}

// settle replaces what was set aside by what the call did cost.
func (r *Run) settle(e estimate, c model.Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reserved.tokens -= e.tokens()
	r.reserved.costUSD -= e.costUSD
	if r.underWay--; r.underWay == 0 {
		r.reserved = aside{} // what rounding left
	}
	r.spent.TokensIn += c.TokensIn
	r.spent.TokensOut += c.TokensOut
	r.spent.CostUSD += c.Cost.USD
	close(r.settled)
	r.settled = make(chan struct{})
}

// left is the time until the run's deadline; a day where it has none.
func (r *Run) left() time.Duration {
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

// cut is the failure of a request that meets the end of the run's time or of its context.
func (r *Run) cut(what string) *model.Failure {
	end := cancelled
	if r.left() == 0 {
		end = End{Reason: model.ReasonBudget, Why: used(r.wall())}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finishLocked(end)
	return r.failureLocked(what)
}

// Room names the limit that leaves no room for so many more calls, if they are as large, as dear and as slow as those so far; ""
// if there is room.
func (r *Run) Room(calls int) string {
	left := r.left()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		return r.end.Why
	}
	l, s := r.limits, r.spent
	if l.Calls > 0 && s.Calls+calls > l.Calls {
		return fmt.Sprintf("limits.max_calls (%d)", l.Calls)
	}
	if s.Calls == 0 {
		return ""
	}
	more := 1 + float64(calls)/float64(s.Calls)
	switch {
	case l.Tokens > 0 && float64(s.TokensIn+s.TokensOut)*more > float64(l.Tokens):
		return fmt.Sprintf("limits.max_tokens (%d)", l.Tokens)
	case l.CostUSD > 0 && s.CostUSD*more > l.CostUSD:
		return "limits.max_cost_usd (" + strconv.FormatFloat(l.CostUSD, 'f', -1, 64) + ")"
	case l.Wall > 0 && float64(l.Wall-left)*more > float64(l.Wall):
		return r.wall()
	}
	return ""
}
