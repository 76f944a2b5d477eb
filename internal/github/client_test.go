package github_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-github/v60/github"

	failproof "github.com/failproof/failproof/internal/github"
)

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ give, want string }{
		{"https://api.github.com", "https://api.github.com/"},
		{"https://ghes.example/api/v3", "https://ghes.example/api/v3/"},
		{"https://ghes.example/api/v3/", "https://ghes.example/api/v3/"},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080/"},
		{"", ""}, {"api.github.com", ""}, {"file:///etc", ""}, {"https://user:pass@host", ""}, {"https://host/?q=1", ""}, {"https://ho st", ""},
	} {
		client, err := failproof.NewClient(failproof.Options{BaseURL: c.give})
		if c.want == "" {
			if err == nil {
				t.Errorf("%q was taken", c.give)
			}
			continue
		}
		if err != nil || client.BaseURL.String() != c.want {
			t.Errorf("%q: %v, %v", c.give, client, err)
		}
	}
}

// handler answers as a test says.
type handler func(w http.ResponseWriter, r *http.Request)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h(w, r) }

// pull asks something harmless.
func pull(ctx context.Context, client *github.Client) error {
	_, _, err := client.PullRequests.Get(ctx, "octo", "prompts", 7)
	return err
}

// say asks for something to be written.
func say(ctx context.Context, client *github.Client) error {
	_, _, err := client.Issues.CreateComment(ctx, "octo", "prompts", 7, &github.IssueComment{Body: github.String("hello")})
	return err
}

func TestWhereTheTokenGoes(t *testing.T) {
	var elsewhere []*http.Request
	other := httptest.NewServer(handler(func(w http.ResponseWriter, r *http.Request) { elsewhere = append(elsewhere, r) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, c := range []struct {
			rule   string
			to     string
			ask    func(context.Context, *github.Client) error
			follow bool
		}{
			{"a read is redirected on the same host", "/moved", pull, true},
			{"a read is not redirected to another host", other.URL + "/moved", pull, false},
			{"a write is not redirected to another host", other.URL + "/moved", say, false},
			{"a write keeps its method or ends", "/moved", say, status >= 307},
		} {
			t.Run(fmt.Sprint(c.rule, " ", status), func(t *testing.T) {
				var moved []string
				server := httptest.NewServer(handler(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/moved" {
						body, _ := io.ReadAll(r.Body)
						moved = append(moved, r.Method+" "+r.Header.Get("Authorization")+" "+string(body))
						io.WriteString(w, "{}")
						return
					}
					http.Redirect(w, r, c.to, status)
				}))
				defer server.Close()
				transport := failproof.NewTransport()
				client, err := failproof.NewClient(failproof.Options{BaseURL: server.URL, Token: "secret", Transport: transport, Sleep: noSleep})
				if err != nil {
					t.Fatal(err)
				}
				defer transport.CloseIdleConnections()
				err = c.ask(t.Context(), client)
				if (err == nil) != c.follow || (len(moved) == 1) != c.follow {
					t.Errorf("error %v, followed %q; want followed %v", err, moved, c.follow)
				}
				if c.follow && !strings.Contains(moved[0], "Bearer secret") {
					t.Errorf("followed without the token: %q", moved)
				}
				if err != nil && strings.Contains(err.Error(), "secret") {
					t.Errorf("the error holds the token: %v", err)
				}
			})
		}
	}
	if len(elsewhere) > 0 {
		t.Errorf("%d requests went to another host", len(elsewhere))
	}
}

func TestAnEndlessRedirectEnds(t *testing.T) {
	n := 0
	client := clientOf(t, handler(func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, r.URL.Path+"/x", http.StatusFound)
	}), "t")
	if err := pull(t.Context(), client); err == nil || n > 30 {
		t.Errorf("error %v after %d requests", err, n)
	}
}
