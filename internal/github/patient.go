package github

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_primary_ratelimit"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_secondary_ratelimit"
)

const (
	// patience is how long a client waits for rate limits, all waits together. A verdict must not hang on publishing.
	patience = 60 * time.Second
	// readTries is how often a question is asked while GitHub breaks, with 1, 2 and 4 seconds between.
	readTries = 4
	// maxTries bounds all repetitions of a request, also where a rate limit claims to be over and is not.
	maxTries = 6
	// writeGap is the pause between two writes that GitHub asks for ("Best practices for using the REST API").
	writeGap = time.Second
)

// readKey marks a request that changes nothing although it is a POST.
type readKey struct{}

// patient waits: for rate limits, between writes, and before it asks a failed question again. Writes are never
// repeated here, because a failed one may have been carried out; those who write look first.
type patient struct {
	limited http.RoundTripper
	sleep   Sleep

	mu        sync.Mutex
	waited    time.Duration // for the primary limit and bare 429 answers
	secondary time.Duration // by the limiter itself
	nextWrite time.Time
}

func newPatient(carrier *attempt, sleep Sleep) *patient {
	p := &patient{sleep: sleep}
	p.limited = github_ratelimit.New(carrier, github_secondary_ratelimit.WithLimitDetectedCallback(p.noted))
	return p
}

// noted counts what the limiter is about to wait.
func (p *patient) noted(c *github_secondary_ratelimit.CallbackContext) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.secondary = *c.TotalSleepTime
}

func (p *patient) RoundTrip(request *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		if err := p.pace(request); err != nil {
			return nil, err
		}
		response, err := p.once(request)
		wait, again := p.again(request, response, err, try)
		if !again {
			return withoutReset(response), err
		}
		discard(response)
		if err := p.sleep.wait(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// once sends a request through the limiter, whose waiting gets what is left of our patience.
func (p *patient) once(request *http.Request) (*http.Response, error) {
	p.mu.Lock()
	limit := patience - p.waited
	p.mu.Unlock()
	ctx := github_ratelimit.WithOverrideConfig(request.Context(), github_secondary_ratelimit.WithTotalSleepLimit(limit, nil))
	response, err := p.limited.RoundTrip(request.WithContext(ctx))
	if reached := limitReached(err); reached != nil {
		discard(reached.Response)
	}
	return response, err
}

// again decides whether a request is sent once more, and after how long.
func (p *patient) again(request *http.Request, response *http.Response, err error, try int) (time.Duration, bool) {
	if request.Context().Err() != nil || try >= maxTries {
		return 0, false
	}
	if reached := limitReached(err); reached != nil && reached.ResetTime != nil {
		// A second more, since clocks differ and the limiter forgets the limit only when it is over.
		return p.spend(max(time.Until(*reached.ResetTime), 0) + time.Second)
	}
	if response != nil && response.StatusCode == http.StatusTooManyRequests {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return p.spend(time.Duration(seconds) * time.Second)
	}
	broken := err != nil && limitReached(err) == nil && !errors.Is(err, errTooLarge) || response != nil && response.StatusCode >= 500
	if broken && isRead(request) && try < readTries {
		return time.Second << (try - 1), true
	}
	return 0, false
}

// spend takes a wait out of our patience, if it holds that much.
func (p *patient) spend(wait time.Duration) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wait <= 0 || p.waited+p.secondary+wait > patience {
		return 0, false
	}
	p.waited += wait
	return wait, true
}

// pace leaves a second between writes.
func (p *patient) pace(request *http.Request) error {
	if isRead(request) {
		return nil
	}
	p.mu.Lock()
	wait := time.Until(p.nextWrite)
	p.nextWrite = time.Now().Add(max(wait, 0) + writeGap)
	p.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	return p.sleep.wait(request.Context(), wait)
}

func isRead(request *http.Request) bool {
	return request.Method == http.MethodGet || request.Method == http.MethodHead || request.Context().Value(readKey{}) != nil
}

func limitReached(err error) *github_primary_ratelimit.RateLimitReachedError {
	reached, _ := errors.AsType[*github_primary_ratelimit.RateLimitReachedError](err)
	return reached
}

// withoutReset keeps go-github from refusing requests by itself once the last one of a window was spent: the waiting
// is done here.
func withoutReset(response *http.Response) *http.Response {
	if response != nil && response.StatusCode < 400 {
		response.Header.Del("X-RateLimit-Reset")
	}
	return response
}

func discard(response *http.Response) {
	if response != nil && response.Body != nil {
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}
