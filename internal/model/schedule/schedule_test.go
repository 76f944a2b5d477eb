package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

func none(time.Duration) time.Duration { return 0 }

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
		once.Once = true
		answer, err := newRun(schedule.Limits{}, none).Target(config.Target{Name: "t"}).Client(s).Answer(t.Context(), once)
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
			schedule.Limits{}, none, "0s 7s", "yes after 2"},
		{"P2: a limit without one halves the pace, again and again, and no try is used up", append(slices.Repeat([]model.Response{failing(model.ReasonRateLimit, &model.Retry{})}, 6), yes),
			schedule.Limits{}, whole, "0s 2s 6s 14s 24s 34s 44s", "yes after 7"},
		{"P2: while patience lasts", []model.Response{failing(model.ReasonRateLimit, after(70*time.Second))},
			schedule.Limits{}, none, "0s 1m10s 2m20s 3m30s 4m40s 5m50s", "rate_limit after 6: rate_limit"},
		{"P2: an outage is waited for at most 1, 2, 4 and 8 s, and after five tries longer", append(slices.Repeat([]model.Response{overload}, 7), yes),
			schedule.Limits{}, whole, "0s 1s 3s 7s 15s 20s 30s 50s", "yes after 8"},
		{"P2: while patience lasts, and it is then the request's own where no other one was asked", []model.Response{overload},
			schedule.Limits{}, whole, "0s 1s 3s 7s 15s 20s 30s 50s 1m30s 2m30s 3m30s 4m30s 5m0s", "server after 13: server"},
		{"P2: chance may make a wait nothing", []model.Response{overload, overload, yes}, schedule.Limits{}, none, "0s 0s 0s", "yes after 3"},
		{"chance cannot make it more, or less than nothing", []model.Response{overload, overload, yes}, schedule.Limits{},
			func(d time.Duration) time.Duration {
				return map[bool]time.Duration{true: -d, false: 9 * d}[d == time.Second]
			}, "0s 0s 2s", "yes after 3"},
		{"P3: a time beyond what is left of the run is not waited for", []model.Response{failing(model.ReasonRateLimit, after(24*time.Hour))},
			schedule.Limits{Wall: time.Minute}, whole, "0s", "rate_limit after 1: rate_limit"},
		{"P4: no money is not asked twice", []model.Response{{Failure: &model.Failure{Reason: model.ReasonQuota, Message: "no money", Stop: true}}},
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

func TestATimeThatTheTargetNamesHoldsForEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		target := newRun(schedule.Limits{}, none).Target(patient)
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
		if got := newRun(schedule.Limits{}, none).Target(config.Target{Name: "slow"}).Client(other); describe(ask(t, got, 1)[0]) != "yes after 1" {
			t.Error("another target was kept waiting")
		}
	})
}

func TestAWarningOfTheTargetIsHeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(model.Response{Text: "yes", Pause: 6 * time.Second}, yes)
		client := newRun(schedule.Limits{}, none).Target(config.Target{}).Client(s)
		ask(t, client, 1)
		ask(t, client, 1)
		if s.times() != "0s 6s" {
			t.Errorf("asked at %s, want 0s 6s", s.times())
		}
	})
}

func TestATargetThatStopsIsAskedNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newRun(schedule.Limits{}, none)
		target := run.Target(config.Target{Name: "fast"})
		s := scripted(model.Response{Failure: &model.Failure{Reason: model.ReasonAuth, Message: "the key is wrong", Stop: true}})
		ask(t, target.Client(s), 1)
		got := describe(ask(t, target.Client(s), 1)[0])
		if want := "auth after 0: not asked: fast was given up: the key is wrong"; got != want || s.times() != "0s" {
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
				client := newRun(schedule.Limits{}, none).Target(config.Target{RequestsPerMinute: perMinute}).Client(s)
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
		target := newRun(schedule.Limits{}, none).Target(config.Target{TokensPerMinute: 6000})
		for range 30 { // 30,000 tokens
			ask(t, target.Client(s), 1)
		}
		if took := s.asked[29]; took < 4*time.Minute || took > 6*time.Minute {
			t.Errorf("30,000 tokens at 6,000 a minute took %s", took)
		}
	})
}

func TestABudgetEndsTheRun(t *testing.T) {
	fifty := 50
	limited := question
	limited.Parameters.MaxTokens = &fifty
	usage := model.Response{Text: "yes", Usage: model.Usage{TokensIn: 50, TokensOut: 50}}
	price := &config.Price{InputPerMillion: 1000, OutputPerMillion: 1000} // a tenth of a dollar a call
	for _, c := range []struct {
		rule   string
		limits schedule.Limits
		calls  int
		want   string
	}{
		{"calls", schedule.Limits{Calls: 7}, 7, "not asked: limits.max_calls (7) is used up"},
		{"tokens", schedule.Limits{Tokens: 1000}, 10, "not asked: limits.max_tokens (1000) is used up"},
		{"dollars", schedule.Limits{CostUSD: 1.05}, 10, "not asked: limits.max_cost_usd (1.05) is used up"},
		{"time", schedule.Limits{Wall: 5450 * time.Millisecond}, 20, "not asked: limits.max_wall (5.45s) is used up"},
		{"nothing where there is no limit", schedule.Limits{}, 40, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := scripted(usage)
				s.takes = time.Second
				run := newRun(c.limits, none)
				client := run.Target(config.Target{Price: price}).Client(s)
				answered, refused := 0, ""
				for range 10 {
					var four sync.WaitGroup
					var mu sync.Mutex
					for range 4 {
						four.Go(func() {
							r, err := client.Answer(t.Context(), limited)
							mu.Lock()
							defer mu.Unlock()
							if err != nil {
								t.Error(err)
							}
							if r.Failure == nil {
								answered++
							} else if refused = string(r.Failure.Message); r.Failure.Reason != model.ReasonBudget || !r.Failure.NotAsked() {
								t.Errorf("failure %s", describe(r))
							}
						})
					}
					four.Wait()
					time.Sleep(100 * time.Millisecond) // so that nothing begins or ends in the instant in which the time is over
				}
				spent := run.Spent()
				if answered != c.calls || refused != c.want || spent.Calls != c.calls || spent.TokensIn != 50*c.calls ||
					math.Abs(spent.CostUSD-0.1*float64(c.calls)) > 1e-9 {
					t.Errorf("%d answers, spent %+v, %q; want %d and %q", answered, spent, refused, c.calls, c.want)
				}
				if end, ended := run.Ended(); ended != (c.want != "") || ended && !strings.Contains(c.want, end.Why) {
					t.Errorf("ended %v, %+v", ended, end)
				}
			})
		})
	}
}

func TestAnAnswerThatDoesNotComeBeforeTheWallIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(yes)
		s.takes = time.Minute
		start := time.Now()
		got := ask(t, newRun(schedule.Limits{Wall: 10 * time.Second}, none).Target(config.Target{}).Client(s), 1)[0]
		if describe(got) != "budget after 1: cut off: limits.max_wall (10s) is used up" || time.Since(start) != 10*time.Second {
			t.Errorf("%s after %s", describe(got), time.Since(start))
		}
	})
}

func TestACancelledRunAsksNothingMoreAndLetsAnswersCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newRun(schedule.Limits{}, whole)
		target := run.Target(config.Target{RequestsPerMinute: 1})
		slow, again := scripted(yes), scripted(overload, yes)
		slow.takes = 2 * time.Second
		var all sync.WaitGroup
		all.Go(func() {
			if got := describe(ask(t, target.Client(slow), 1)[0]); got != "yes after 1" {
				t.Errorf("the answer under way: %s", got)
			}
		})
		all.Go(func() { // waits for its turn
			time.Sleep(time.Millisecond)
			if got := describe(ask(t, target.Client(again), 1)[0]); got != "cancelled after 0: not asked: the run was cancelled" {
				t.Errorf("the request that waits: %s", got)
			}
		})
		time.Sleep(time.Second)
		start := time.Now()
		run.Cancel()
		all.Wait()
		if time.Since(start) != time.Second || again.times() != "" {
			t.Errorf("it took %s, and asked at %q", time.Since(start), again.times())
		}
	})
}

func TestTheEndOfTheContextCutsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s := scripted(yes)
		s.takes = time.Minute
		run := newRun(schedule.Limits{Wall: time.Hour}, none)
		got, err := run.Target(config.Target{}).Client(s).Answer(ctx, question)
		if err != nil || got.Failure == nil || got.Failure.Reason != model.ReasonCancelled || got.Attempts != 1 {
			t.Errorf("answer %s, error %v", describe(got), err)
		}
		if end, ended := run.Ended(); !ended || end.Reason != model.ReasonCancelled {
			t.Errorf("the run goes on: %+v", end)
		}
	})
}

func TestARunThatIsCutGivesUpWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newRun(schedule.Limits{}, none)
		slow := scripted(yes)
		slow.takes = time.Hour
		time.AfterFunc(time.Second, run.Cancel)
		time.AfterFunc(2*time.Second, run.Cut)
		start := time.Now()
		got := describe(ask(t, run.Target(config.Target{}).Client(slow), 1)[0])
		if got != "cancelled after 1: cut off: the run was cancelled" || time.Since(start) != 2*time.Second {
			t.Errorf("%s after %s", got, time.Since(start))
		}
		run.Cut() // twice does no harm
	})
}

func TestARefusedRunAsksNothing(t *testing.T) {
	run := newRun(schedule.Limits{}, none)
	run.Refuse("240 calls are needed, more than limits.max_calls (200)")
	s := scripted(yes)
	got := describe(ask(t, run.Target(config.Target{}).Client(s), 1)[0])
	if want := "budget after 0: not asked: 240 calls are needed, more than limits.max_calls (200)"; got != want || s.times() != "" {
		t.Errorf("asked at %q: %s, want %s", s.times(), got, want)
	}
	if got := describe(ask(t, run.Guard(s), 1)[0]); got != "yes after 0" {
		t.Errorf("what costs nothing: %s", got)
	}
}

func TestACancelReachesTargetsThatCostNothing(t *testing.T) {
	run := newRun(schedule.Limits{}, none)
	run.Cancel()
	if got := describe(ask(t, run.Guard(scripted(yes)), 1)[0]); got != "cancelled after 0: not asked: the run was cancelled" {
		t.Error(got)
	}
}

// broken is a client with a fault of our world.
type broken struct{ err error }

func (b broken) Answer(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, b.err
}

func TestAFaultOfOurWorldIsHandedOn(t *testing.T) {
	lost := errors.New("the command is gone")
	_, err := newRun(schedule.Limits{}, none).Target(config.Target{}).Client(broken{lost}).Answer(t.Context(), question)
	if !errors.Is(err, lost) {
		t.Errorf("error %v, want %v", err, lost)
	}
}
