package schedule

import (
	"context"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// How often and when a request is asked again.
const (
	maxTries  = 5
	firstWait = time.Second // at most, before the second try; it doubles from try to try: 1, 2, 4, 8 s
	spread    = time.Second // at most, behind a time that the target named, so that not all come at once
)

// Client asks a target again and again, as far as that makes sense. Its failures are the last attempt's. Its error is a
// fault of our world; that the run ended is a failure.
type Client struct {
	target *Target
	once   model.Client
}

// Client returns a client of the target that makes its attempts through once.
func (t *Target) Client(once model.Client) *Client { return &Client{target: t, once: once} }

// Answer asks until an answer comes, no further attempt makes sense, or the run ends. The end of ctx cuts an attempt off.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	for try := 1; ; try++ {
		e := c.target.estimate(r)
		probe, failure := c.target.admit(ctx, e.tokens)
		if failure == nil {
			failure = c.target.run.reserve(ctx, e)
		}
		if failure != nil {
			return model.Response{Failure: failure, Attempts: try - 1}, nil
		}
		answer, err := c.attempt(ctx, r, e, probe)
		if err != nil {
			return model.Response{}, err
		}
		answer.Attempts = try
		if !again(answer.Failure, try) || !c.wait(ctx, answer.Failure, try) {
			return answer, nil
		}
	}
}

// attempt asks once.
func (c *Client) attempt(ctx context.Context, r model.Request, e estimate, probe bool) (model.Response, error) {
	run := c.target.run
	ctx, cancel := context.WithTimeout(ctx, run.left())
	defer cancel()
	watched := make(chan struct{})
	defer close(watched)
	go func() {
		select {
		case <-run.cutOff:
			cancel()
		case <-watched:
		}
	}()
	answer, err := c.once.Answer(ctx, r)
	if answer.Usage.CostUSD == 0 {
		answer.Usage.CostUSD = Cost(c.target.price, answer.Usage.TokensIn, answer.Usage.TokensOut)
	}
	run.settle(e, answer.Usage)
	if ctx.Err() != nil && (err != nil || answer.Failure != nil) {
		answer, err = model.Response{Failure: run.cut("cut off")}, nil
	}
	if err == nil {
		c.target.learn(r, answer, probe, e.tokens)
	}
	return answer, err
}

// again reports whether asking again makes sense.
func again(f *model.Failure, try int) bool {
	return f != nil && f.Retry != nil && try < maxTries && (f.Retry.Max == 0 || try <= f.Retry.Max)
}

// wait waits before the next try and reports whether there is one. A time that the target named holds for all who ask it, so
// it is kept where they are admitted.
func (c *Client) wait(ctx context.Context, f *model.Failure, try int) bool {
	run := c.target.run
	limit := firstWait << (try - 1)
	if f.Retry.After > 0 {
		limit = spread
	}
	if f.Retry.After >= run.left() {
		return false
	}
	run.sleep(ctx, f.Retry.After+run.pick(limit), nil)
	return run.failure() == nil && ctx.Err() == nil
}

// Guard returns a client that answers through c until the run is cancelled. It is for targets that cost nothing, which no
// budget concerns.
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
