package github

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/text"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_primary_ratelimit"
	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_secondary_ratelimit"
	"github.com/google/go-github/v60/github"
)

// Options configure a client. Only BaseURL is required.
type Options struct {
	BaseURL   string // GITHUB_API_URL, for example https://api.github.com or https://ghes.example/api/v3
	Token     string // "": none
	UserAgent string // "": failproof

	Transport http.RoundTripper // nil: a new transport
	// Sleep waits before a retry and between two writes. Waits for a secondary rate limit are made by the limiter,
	// always in real time.
	Sleep Sleep
}

// Sleep waits for a time, or returns the context's error. A nil Sleep waits in real time.
type Sleep func(context.Context, time.Duration) error

func (s Sleep) wait(ctx context.Context, d time.Duration) error {
	if s != nil {
		return s(ctx, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// NewClient returns a client that waits for rate limits up to 60 seconds in total and retries reads that fail at
// GitHub. It leaves a second between writes and bounds the time and size of every response. It sends its token only
// to the API's host, and follows redirects on that host, which renamed repositories need.
func NewClient(o Options) (*github.Client, error) {
	base := webURL(strings.TrimRight(o.BaseURL, "/") + "/")
	if base == nil || base.User != nil || base.RawQuery != "" {
		return nil, fmt.Errorf("the address of GitHub's API, %q, is not an http or https URL",
			text.TruncateBytes(o.BaseURL, 100))
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	carrier := &tokenTransport{base: o.Transport, host: base, token: o.Token}
	client := github.NewClient(&http.Client{Transport: newRetryTransport(carrier, o.Sleep), CheckRedirect: sameHost})
	client.BaseURL = base
	client.UserAgent = cmp.Or(o.UserAgent, "failproof")
	return client, nil
}

// webURL parses an http or https address. It returns nil for any other text.
func webURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return u
}

// newTransport returns a transport that uses the environment's proxy for https only. Runners behind a firewall need the
// proxy. A proxy sees only the host name of an https request, but would see the token of an http request.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Scheme != "https" {
				return nil, nil
			}
			return http.ProxyFromEnvironment(r)
		},
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        8,
		IdleConnTimeout:     30 * time.Second,
	}
}

// redirectError is the error of a redirect that is not followed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }

// sameHost allows redirects to the same host that keep the method, at most 5 of them. A redirect with status 301 turns
// a POST into a GET, and the success of that GET would look like the success of the POST.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme:
		return &redirectError{"GitHub redirected to another host, " + oneLine(next.URL.Host) +
			", which is not followed"}
	case next.Method != first.Method:
		return &redirectError{"GitHub redirected a " + first.Method + " and would have turned it into a " +
			next.Method + "; has the repository been renamed?"}
	case len(via) > 5:
		return &redirectError{"GitHub redirected more than 5 times"}
	}
	return nil
}

// errTooLarge is the error of a response beyond maxAnswer.
var errTooLarge = errors.New("the answer is larger than 100 MiB")

const (
	// patience limits the sum of all waits for rate limits, because a verdict must not depend on publishing.
	patience = 60 * time.Second
	// readTries is the largest number of tries of a read that fails at GitHub. The pauses are 1, 2 and 4 seconds.
	readTries = 4
	// maxTries is the largest number of tries of a request. Tries after a rate limit that seems to be over and is not
	// count too.
	maxTries = 6
	// writeGap is the pause between writes that GitHub asks for ("Best practices for using the REST API").
	writeGap = time.Second
)

// readKey is the context key that marks a POST request that changes nothing.
type readKey struct{}

// retryTransport waits for rate limits and between writes, and retries failed reads. It never retries a failed write,
// because GitHub may have carried it out; callers read the state before they write again.
type retryTransport struct {
	limiter http.RoundTripper
	sleep   Sleep

	mu        sync.Mutex
	waited    time.Duration // for the primary limit, and 429 answers without details
	secondary time.Duration // for secondary limits, by the limiter
	nextWrite time.Time
}

func newRetryTransport(carrier *tokenTransport, sleep Sleep) *retryTransport {
	p := &retryTransport{sleep: sleep}
	countWait := func(c *github_secondary_ratelimit.CallbackContext) { // before each wait, which the sum includes
		p.mu.Lock()
		defer p.mu.Unlock()
		p.secondary = *c.TotalSleepTime
	}
	p.limiter = github_ratelimit.New(carrier, github_secondary_ratelimit.WithLimitDetectedCallback(countWait))
	return p
}

func (p *retryTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		if err := p.waitForWrite(request); err != nil {
			return nil, err
		}
		response, err := p.send(request)
		wait, again := p.retryWait(request, response, err, try)
		if !again {
			// otherwise go-github itself rejects requests after the last one of a window
			if response != nil && response.StatusCode < 400 {
				response.Header.Del("X-RateLimit-Reset")
			}
			return response, err
		}
		discard(response)
		if err := p.sleep.wait(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// send sends a request through the limiter. The limiter may wait until the patience is used up.
func (p *retryTransport) send(request *http.Request) (*http.Response, error) {
	p.mu.Lock()
	limit := patience - p.waited
	p.mu.Unlock()
	ctx := github_ratelimit.WithOverrideConfig(request.Context(),
		github_secondary_ratelimit.WithTotalSleepLimit(limit, nil))
	response, err := p.limiter.RoundTrip(request.WithContext(ctx))
	if reached := limitReached(err); reached != nil {
		discard(reached.Response)
	}
	return response, err
}

// retryWait returns how long to wait before the request is tried again, or false if it must not be.
func (p *retryTransport) retryWait(request *http.Request, response *http.Response, err error, try int) (time.Duration,
	bool) {
	if request.Context().Err() != nil || try >= maxTries {
		return 0, false
	}
	if reached := limitReached(err); reached != nil && reached.ResetTime != nil {
		// One more second, because clocks differ and the limiter holds the limit to its end.
		return p.reserveWait(max(time.Until(*reached.ResetTime), 0) + time.Second)
	}
	if response != nil && response.StatusCode == http.StatusTooManyRequests {
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return p.reserveWait(time.Duration(seconds) * time.Second)
	}
	broken := err != nil && limitReached(err) == nil && !errors.Is(err, errTooLarge) || response != nil &&
		response.StatusCode >= 500
	if broken && isRead(request) && try < readTries {
		return time.Second << (try - 1), true
	}
	return 0, false
}

// reserveWait takes wait from the patience that is left, and returns it. It returns false if wait is not positive, or
// longer than the patience that is left.
func (p *retryTransport) reserveWait(wait time.Duration) (time.Duration, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wait <= 0 || p.waited+p.secondary+wait > patience {
		return 0, false
	}
	p.waited += wait
	return wait, true
}

// waitForWrite waits before a write, so that a second passes between two writes.
func (p *retryTransport) waitForWrite(request *http.Request) error {
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
	return request.Method == http.MethodGet || request.Method == http.MethodHead ||
		request.Context().Value(readKey{}) != nil
}

func limitReached(err error) *github_primary_ratelimit.RateLimitReachedError {
	reached, _ := errors.AsType[*github_primary_ratelimit.RateLimitReachedError](err)
	return reached
}

func discard(response *http.Response) {
	if response != nil && response.Body != nil {
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
}

const (
	// attemptTime limits one request with its whole response. The largest responses are blobs.
	attemptTime = 2 * time.Minute
	// maxAnswer is the largest response in bytes. A blob of 64 MiB in base64 fits.
	maxAnswer = 100 << 20
)

// tokenTransport sends one request once, with the token if it goes to the API's host. It reads the whole response, so
// that a broken connection is an error of the request.
type tokenTransport struct {
	base  http.RoundTripper
	host  *url.URL
	token string
}

func (a *tokenTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), attemptTime)
	defer cancel()
	fresh, err := a.cloneRequest(ctx, request)
	if err != nil {
		return nil, err
	}
	response, err := a.base.RoundTrip(fresh)
	if err != nil {
		return nil, err
	}
	data, err := readAll(response)
	if err != nil {
		return nil, err
	}
	if holdsJSON(response) && !json.Valid(data) {
		return nil, errCut
	}
	response.Request = request
	setRetryAfter(response, data)
	return response, nil
}

// cloneRequest returns a copy of request with its body from the start, and with the token if it goes to the API's host.
// The rate limiter sends the same request several times without rewinding the body.
func (a *tokenTransport) cloneRequest(ctx context.Context, request *http.Request) (*http.Request, error) {
	fresh := request.Clone(ctx)
	fresh.Header.Del("Authorization")
	if a.token != "" && request.URL.Host == a.host.Host && request.URL.Scheme == a.host.Scheme {
		fresh.Header.Set("Authorization", "Bearer "+a.token)
	}
	if request.GetBody == nil {
		return fresh, nil
	}
	body, err := request.GetBody()
	fresh.Body = body
	return fresh, err
}

// readAll reads the response's body and makes it readable again.
func readAll(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if len(data) > maxAnswer {
		return nil, errTooLarge
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	return data, err
}

// errCut is the error of a successful response that is truncated, for example by a proxy. The response is rejected as a
// whole: half a list would hide the rest, and a write may not have been carried out.
var errCut = errors.New("the answer is no whole JSON document")

// holdsJSON reports whether a response succeeded and claims to be JSON, as the error page of a proxy does not.
func holdsJSON(response *http.Response) bool {
	kind := response.Header.Get("Content-Type")
	return (response.StatusCode == http.StatusOK || response.StatusCode == http.StatusCreated) &&
		(kind == "" || strings.Contains(kind, "json"))
}

// setRetryAfter completes the headers that the limiter reads. For a secondary rate limit without a valid Retry-After,
// it sets one minute, as GitHub's manual asks ("Best practices for using the REST API"). Without a Retry-After, the
// limiter would wait for the end of the primary window, perhaps an hour, or not at all.
func setRetryAfter(response *http.Response, text []byte) {
	switch {
	case response.StatusCode != http.StatusForbidden && response.StatusCode != http.StatusTooManyRequests:
		return
	case response.Header.Get("X-RateLimit-Remaining") == "0":
		if response.Header.Get("X-RateLimit-Resource") == "" { // without it the limiter ignores the primary limit
			response.Header.Set("X-RateLimit-Resource", string(github_primary_ratelimit.ResourceCategoryCore))
		}
		return
	case response.StatusCode == http.StatusForbidden && !bytes.Contains(text, []byte("secondary rate limit")) &&
		!bytes.Contains(text, []byte("abuse")):
		return
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err != nil {
		response.Header.Set("Retry-After", "60")
	} else if seconds < 1 {
		response.Header.Set("Retry-After", "1")
	}
}
