package source_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/source"
	"github.com/google/go-github/v60/github"
)

// exhausted are the headers of the rate limit, reset far in the future.
var exhausted = map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Limit": "1000", "X-RateLimit-Reset": "4102444800"}

// abused is the header of the secondary rate limit.
var abused = map[string]string{"Retry-After": "30"}

// answers are what GitHub may say instead of a listing.
var answers = []struct {
	rule   string
	status int
	header map[string]string
	body   string
	says   string
	gone   bool // ErrNoRevision
}{
	{"404: unknown, or not allowed", 404, nil, `{"message":"Not Found"}`, "contents: read", true},
	{"409: an empty repository", 409, nil, `{"message":"Git Repository is empty."}`, "Git Repository is empty", true},
	{"422: no such SHA", 422, nil, `{"message":"No commit found"}`, "No commit found", true},
	{"401: a bad token", 401, nil, `{"message":"Bad credentials"}`, "GitHub answered 401: Bad credentials", false},
	{"403: a token without rights", 403, nil, `{"message":"Resource not accessible by integration"}`, "contents: read", false},
	{"403: the rate limit", 403, exhausted, `{"message":"API rate limit exceeded"}`, "rate limit is used up until", false},
	{"403: the secondary rate limit", 403, abused, `{"message":"secondary","documentation_url":"https://docs.github.com/x#secondary-rate-limits"}`, "secondary rate limit", false},
	{"429", 429, nil, `{"message":"Too many requests"}`, "secondary rate limit", false},
	{"500", 500, nil, `{"message":"oops"}`, "answered 500: oops", false},
	{"502 in HTML", 502, nil, `<html>bad gateway</html>`, "answered 502", false},
	{"a message with line breaks", 500, nil, `{"message":"a\n::error::b"}`, `a ::error::b`, false},
	{"an endless message", 500, nil, `{"message":"` + strings.Repeat("x", 5000) + `"}`, "xxx…", false},
	{"200 in HTML", 200, nil, `<html>log in</html>`, "invalid character", false},
	{"200 and half of it", 200, nil, `{"sha":"x","tree":[`, "unexpected EOF", false},
	{"200 and nothing", 200, nil, ``, "no listing", false},
	{"200 and null", 200, nil, `null`, "no listing", false},
	{"200 and another object", 200, nil, `{"message":"hello"}`, "no listing", false},
	{"an absolute path", 200, nil, lines(`{"path":"/etc/passwd","mode":"100644","sha":"%s"}`), "malformed", false},
	{"a path that goes up", 200, nil, lines(`{"path":"a/../../x","mode":"100644","sha":"%s"}`), "malformed", false},
	{"a path in a folder that is not listed", 200, nil, lines(`{"path":"a/x","mode":"100644","sha":"%s"}`), "malformed", false},
	{"a mode that git does not have", 200, nil, lines(`{"path":"x","mode":"zzz","sha":"%s"}`), "malformed", false},
	{"an id that is none", 200, nil, `{"tree":[{"path":"x","mode":"100644","sha":"1"}],"truncated":false}`, "malformed", false},
}

func TestGitHubAnswersThatAreErrors(t *testing.T) {
	for _, c := range answers {
		t.Run(c.rule, func(t *testing.T) {
			h := newHub(t)
			sha := h.push(plain())
			h.altered(func(w http.ResponseWriter, _ *http.Request) bool {
				for name, value := range c.header {
					w.Header().Set(name, value)
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
				return true
			})
			tree, err := source.GitHub(t.Context(), h.client, "octo", "prompts", sha)
			if err == nil {
				t.Fatalf("GitHub = %v, want an error", names(t, tree))
			}
			wantGitHubError(t, err, sha, c.says)
			if errors.Is(err, source.ErrNoRevision) != c.gone {
				t.Errorf("the error is ErrNoRevision: %v, want %v (%v)", !c.gone, c.gone, err)
			}
		})
	}
}

// lines makes a listing of one line.
func lines(line string) string {
	return `{"tree":[` + fmt.Sprintf(line, strings.Repeat("1", 40)) + `],"truncated":false}`
}

// wantGitHubError checks what every error of GitHub says and what none does.
func wantGitHubError(t *testing.T, err error, sha, says string) {
	t.Helper()
	text := err.Error()
	if !strings.Contains(text, "github octo/prompts@"+sha) || !strings.Contains(text, says) {
		t.Errorf("the error is %q, want the commit and %q in it", text, says)
	}
	if strings.Contains(text, token) || strings.ContainsAny(text, "\r\n") || len(text) > 600 {
		t.Errorf("the error holds the token, is not one line or has no end: %q", text)
	}
}

func TestGitHubErrorsCanBeTakenApart(t *testing.T) {
	h := newHub(t)
	sha := h.push(plain())
	h.altered(func(w http.ResponseWriter, _ *http.Request) bool {
		answer(w, http.StatusInternalServerError, map[string]string{"message": "oops"})
		return true
	})
	_, err := source.GitHub(t.Context(), h.client, "octo", "prompts", sha)
	var inner *github.ErrorResponse
	if !errors.As(err, &inner) || inner.Response.StatusCode != http.StatusInternalServerError {
		t.Errorf("no *github.ErrorResponse in %v", err)
	}
}

func TestNoAnswerAtAll(t *testing.T) {
	client := clientOf(t, strings.Replace(modeltest.UnusedURL, "http://", "http://user:"+token+"@", 1))
	sha := strings.Repeat("1", 40)
	_, err := source.GitHub(t.Context(), client, "octo", "prompts", sha)
	if err == nil || errors.Is(err, source.ErrNoRevision) {
		t.Fatalf("GitHub = %v, want an error that is not ErrNoRevision", err)
	}
	wantGitHubError(t, err, sha, "no answer")
}
