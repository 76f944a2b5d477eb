package source

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v60/github"
)

// apiError is an error of the client in words that hold no URL: one may carry credentials.
type apiError struct {
	text   string
	status int // of GitHub's answer, 0 if there was none
	err    error
}

func (e *apiError) Error() string { return e.text }
func (e *apiError) Unwrap() error { return e.err }

// refusal words a request that went wrong. The client's own error stays inside for errors.As.
func refusal(err error) error {
	var answer *github.ErrorResponse
	var limit *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	var transport *url.Error
	switch {
	case errors.As(err, &limit):
		until := limit.Rate.Reset.UTC().Format("15:04:05 UTC")
		return &apiError{text: "the rate limit is used up until " + until, err: err}
	case errors.As(err, &abuse):
		return &apiError{text: "GitHub asks to slow down (secondary rate limit)", err: err}
	case errors.As(err, &answer) && answer.Response != nil:
		code := answer.Response.StatusCode
		text := fmt.Sprintf("status %d: %s", code, escaped(answer.Message))
		if code == http.StatusUnauthorized || code == http.StatusForbidden {
			text += " (the token needs contents: read)"
		}
		return &apiError{text: text, status: code, err: err}
	case errors.As(err, &transport):
		return &apiError{text: "no answer: " + transport.Err.Error(), err: err}
	}
	return err
}

// unknownCommit adds ErrNoRevision to the answers by which GitHub says that a commit is not there: 404, also
// for what a token may not see, 409 for an empty repository, 422 for a SHA that names nothing.
func unknownCommit(err error) error {
	var answer *apiError
	if !errors.As(err, &answer) {
		return err
	}
	switch answer.status {
	case http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %w (it is unknown, or the token lacks contents: read)", ErrNoRevision, err)
	}
	return err
}
