package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// Options configure a client.
type Options struct {
	BaseURL   string // GITHUB_API_URL, for example https://api.github.com or https://ghes.example/api/v3
	Token     string // "": none
	UserAgent string
	Transport http.RoundTripper // nil: a new transport
	Sleep     Sleep             // waits before a retry and between two writes
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
	retry := &retryTransport{base: o.Transport, host: base, token: o.Token, sleep: o.Sleep}
	client := github.NewClient(&http.Client{Transport: retry, CheckRedirect: sameHost})
	client.BaseURL = base
	client.UserAgent = o.UserAgent
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
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = func(r *http.Request) (*url.URL, error) {
		if r.URL.Scheme != "https" {
			return nil, nil
		}
		return http.ProxyFromEnvironment(r)
	}
	return t
}

// sameHost allows redirects to the same host that keep the method, at most 5 of them. A redirect with status 301 turns
// a POST into a GET, and the success of that GET would look like the success of the POST.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme:
		return finalError("GitHub redirected to another host, " + oneLine(next.URL.Host) + ", which is not followed")
	case next.Method != first.Method:
		return finalError("GitHub redirected a " + first.Method + " and would have turned it into a " + next.Method +
			"; has the repository been renamed?")
	case len(via) > 5:
		return finalError("GitHub redirected more than 5 times")
	}
	return nil
}

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
	// attemptTime limits one request with its whole response. The largest responses are blobs.
	attemptTime = 2 * time.Minute
	// maxAnswer is the largest response in bytes. A blob of 64 MiB in base64 fits.
	maxAnswer = 100 << 20
)

// readKey is the context key that marks a POST request that changes nothing.
type readKey struct{}

// retryTransport sends the token to the API's host only. It waits for rate limits and between writes, and retries
// failed reads. It never retries a failed write, because GitHub may have carried it out; callers read the state before
// they write again.
type retryTransport struct {
	base  http.RoundTripper
	host  *url.URL
	token string
	sleep Sleep

	mu           sync.Mutex
	waited       time.Duration // sum of all waits for rate limits
	limitedUntil time.Time     // end of the last of them
	nextWrite    time.Time
}

func (r *retryTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		if err := r.waitForWrite(request); err != nil {
			return nil, err
		}
		response, wait, err := r.send(request)
		switch {
		case request.Context().Err() != nil:
			return response, err
		case wait > 0 && try < maxTries && r.reserveWait(wait):
		case wait == 0 && isBroken(response, err) && isRead(request) && try < readTries:
			wait = time.Second << (try - 1)
		default:
			return response, err
		}
		if err := r.sleep.wait(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// isBroken reports whether a request failed at GitHub or on the way, so that another try may succeed.
func isBroken(response *http.Response, err error) bool {
	return err != nil && !isFinal(err) || response != nil && response.StatusCode >= 500
}

// send sends a request once. It reads the whole response, so that a broken connection is an error of the request. wait
// is the time to wait for a rate limit, or 0 without one.
func (r *retryTransport) send(request *http.Request) (response *http.Response, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(request.Context(), attemptTime)
	defer cancel()
	fresh := request.Clone(ctx)
	fresh.Header.Del("Authorization")
	if r.token != "" && request.URL.Host == r.host.Host && request.URL.Scheme == r.host.Scheme {
		fresh.Header.Set("Authorization", "Bearer "+r.token)
	}
	if request.GetBody != nil { // each try sends the body from its start
		if fresh.Body, err = request.GetBody(); err != nil {
			return nil, 0, err
		}
	}
	if response, err = r.base.RoundTrip(fresh); err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case len(data) > maxAnswer:
		return nil, 0, finalError("the answer is larger than 100 MiB")
	case err != nil:
		return nil, 0, err
	case holdsJSON(response) && !json.Valid(data):
		// It is truncated, for example by a proxy. It is rejected as a whole: half a list would hide the rest, and a
		// write may not have been carried out.
		return nil, 0, errors.New("the answer is no whole JSON document")
	}
	response.Request, response.Body = request, io.NopCloser(bytes.NewReader(data))
	if response.StatusCode < 400 { // otherwise go-github itself rejects requests after the last one of a window
		response.Header.Del("X-RateLimit-Reset")
	}
	return response, rateLimit(response, data), nil
}

// holdsJSON reports whether a response succeeded and claims to be JSON, as the error page of a proxy does not.
func holdsJSON(response *http.Response) bool {
	kind := response.Header.Get("Content-Type")
	return (response.StatusCode == http.StatusOK || response.StatusCode == http.StatusCreated) &&
		(kind == "" || strings.Contains(kind, "json"))
}

// rateLimit returns how long a response asks to wait for a rate limit, or 0 without one. For a secondary limit without
// a valid Retry-After, it is a minute, as GitHub's manual asks ("Best practices for using the REST API").
func rateLimit(response *http.Response, body []byte) time.Duration {
	switch {
	case response.StatusCode != http.StatusForbidden && response.StatusCode != http.StatusTooManyRequests:
		return 0
	case response.Header.Get("X-RateLimit-Remaining") == "0":
		end, _ := strconv.ParseInt(response.Header.Get("X-RateLimit-Reset"), 10, 64)
		return max(time.Until(time.Unix(end, 0)), 0) + time.Second // one more second, because clocks differ
	case response.StatusCode == http.StatusForbidden && !bytes.Contains(body, []byte("secondary rate limit")) &&
		!bytes.Contains(body, []byte("abuse")):
		return 0
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		return time.Minute
	}
	return time.Duration(min(max(seconds, 1), 3600)) * time.Second
}

// reserveWait takes wait from the patience that is left, and returns false if less is left. The time that requests wait
// side by side counts once.
func (r *retryTransport) reserveWait(wait time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	more := wait - max(time.Until(r.limitedUntil), 0)
	if more > patience-r.waited {
		return false
	}
	if more > 0 {
		r.waited, r.limitedUntil = r.waited+more, time.Now().Add(wait)
	}
	return true
}

// waitForWrite waits before a write, so that a second passes between two writes.
func (r *retryTransport) waitForWrite(request *http.Request) error {
	if isRead(request) {
		return nil
	}
	r.mu.Lock()
	wait := time.Until(r.nextWrite)
	r.nextWrite = time.Now().Add(max(wait, 0) + writeGap)
	r.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	return r.sleep.wait(request.Context(), wait)
}

func isRead(request *http.Request) bool {
	return request.Method == http.MethodGet || request.Method == http.MethodHead ||
		request.Context().Value(readKey{}) != nil
}
