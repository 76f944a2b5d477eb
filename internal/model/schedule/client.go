package schedule

import (
	"context"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Waits before another attempt.
const (
	firstWait = time.Second // longest wait before the second attempt; each further wait is twice as long: 2, 4, 8 s
	maxSpread = time.Second // longest random delay in addition to a wait that the target requested, to spread calls
)

// Client calls a target, and repeats a failed call if another attempt may succeed. The failure in a response is that of
// the last attempt, or says that the run has ended. An error is internal.
type Client struct {
	target *Target
	single model.Client
}

// Client returns a Client of the target. It makes each attempt by one call of single.
func (t *Target) Client(single model.Client) *Client { return &Client{target: t, single: single} }

// Answer calls the target until an answer comes, no further attempt makes sense, or the run ends. If ctx ends, the
// attempt is aborted. The cost in the response is the sum of all attempts.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	c.target.requested.Add(1)
	defer c.target.requested.Add(-1)
	var spent model.Cost
	request := &history{}
	for calls := 1; ; calls++ {
		answer, n, err := c.try(ctx, r, request)
		if err != nil {
			return model.Response{}, err
		}
		if n == nil { // no call was made
			answer.Attempts, answer.Usage.Cost = calls-1, spent
			return answer, nil
		}
		spent = spent.Plus(answer.Usage.Cost)
		answer.Attempts, answer.Usage.Cost = calls, spent
		if f := answer.Failure; f != nil && (f.Reason == model.ReasonNoKey || f.Reason == model.ReasonForbidden) {
			answer.Attempts-- // nothing was sent
		}
		if !n.retry || !c.wait(ctx, answer.Failure.Retry.After, n.backoff) {
			return answer, nil
		}
	}
}

// try makes one attempt if the target and the budget allow it. Otherwise d is nil, and the answer has the failure.
func (c *Client) try(ctx context.Context, r model.Request, request *history) (answer model.Response, d *decision, err error) {
	t := c.target
	probe, failure := t.admit(ctx, r)
	if failure != nil {
		return model.Response{Failure: failure}, nil, nil
	}
	defer t.finishCall()
	e, failure := reserve(ctx, t.run, func() estimate { return t.estimate(r) })
	if failure != nil {
		return model.Response{Failure: failure}, nil, nil
	}
	began := t.run.now()
	if answer, err = c.attempt(ctx, r, e); err != nil {
		return model.Response{}, nil, err
	}
	return answer, new(t.learn(r, answer,
		call{request: request, began: began, noRetry: r.NoRetry, probe: probe, expected: e})), nil
}

// attempt makes one call and charges its cost. e is the cost that is reserved for the call.
func (c *Client) attempt(ctx context.Context, r model.Request, e estimate) (model.Response, error) {
	run := c.target.run
	ctx, cancel := context.WithTimeout(ctx, run.timeLeft())
	defer cancel()
	defer context.AfterFunc(run.abortCtx, cancel)()
	answer, err := c.single.Answer(ctx, r)
	aborted := ctx.Err() != nil && (err != nil || answer.Failure != nil)
	paid := e.chargedUsage(answer, c.target.price, aborted)
	chargeCall(run, e, paid)
	if aborted {
		answer, err = model.Response{Failure: endRun(run, model.EndCutOff)}, nil
	}
	answer.Usage.Cost = paid.Cost
	return answer, err
}

// wait waits before the next attempt, for the duration after, which the target requested, and a random part of backoff.
// If backoff is 0, it does not wait itself, because admit makes all requests wait as long as the target requested. It
// returns false if the run ends first.
func (c *Client) wait(ctx context.Context, after, backoff time.Duration) bool {
	run := c.target.run
	if after >= run.timeLeft() {
		return false
	}
	if backoff > 0 {
		run.mu.Lock()
		random := min(max(run.jitter(backoff), 0), backoff)
		run.mu.Unlock()
		sleep(ctx, run, after+random, nil)
	}
	return run.failure() == nil && ctx.Err() == nil
}

// Guard returns a client that passes requests to c until the run is canceled. It is for targets without cost, which
// need no budget.
func (r *Run) Guard(c model.Client) model.Client { return guardedClient{r, c} }

type guardedClient struct {
	run    *Run
	client model.Client
}

func (g guardedClient) Answer(ctx context.Context, q model.Request) (model.Response, error) {
	if end, ended := g.run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return model.Response{Failure: g.run.failure()}, nil
	}
	return g.client.Answer(ctx, q)
}
