package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofri/go-github-ratelimit/v2/github_ratelimit/github_primary_ratelimit"
)

const (
	// attemptTime bounds one request with its whole answer; the largest answers are blobs.
	attemptTime = 2 * time.Minute
	// maxAnswer holds a blob of 64 MiB in base64, in bytes.
	maxAnswer = 100 << 20
)

// attempt carries one request once: with the token, if it goes to the API's own host, and with its whole answer in
// memory, so that a connection cut in the middle of an answer is an error of the request.
type attempt struct {
	base  http.RoundTripper
	host  *url.URL
	token string
}

func (a *attempt) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), attemptTime)
	defer cancel()
	fresh, err := a.fresh(ctx, request)
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
	askForPatience(response, data)
	return response, nil
}

// fresh copies a request, with its body from the start: the rate limiter sends one request several times and does not
// rewind.
func (a *attempt) fresh(ctx context.Context, request *http.Request) (*http.Request, error) {
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

// readAll reads the answer to its end, and leaves it to be read again.
func readAll(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if len(data) > maxAnswer {
		return nil, errTooLarge
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	return data, err
}

// errCut is an answer that says all is well and stops in the middle, as a proxy on the way leaves it. Nothing in it counts: half
// a list would hide the rest, and of a write it is not known whether it was carried out.
var errCut = errors.New("the answer is no whole JSON document")

// holdsJSON reports an answer that should hold a JSON document. A page of a proxy says that it is another thing.
func holdsJSON(response *http.Response) bool {
	kind := response.Header.Get("Content-Type")
	return (response.StatusCode == http.StatusOK || response.StatusCode == http.StatusCreated) && (kind == "" || strings.Contains(kind, "json"))
}

// askForPatience completes what the limiter goes by. It gives a secondary rate limit without a usable Retry-After the minute that GitHub's manual asks for
// ("Best practices for using the REST API"). Without it the limiter would take the end of the primary window, which
// may be an hour away, or not wait at all.
func askForPatience(response *http.Response, text []byte) {
	switch {
	case response.StatusCode != http.StatusForbidden && response.StatusCode != http.StatusTooManyRequests:
		return
	case response.Header.Get("X-RateLimit-Remaining") == "0":
		if response.Header.Get("X-RateLimit-Resource") == "" { // without it the limiter does not see the primary limit
			response.Header.Set("X-RateLimit-Resource", string(github_primary_ratelimit.ResourceCategoryCore))
		}
		return
	case response.StatusCode == http.StatusForbidden && !bytes.Contains(text, []byte("secondary rate limit")) && !bytes.Contains(text, []byte("abuse")):
		return
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err != nil {
		response.Header.Set("Retry-After", "60")
	} else if seconds < 1 {
		response.Header.Set("Retry-After", "1")
	}
}
