package schedule

import (
	"context"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// Waits before another attempt.
const (
	firstWait = time.Second // longest wait before the second attempt; it doubles with each attempt: 1, 2, 4, 8 s
	spread    = time.Second // longest random delay after a time that the target named, so that calls are spread
)

// Client calls a target, and repeats a failed call if that makes sense. The failure that it returns is that of the last
// attempt, or the end of the run. An error that it returns is internal.
type Client struct {
	target *Target
	once   model.Client
}

// Client returns a client of the target that makes each attempt with the client once.
func (t *Target) Client(once model.Client) *Client { return &Client{target: t, once: once} }

// Answer calls the target until an answer comes, no further attempt makes sense, or the run ends. If ctx ends, the
// attempt is aborted. The cost in the response is the sum of all attempts.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	c.target.requested.Add(1)
	defer c.target.requested.Add(-1)
	var spent model.Cost
	request := &asking{}
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
		if !n.again || !c.wait(ctx, answer.Failure.Retry.After, n.backoff) {
			return answer, nil
		}
	}
}

// try makes one attempt if the target and the budget allow it. Otherwise it returns a nil n, and an answer that has the
// failure.
func (c *Client) try(ctx context.Context, r model.Request, request *asking) (answer model.Response, n *next, err error) {
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
	at := t.run.now()
	if answer, err = c.attempt(ctx, r, e); err != nil {
		return model.Response{}, nil, err
	}
	return answer, new(t.learn(r, answer, call{request: request, at: at, once: r.Once, probe: probe, expected: e})), nil
}

// attempt makes one call and charges its cost.
func (c *Client) attempt(ctx context.Context, r model.Request, e estimate) (model.Response, error) {
	run := c.target.run
	ctx, cancel := context.WithTimeout(ctx, run.timeLeft())
	defer cancel()
	defer context.AfterFunc(run.cutOff, cancel)()
	answer, err := c.once.Answer(ctx, r)
	cut := ctx.Err() != nil && (err != nil || answer.Failure != nil)
	paid := e.charge(answer, c.target.price, cut)
	chargeCall(run, e, paid)
	if cut {
		answer, err = model.Response{Failure: cutRun(run, model.EndCutOff)}, nil
	}
	answer.Usage.Cost = paid.Cost
	return answer, err
}

// wait waits before the next attempt. It returns false if the run ends before the wait does. A wait that the target
// requested applies to all requests, so that admit enforces it too.
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

// Guard returns a client that answers through c until the run is canceled. It is for targets without cost, which need
// no budget.
func (r *Run) Guard(c model.Client) model.Client { return guarded{r, c} }

type guarded struct {
	run    *Run
	client model.Client
}

func (g guarded) Answer(ctx context.Context, q model.Request) (model.Response, error) {
	if end, ended := g.run.Ended(); ended && end.Reason == model.ReasonCancelled {
		return model.Response{Failure: g.run.failure()}, nil
	}
	return g.client.Answer(ctx, q)
}
