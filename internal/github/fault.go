package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/failproof/failproof/internal/text"
	"github.com/google/go-github/v60/github"
)

// StatusOf returns the HTTP status of GitHub's error response, or 0 without one or for a rate limit.
func StatusOf(err error) int {
	answer, ok := errors.AsType[*github.ErrorResponse](err)
	if !ok || answer.Response == nil {
		return 0
	}
	return answer.Response.StatusCode
}

// messageOf returns GitHub's error message on one line, or "" if there is none.
func messageOf(err error) string {
	if answer, ok := errors.AsType[*github.ErrorResponse](err); ok {
		return oneLine(answer.Message)
	}
	return ""
}

// isGone reports whether GitHub answered that something does not exist, which also hides what a token may not see.
func isGone(err error) bool {
	status := StatusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone
}

// isRateLimited reports whether GitHub asked for a longer wait than a run allows.
func isRateLimited(err error) bool {
	_, primary := errors.AsType[*github.RateLimitError](err)
	_, secondary := errors.AsType[*github.AbuseRateLimitError](err)
	return primary || secondary || StatusOf(err) == http.StatusTooManyRequests
}

// mayHaveSucceeded reports whether a failed request may have been carried out: the server failed, or its response got
// lost.
func mayHaveSucceeded(err error) bool {
	if status := StatusOf(err); status != 0 {
		return status >= 500
	}
	return !isRateLimited(err) && !isFinal(err) && !errors.Is(err, context.Canceled)
}

// finalError is an error after which another try makes no sense.
type finalError string

func (e finalError) Error() string { return string(e) }

func isFinal(err error) bool {
	_, final := errors.AsType[finalError](err)
	return final
}

// errorText returns the text of err, an error of the client, without its URL. The URL could contain credentials.
func errorText(err error) string {
	var limit *github.RateLimitError
	var transport *url.Error
	switch {
	case errors.As(err, &limit):
		return "the token's rate limit is used up until " + limit.Rate.Reset.UTC().Format("15:04:05 UTC")
	case isRateLimited(err):
		return "GitHub's secondary rate limit is reached"
	case StatusOf(err) != 0:
		return fmt.Sprintf("GitHub answered %d: %s", StatusOf(err), messageOf(err))
	case errors.As(err, &transport):
		return "no answer from GitHub: " + oneLine(transport.Err.Error())
	}
	return oneLine(err.Error())
}

// apiError is an error of the client without a URL. It wraps the original for errors.As.
type apiError struct {
	text string
	err  error
}

func (e *apiError) Error() string { return e.text }
func (e *apiError) Unwrap() error { return e.err }

// WithoutURL wraps err, an error of the client, in an error whose text is on one line and has no URL.
func WithoutURL(err error) error {
	if _, done := errors.AsType[*apiError](err); done {
		return err
	}
	return &apiError{errorText(err), err}
}

// describe returns err, an error of the client, with a text that begins with what was done. It returns nil for nil.
func describe(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), WithoutURL(err))
}

// prefixLines returns as many whole lines from the beginning of s as fit into limit bytes. If the first line does not
// fit, it returns the beginning of that line.
func prefixLines(s string, limit int) string {
	short := text.FirstBytes(s, limit)
	if short == s {
		return s
	}
	if end := strings.LastIndexByte(short, '\n'); end >= 0 {
		return short[:end+1]
	}
	return short
}

// oneLine returns s, a text from elsewhere, as one printable line of at most 200 bytes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(s, "�"))
	return text.TruncateBytes(strings.Join(strings.Fields(s), " "), 200)
}
