package github_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-github/v60/github"

	failproof "github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/github/githubtest"
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
				client, err := failproof.NewClient(failproof.Options{BaseURL: server.URL, Token: "secret", Sleep: noSleep})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Client().CloseIdleConnections()
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
	client := clientOf(t, handler(func(w http.ResponseWriter, r *http.Request) { n++; http.Redirect(w, r, r.URL.Path+"/x", 302) }), "t")
	if err := pull(t.Context(), client); err == nil || n > 30 {
		t.Errorf("error %v after %d requests", err, n)
	}
}

// answers replies with these in turn, and with `{}` after the last.
func answers(n *int, all ...func(http.ResponseWriter)) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) {
		i := *n
		*n++
		if i < len(all) {
			all[i](w)
			return
		}
		io.WriteString(w, "{}")
	})
}

func status(code int, body string, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func cutOff(http.ResponseWriter) { panic(http.ErrAbortHandler) }

func times(n int, f func(http.ResponseWriter)) (out []func(http.ResponseWriter)) {
	for range n {
		out = append(out, f)
	}
	return out
}

func TestWhatIsAskedAgain(t *testing.T) {
	for _, c := range []struct {
		rule    string
		ask     func(context.Context, *github.Client) error
		answers []func(http.ResponseWriter)
		ok      bool
		asked   int
	}{
		{"a read after a 502", pull, times(1, status(502, "")), true, 2},
		{"a read after a cut connection", pull, times(1, cutOff), true, 2},
		{"a read four times at most", pull, times(9, status(503, "")), false, 4},
		{"no read after 404", pull, times(9, status(404, "{}")), false, 1},
		{"no read after 403", pull, times(9, status(403, `{"message":"Resource not accessible by integration"}`)), false, 1},
		{"no read after 422", pull, times(9, status(422, "{}")), false, 1},
		{"no write after a 502", say, times(9, status(502, "")), false, 1},
		{"no write after a cut connection", say, times(9, cutOff), false, 1},
	} {
		t.Run(c.rule, func(t *testing.T) {
			n := 0
			err := c.ask(t.Context(), clientOf(t, answers(&n, c.answers...), "t"))
			if (err == nil) != c.ok || n != c.asked {
				t.Errorf("error %v after %d requests, want success %v after %d", err, n, c.ok, c.asked)
			}
		})
	}
}

// realClient waits in the time of the test's bubble.
func realClient(t *testing.T, h http.Handler) *github.Client {
	client, err := failproof.NewClient(failproof.Options{BaseURL: "https://api.github.test", Token: "t", Transport: githubtest.Transport(h)})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

const (
	secondary = `{"message":"You have exceeded a secondary rate limit. Please wait.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`
	primary   = `{"message":"API rate limit exceeded for installation ID 1."}`
)

func TestHowLongAClientWaits(t *testing.T) {
	// A limit that ends `after` from the start of the test.
	ends := func(after time.Duration) string { return fmt.Sprint(time.Now().Add(after).Unix()) }
	for _, c := range []struct {
		rule string
		ask  func(context.Context, *github.Client) error
		// answers are made inside the bubble, where the clock starts.
		answers         func() []func(http.ResponseWriter)
		ok              bool
		asked           int
		atLeast, atMost time.Duration
	}{
		{"secondary limit, Retry-After 7", say, func() []func(http.ResponseWriter) { return times(1, status(403, secondary, "Retry-After", "7")) }, true, 2, 7 * time.Second, 8 * time.Second},
		{"secondary limit as 429", say, func() []func(http.ResponseWriter) { return times(1, status(429, secondary, "Retry-After", "7")) }, true, 2, 7 * time.Second, 8 * time.Second},
		{"secondary limit without a header waits a minute", pull, func() []func(http.ResponseWriter) { return times(1, status(403, secondary)) }, true, 2, 60 * time.Second, 61 * time.Second},
		{"secondary limit, the end of the primary window is no hint", pull, func() []func(http.ResponseWriter) {
			return times(1, status(403, secondary, "X-RateLimit-Remaining", "100", "X-RateLimit-Reset", ends(50*time.Minute)))
		}, true, 2, 60 * time.Second, 61 * time.Second},
		{"Retry-After 0 waits a second", pull, func() []func(http.ResponseWriter) { return times(1, status(403, secondary, "Retry-After", "0")) }, true, 2, time.Second, 2 * time.Second},
		{"Retry-After two minutes is too long", pull, func() []func(http.ResponseWriter) { return times(9, status(403, secondary, "Retry-After", "120")) }, false, 1, 0, time.Second},
		{"a limit that comes again and again ends within a minute", pull, func() []func(http.ResponseWriter) { return times(99, status(403, secondary, "Retry-After", "20")) }, false, 3, 40 * time.Second, 61 * time.Second},
		{"429 from a proxy, Retry-After 5", say, func() []func(http.ResponseWriter) { return times(1, status(429, "slow down", "Retry-After", "5")) }, true, 2, 5 * time.Second, 7 * time.Second},
		{"429 from a proxy without a header", pull, func() []func(http.ResponseWriter) { return times(1, status(429, "slow down")) }, true, 2, 60 * time.Second, 61 * time.Second},
		{"429 again and again", pull, func() []func(http.ResponseWriter) { return times(99, status(429, "slow down", "Retry-After", "20")) }, false, 4, 50 * time.Second, 61 * time.Second},
		{"primary limit that ends in 30 seconds", say, func() []func(http.ResponseWriter) {
			return times(1, status(403, primary, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", ends(30*time.Second)))
		}, true, 2, 30 * time.Second, 32 * time.Second},
		{"primary limit as 429", pull, func() []func(http.ResponseWriter) {
			return times(1, status(429, primary, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", ends(30*time.Second)))
		}, true, 2, 30 * time.Second, 32 * time.Second},
		{"primary limit that ends in an hour is an error", pull, func() []func(http.ResponseWriter) {
			return times(9, status(403, primary, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", ends(time.Hour)))
		}, false, 1, 0, time.Second},
		{"primary limit that is over by our clock waits all the same", pull, func() []func(http.ResponseWriter) {
			return times(1, status(403, primary, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", ends(-time.Hour)))
		}, true, 2, time.Second, 3 * time.Second},
		{"primary limit without an end", pull, func() []func(http.ResponseWriter) {
			return times(99, status(403, primary, "X-RateLimit-Remaining", "0"))
		}, false, 6, time.Second, 20 * time.Second},
		{"three 502 wait 1, 2 and 4 seconds", pull, func() []func(http.ResponseWriter) { return times(3, status(502, "")) }, true, 4, 7 * time.Second, 8 * time.Second},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, start := 0, time.Now()
				err := c.ask(t.Context(), realClient(t, answers(&n, c.answers()...)))
				took := time.Since(start)
				if (err == nil) != c.ok || n != c.asked || took < c.atLeast || took > c.atMost {
					t.Errorf("error %v after %d requests and %v; want success %v after %d and %v to %v", err, n, took, c.ok, c.asked, c.atLeast, c.atMost)
				}
				time.Sleep(2 * time.Hour) // the limiter keeps a timer until its window ends
			})
		})
	}
}

func TestPatienceIsSharedByAllRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, start := 0, time.Now()
		client := realClient(t, answers(&n, times(99, status(403, secondary, "Retry-After", "20"))...))
		for range 5 {
			if err := pull(t.Context(), client); err == nil {
				t.Error("no error")
			}
		}
		if took := time.Since(start); took > 61*time.Second {
			t.Errorf("waited %v", took)
		}
	})
}

func TestTheLastRequestOfAWindowDoesNotStopTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		last := status(200, "{}", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(time.Now().Add(20*time.Minute).Unix()))
		client := realClient(t, answers(&n, last))
		if err := errors.Join(pull(t.Context(), client), pull(t.Context(), client)); err != nil || n != 2 {
			t.Errorf("error %v after %d requests", err, n)
		}
	})
}

func TestASecondLiesBetweenWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, start := 0, time.Now()
		client := realClient(t, answers(&n))
		for range 3 {
			if err := say(t.Context(), client); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took < 2*time.Second || took > 3*time.Second {
			t.Errorf("three writes took %v", took)
		}
	})
}

func TestACancelledRunWaitsForNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, start := 0, time.Now()
		client := realClient(t, answers(&n, times(9, status(502, ""))...))
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if err := pull(ctx, client); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took > time.Second || n != 1 {
			t.Errorf("%d requests, %v", n, took)
		}
	})
}

func TestAnAnswerWithoutEndIsAnError(t *testing.T) {
	client := clientOf(t, handler(func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 101<<20))
	}), "t")
	if err := pull(t.Context(), client); err == nil || !strings.Contains(err.Error(), "larger than 100 MiB") {
		t.Errorf("error %v", err)
	}
}

func TestAnAnswerCutInTheMiddleIsAskedAgain(t *testing.T) {
	n := 0
	server := httptest.NewServer(handler(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"number": `)
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, `{"number": 7}`)
	}))
	defer server.Close()
	client, err := failproof.NewClient(failproof.Options{BaseURL: server.URL, Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Client().CloseIdleConnections()
	if pr, _, err := client.PullRequests.Get(t.Context(), "octo", "prompts", 7); err != nil || pr.GetNumber() != 7 || n != 2 {
		t.Errorf("number %d, error %v, %d requests", pr.GetNumber(), err, n)
	}
}

func TestEnterpriseServers(t *testing.T) {
	h := newHub()
	var graphql []string
	transport := githubtest.Transport(handler(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "graphql") {
			graphql = append(graphql, r.URL.String())
		}
		h.ServeHTTP(w, r)
	}))
	client, err := failproof.NewClient(failproof.Options{BaseURL: "https://ghes.example/api/v3", Token: githubtest.Token, Transport: transport, Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	_, warnings := failproof.Publish(t.Context(), client, h.event(), h.said(41, "new"))
	wantCodes(t, warnings)
	if len(graphql) == 0 || graphql[0] != "https://ghes.example/api/graphql" {
		t.Errorf("GraphQL at %q", graphql)
	}
}

func TestProxies(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://proxy.example:3128")
	t.Setenv("HTTP_PROXY", "http://proxy.example:3128")
	transport := failproof.NewTransport()
	for _, c := range []struct{ address, want string }{
		{"https://api.github.com/", "http://proxy.example:3128"},
		{"http://ghes.example/api/v3/", ""},
	} {
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := transport.Proxy(&http.Request{URL: u})
		if err != nil || got == nil && c.want != "" || got != nil && got.String() != c.want {
			t.Errorf("%s goes through %v, error %v; want %q", c.address, got, err, c.want)
		}
	}
}

func TestMergeBase(t *testing.T) {
	h := newHub()
	root := h.Commit(map[string]string{"a": "root"})
	left := h.Commit(map[string]string{"a": "left"}, root)
	right := h.Commit(map[string]string{"a": "right"}, root)
	merge := h.Commit(map[string]string{"a": "both"}, left, right)
	alone := h.Commit(map[string]string{"a": "alone"})
	h.Branch("release/1.0", right)
	for _, c := range []struct {
		rule, base, head, want string
		fault                  error
	}{
		{"two branches", left, right, root, nil},
		{"an ancestor", root, merge, root, nil},
		{"a merge", left, merge, left, nil},
		{"the same", left, left, left, nil},
		{"a branch with a slash", "release/1.0", left, root, nil},
		{"histories that never meet", left, alone, "", failproof.ErrNoMergeBase},
		{"an unknown commit", strings.Repeat("1", 40), left, "", failproof.ErrNoRevision},
		{"an unknown branch", "gone", left, "", failproof.ErrNoRevision},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := failproof.MergeBase(t.Context(), clientOf(t, h, githubtest.Token), "octo", "prompts", c.base, c.head)
			if got != c.want || !errors.Is(err, c.fault) {
				t.Errorf("%q, %v; want %q, %v", got, err, c.want, c.fault)
			}
		})
	}
}

func TestMergeBaseWhileGitHubIsAway(t *testing.T) {
	h := newHub()
	h.Fail(githubtest.Fault{Path: regexp.MustCompile("/compare/"), Status: 500, Body: "oops"})
	_, err := failproof.MergeBase(t.Context(), clientOf(t, h, githubtest.Token), "octo", "prompts", h.base, h.head)
	if err == nil || errors.Is(err, failproof.ErrNoRevision) || strings.Contains(err.Error(), "api.github.test") {
		t.Errorf("error %v", err)
	}
}
