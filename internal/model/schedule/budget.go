package schedule

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// estimate is what one call may cost, before its answer is there.
type estimate struct {
	tokens  int
	costUSD float64
}

// reserve sets aside what a call may cost, before it is made. Where only calls under way could use the budget up, it waits
// for them. It returns the failure to hand on if the run has ended or ends here.
func (r *Run) reserve(ctx context.Context, e estimate) *model.Failure {
	for {
		failure, settled := r.tryReserve(e)
		if failure != nil || settled == nil {
			return failure
		}
		r.sleep(ctx, r.left(), settled)
		if ctx.Err() != nil {
			return r.cut("not asked")
		}
	}
}

// tryReserve returns a channel to wait for where the budget holds the call only if those under way cost less than they may.
func (r *Run) tryReserve(e estimate) (failure *model.Failure, settled <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start()
	if limit := r.exceeded(e); limit != "" {
		r.finishLocked(used(limit))
	}
	if f := r.failureLocked("not asked"); f != nil {
		return f, nil
	}
	if r.crowded(e) {
		return nil, r.settled
	}
	r.spent.Calls++
	r.underWay++
	r.reserved.tokens += e.tokens
	r.reserved.costUSD += e.costUSD
	return nil, nil
}

// start sets the clock going with the first question.
func (r *Run) start() {
	if r.deadline.IsZero() && r.limits.Wall > 0 {
		r.deadline = r.now().Add(r.limits.Wall)
	}
}

// exceeded names the limit that one more call breaks, as far as that is certain; "" if none.
func (r *Run) exceeded(e estimate) string {
	l := r.limits
	switch {
	case !r.deadline.IsZero() && !r.now().Before(r.deadline):
		return r.wall()
	case l.Calls > 0 && r.spent.Calls >= l.Calls:
		return fmt.Sprintf("limits.max_calls (%d)", l.Calls)
	case l.Tokens > 0 && r.spent.TokensIn+r.spent.TokensOut+e.tokens > l.Tokens:
		return fmt.Sprintf("limits.max_tokens (%d)", l.Tokens)
	case l.CostUSD > 0 && r.spent.CostUSD+e.costUSD > l.CostUSD:
		return "limits.max_cost_usd (" + strconv.FormatFloat(l.CostUSD, 'f', -1, 64) + ")"
	}
	return ""
}

func (r *Run) wall() string { return "limits.max_wall (" + r.limits.Wall.String() + ")" }

// crowded reports whether a call fits into the budget only if those under way cost less than is set aside for them.
func (r *Run) crowded(e estimate) bool {
	l := r.limits
	return l.Tokens > 0 && r.spent.TokensIn+r.spent.TokensOut+r.reserved.tokens+e.tokens > l.Tokens ||
		l.CostUSD > 0 && r.spent.CostUSD+r.reserved.costUSD+e.costUSD > l.CostUSD
}

// settle replaces what was set aside by what the call did cost.
func (r *Run) settle(e estimate, used model.Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reserved.tokens -= e.tokens
	r.reserved.costUSD -= e.costUSD
	if r.underWay--; r.underWay == 0 {
		r.reserved = estimate{} // what rounding left
	}
	r.spent.TokensIn += used.TokensIn
	r.spent.TokensOut += used.TokensOut
	r.spent.CostUSD += used.CostUSD
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
		end = used(r.wall())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.finishLocked(end)
	return r.failureLocked(what)
}
