package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// Options of a client. Only BaseURL is required.
type Options struct {
	BaseURL   string // GITHUB_API_URL, for example https://api.github.com or https://ghes.example/api/v3
	Token     string // "" asks without one
	UserAgent string // "" is failproof

	Transport http.RoundTripper // what carries requests; nil is a transport of its own
	// Sleep waits before a repeated request or between two writes. Waiting for a secondary rate limit is the limiter's and always real.
	Sleep Sleep
}

// Sleep waits, or returns the context's error; nil waits in real time.
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

// NewClient returns a client that waits for rate limits (60 seconds in total, then they are errors), asks again when
// GitHub breaks while answering a question, leaves a second between writes, bounds time and size of every answer, and
// sends its token to the API's own host only. It follows redirects on that host, as renamed repositories need.
func NewClient(o Options) (*github.Client, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/") + "/")
	if err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http") || base.User != nil || base.RawQuery != "" {
		return nil, fmt.Errorf("the address of GitHub's API, %q, is not an http or https URL", text.CutBytes(o.BaseURL, 100))
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	carrier := &attempt{base: o.Transport, host: base, token: o.Token}
	client := github.NewClient(&http.Client{Transport: newPatient(carrier, o.Sleep), CheckRedirect: sameHost})
	client.BaseURL = base
	client.UserAgent = cmp.Or(o.UserAgent, "failproof")
	return client, nil
}

// newTransport honours the environment's proxy for https alone. Runners behind a firewall have no other way out, and
// a tunnel shows the proxy a host name, no token; over plain http it would see everything.
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

// redirectError is a redirect that was not followed, so nothing was sent where it pointed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }

// sameHost follows a redirect to the host that was asked, and only if it keeps the method: a 301 turns a POST into a
// GET, which would look like success.
func sameHost(next *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme:
		return &redirectError{"GitHub redirected to another host, " + oneLine(next.URL.Host) + ", which is not followed"}
	case next.Method != first.Method:
		return &redirectError{"GitHub redirected a " + first.Method + " and would have turned it into a " + next.Method + "; has the repository been renamed?"}
	case len(via) > 5:
		return &redirectError{"GitHub redirected more than 5 times"}
	}
	return nil
}

// errTooLarge is an answer beyond maxAnswer.
var errTooLarge = errors.New("the answer is larger than 100 MiB")
