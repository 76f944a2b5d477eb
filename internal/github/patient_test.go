package github_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-github/v60/github"

	failproof "github.com/failproof/failproof/internal/github"
)

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
	client, err := failproof.NewClient(failproof.Options{BaseURL: "https://api.github.test", Token: "t", Transport: inMemory{h}})
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
		{"a limit that comes again and again ends within a minute", pull, func() []func(http.ResponseWriter) { return times(99, status(403, secondary, "Retry-After", "20")) }, false, 4, 50 * time.Second, 61 * time.Second},
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

func TestRequestsThatWaitSideBySideWaitOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		client := realClient(t, handler(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) <= 5 {
				status(429, secondary, "Retry-After", "30")(w)
				return
			}
			io.WriteString(w, "{}")
		}))
		start := time.Now()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if err := pull(t.Context(), client); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(start); took != 30*time.Second || n.Load() != 10 {
			t.Errorf("%d requests took %v", n.Load(), took)
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
	var n atomic.Int32 // the two requests come by two connections
	server := httptest.NewServer(handler(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"number": `)
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, `{"number": 7}`)
	}))
	defer server.Close()
	transport := failproof.NewTransport()
	client, err := failproof.NewClient(failproof.Options{BaseURL: server.URL, Transport: transport, Sleep: noSleep})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	if pr, _, err := client.PullRequests.Get(t.Context(), "octo", "prompts", 7); err != nil || pr.GetNumber() != 7 || n.Load() != 2 {
		t.Errorf("number %d, error %v, %d requests", pr.GetNumber(), err, n.Load())
	}
}
