package schedule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// whole is a jitter of all that is allowed: the longest wait.
func whole(limit time.Duration) time.Duration { return limit }

func noWait(time.Duration) time.Duration { return 0 }

// script is a target that answers by a list, attempt by attempt; its last entry repeats. It notes when it was asked.
type script struct {
	mu      sync.Mutex
	answers []model.Response
	takes   time.Duration
	start   time.Time
	asked   []time.Duration
}

func scripted(answers ...model.Response) *script { return &script{answers: answers, start: time.Now()} }

func (s *script) Answer(ctx context.Context, _ model.Request) (model.Response, error) {
	s.mu.Lock()
	at := len(s.asked)
	s.asked = append(s.asked, time.Since(s.start))
	s.mu.Unlock()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return model.Response{}, ctx.Err()
		}
	}
	return s.answers[min(at, len(s.answers)-1)], nil
}

func (s *script) times() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := make([]string, len(s.asked))
	for i, d := range s.asked {
		parts[i] = d.Round(time.Millisecond).String()
	}
	return strings.Join(parts, " ")
}

func failing(reason string, retry *model.Retry) model.Response {
	return model.Response{Failure: &model.Failure{Reason: reason, Message: model.Untrusted(reason), Retry: retry}}
}

func after(d time.Duration) *model.Retry { return &model.Retry{After: d} }

var (
	yes      = model.Response{Text: "yes"}
	overload = failing(model.ReasonServer, &model.Retry{})
	question = model.Request{Messages: []model.Message{{Role: "user", Content: "Is it?"}}}
)

func TestWhatIsAskedOnceIsNotAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(overload, yes)
		once := question
		once.NoRetry = true
		answer, err := newRun(schedule.Limits{}, noWait).Target(config.Target{Name: "t"}).Client(s).Answer(t.Context(), once)
		if err != nil || answer.Failure == nil || len(s.asked) != 1 {
			t.Errorf("%+v, error %v after %d attempts; want the failure of the first", answer, err, len(s.asked))
		}
	})
}

func newRun(l schedule.Limits, jitter func(time.Duration) time.Duration) *schedule.Run {
	return schedule.NewRun(schedule.Options{Limits: l, Now: time.Now, Jitter: jitter})
}

// ask asks n times at once and returns the answers in the order they came.
func ask(t *testing.T, c model.Client, n int) (got []model.Response) {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			r, err := c.Answer(t.Context(), question)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, r)
		})
	}
	all.Wait()
	return got
}

func describe(r model.Response) string {
	if r.Failure != nil {
		return fmt.Sprintf("%s after %d: %s", r.Failure.Reason, r.Attempts, r.Failure.Message)
	}
	return fmt.Sprintf("%s after %d", r.Text, r.Attempts)
}

func TestAFailureIsAskedAgainWhereThatHelps(t *testing.T) {
	for _, c := range []struct {
		rule    string
		answers []model.Response
		limits  schedule.Limits
		jitter  func(time.Duration) time.Duration
		asked   string
		want    string
	}{
		{"an answer ends it", []model.Response{yes}, schedule.Limits{}, whole, "0s", "yes after 1"},
		{"P1: a time that the target names is kept, and a little is added", []model.Response{failing(model.ReasonRateLimit, after(7*time.Second)), yes},
			schedule.Limits{}, whole, "0s 8s", "yes after 2"},
		{"P1: no call comes before that time, whatever chance says", []model.Response{failing(model.ReasonRateLimit, after(7*time.Second)), yes},
			schedule.Limits{}, noWait, "0s 7s", "yes after 2"},
		{"P2: a limit without one halves the pace, again and again, and no try is used up", append(slices.Repeat([]model.Response{failing(model.ReasonRateLimit, &model.Retry{})}, 6), yes),
			schedule.Limits{}, whole, "0s 2s 6s 14s 24s 34s 44s", "yes after 7"},
		{"P2: while patience lasts", []model.Response{failing(model.ReasonRateLimit, after(70*time.Second))},
			schedule.Limits{}, noWait, "0s 1m10s 2m20s 3m30s 4m40s 5m50s", "rate_limit after 6: rate_limit"},
		{"P2: an outage is waited for at most 1, 2, 4 and 8 s, and after five tries longer", append(slices.Repeat([]model.Response{overload}, 7), yes),
			schedule.Limits{}, whole, "0s 1s 3s 7s 15s 20s 30s 50s", "yes after 8"},
		{"P2: while patience lasts, and it is then the request's own where no other one was asked", []model.Response{overload},
			schedule.Limits{}, whole, "0s 1s 3s 7s 15s 20s 30s 50s 1m30s 2m30s 3m30s 4m30s 5m0s", "server after 13: server"},
		{"P2: chance may make a wait nothing", []model.Response{overload, overload, yes}, schedule.Limits{}, noWait, "0s 0s 0s", "yes after 3"},
		{"chance cannot make it more, or less than nothing", []model.Response{overload, overload, yes}, schedule.Limits{},
			func(d time.Duration) time.Duration {
				return map[bool]time.Duration{true: -d, false: 9 * d}[d == time.Second]
			}, "0s 0s 2s", "yes after 3"},
		{"P3: a time beyond what is left of the run is not waited for", []model.Response{failing(model.ReasonRateLimit, after(24*time.Hour))},
			schedule.Limits{Wall: time.Minute}, whole, "0s", "rate_limit after 1: rate_limit"},
		{"P4: no money is not asked twice", []model.Response{{Failure: &model.Failure{Reason: model.ReasonQuota, Message: "no money", StopsTarget: true}}},
			schedule.Limits{}, whole, "0s", "quota after 1: no money"},
		{"P7: a request that is too long is not asked twice", []model.Response{failing(model.ReasonContextLength, nil)},
			schedule.Limits{}, whole, "0s", "context_length after 1: context_length"},
		{"P14: a client may allow one more try", []model.Response{failing(model.ReasonProtocol, &model.Retry{Max: 1})},
			schedule.Limits{}, whole, "0s 1s", "protocol after 2: protocol"},
		{"P17: a broken connection is tried again", []model.Response{failing(model.ReasonTransport, &model.Retry{}), yes},
			schedule.Limits{}, whole, "0s 1s", "yes after 2"},
		{"a limit of calls ends the tries, and the last failure is told", []model.Response{overload},
			schedule.Limits{Calls: 2}, whole, "0s 1s", "budget after 2: not asked: limits.max_calls (2) is used up"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scripted(c.answers...)
				client := newRun(c.limits, c.jitter).Target(patient).Client(s)
				got := describe(ask(t, client, 1)[0])
				if got != c.want || s.times() != c.asked {
					t.Errorf("asked at %s: %s\nwant %s: %s", s.times(), got, c.asked, c.want)
				}
			})
		})
	}
}

func TestAPauseBeyondTheEndOfTheRunIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(failing(model.ReasonRateLimit, after(24*time.Hour)))
		client := newRun(schedule.Limits{Wall: time.Minute}, whole).Target(patient).Client(s)
		ask(t, client, 1)
		const want = "rate_limit after 0: rate_limit (the next attempt is allowed in 24h0m0s, but the run ends in 1m0s)"
		if got := describe(ask(t, client, 1)[0]); got != want || s.times() != "0s" {
			t.Errorf("asked at %s: %s, want %s", s.times(), got, want)
		}
	})
}

func TestATimeThatTheTargetNamesHoldsForEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := newRun(schedule.Limits{}, noWait).Target(patient)
		limited := scripted(failing(model.ReasonRateLimit, after(7*time.Second)), yes)
		other := scripted(yes)
		var both sync.WaitGroup
		both.Go(func() { ask(t, target.Client(limited), 1) })
		both.Go(func() {
			time.Sleep(time.Second)
			ask(t, target.Client(other), 1)
		})
		both.Wait()
		if limited.times() != "0s 7s" || other.times() != "7s" {
			t.Errorf("asked at %s and %s, want 0s 7s and 7s", limited.times(), other.times())
		}
		if got := newRun(schedule.Limits{}, noWait).Target(config.Target{Name: "slow"}).Client(other); describe(ask(t, got, 1)[0]) != "yes after 1" {
			t.Error("another target was kept waiting")
		}
	})
}

func TestAWarningOfTheTargetIsHeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(model.Response{Text: "yes", Pause: 6 * time.Second}, yes)
		client := newRun(schedule.Limits{}, noWait).Target(config.Target{}).Client(s)
		ask(t, client, 1)
		ask(t, client, 1)
		if s.times() != "0s 6s" {
			t.Errorf("asked at %s, want 0s 6s", s.times())
		}
	})
}

func TestATargetThatStopsIsAskedNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newRun(schedule.Limits{}, noWait)
		target := run.Target(config.Target{Name: "fast"})
		s := scripted(model.Response{Failure: &model.Failure{Reason: model.ReasonAuth, Message: "the key is wrong", StopsTarget: true}})
		ask(t, target.Client(s), 1)
		got := describe(ask(t, target.Client(s), 1)[0])
		if want := "auth after 0: the key is wrong"; got != want || s.times() != "0s" {
			t.Errorf("asked at %s: %s\nwant 0s: %s", s.times(), got, want)
		}
		if _, ended := run.Ended(); ended {
			t.Error("the run ended; its other targets may answer")
		}
	})
}

func TestFailuresInBetweenAreNoOutage(t *testing.T) {
	for _, c := range []struct {
		rule    string
		answers []model.Response
		calls   int
	}{
		{"ten in a row are one, and one try after 5 s sets everybody free", append(slices.Repeat([]model.Response{overload}, 10), yes), 30},
		{"an answer in between is no row", append(append(slices.Repeat([]model.Response{overload}, 4), yes), append(slices.Repeat([]model.Response{overload}, 4), yes)...), 28},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scripted(c.answers...)
				start := time.Now()
				for _, r := range ask(t, newRun(schedule.Limits{Wall: time.Hour}, whole).Target(patient).Client(s), 20) {
					if r.Failure != nil {
						t.Errorf("answer %s", describe(r))
					}
				}
				if len(s.asked) != c.calls || time.Since(start) > 10*time.Second {
					t.Errorf("asked %d times in %s, want %d", len(s.asked), time.Since(start), c.calls)
				}
			})
		})
	}
}

// Whatever minute one looks at, it must not hold more than the limit: providers count in windows of their own.
func TestNoMinuteSeesMoreThanTheLimit(t *testing.T) {
	for _, perMinute := range []int{1, 2, 7, 60, 500} {
		t.Run(fmt.Sprint(perMinute), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scripted(yes)
				client := newRun(schedule.Limits{}, noWait).Target(config.Target{RequestsPerMinute: perMinute}).Client(s)
				var lanes sync.WaitGroup
				for range 3 {
					lanes.Go(func() {
						for range perMinute {
							ask(t, client, 1)
						}
					})
				}
				lanes.Wait()
				slices.Sort(s.asked)
				for i := range s.asked {
					if at := i + perMinute; at < len(s.asked) && s.asked[at]-s.asked[i] < time.Minute-time.Millisecond {
						t.Fatalf("call %d comes %s after call %d: more than %d in a minute", at, s.asked[at]-s.asked[i], i, perMinute)
					}
				}
				if took := s.asked[len(s.asked)-1]; took > 3*time.Minute+6*time.Second {
					t.Errorf("three minutes' worth took %s", took)
				}
			})
		})
	}
}

func TestTokensAreCountedAsTheyAreUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(model.Response{Text: "yes", Usage: model.Usage{TokensIn: 900, TokensOut: 100}})
		target := newRun(schedule.Limits{}, noWait).Target(config.Target{TokensPerMinute: 6000})
		for range 30 { // 30,000 tokens
			ask(t, target.Client(s), 1)
		}
		if took := s.asked[29]; took < 4*time.Minute || took > 6*time.Minute {
			t.Errorf("30,000 tokens at 6,000 a minute took %s", took)
		}
	})
}
