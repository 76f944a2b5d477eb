package schedule_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

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
				run := newRun(c.limits, noWait)
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
							} else if refused = string(r.Failure.Message); r.Failure.Reason != model.ReasonBudget || !r.Failure.NotCompleted() {
								t.Errorf("failure %s", describe(r))
							}
						})
					}
					four.Wait()
					time.Sleep(100 * time.Millisecond) // so that nothing begins or ends in the instant in which the time is over
				}
				spent := run.Usage()
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

func TestWhichLimitFurtherCallsExceed(t *testing.T) {
	price := &config.Price{InputPerMillion: 1000, OutputPerMillion: 1000}
	for _, c := range []struct {
		limits      schedule.Limits
		asked, more int
		want        string
	}{
		{schedule.Limits{Calls: 7}, 4, 3, ""},
		{schedule.Limits{Calls: 7}, 4, 4, "limits.max_calls (7)"},
		{schedule.Limits{Calls: 7}, 0, 8, "limits.max_calls (7)"},
		{schedule.Limits{Tokens: 1000, Wall: time.Hour, CostUSD: 1}, 0, 99, ""},
		{schedule.Limits{Tokens: 10_000}, 4, 97, "limits.max_tokens (10000)"},
		{schedule.Limits{CostUSD: 1}, 4, 7, "limits.max_cost_usd (1)"},
		{schedule.Limits{Wall: 10 * time.Second}, 4, 6, ""},
		{schedule.Limits{Wall: 10 * time.Second}, 4, 7, "limits.max_wall (10s)"},
		{schedule.Limits{Calls: 4}, 5, 0, "limits.max_calls (4) is used up"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := scripted(model.Response{Text: "yes", Usage: model.Usage{TokensIn: 50, TokensOut: 50}})
			s.takes = time.Second
			run := newRun(c.limits, noWait)
			client := run.Target(config.Target{Price: price}).Client(s)
			for range c.asked {
				ask(t, client, 1)
			}
			if got := run.ExceededBy(c.more); got != c.want {
				t.Errorf("%+v after %d calls, %d more: %q, want %q", c.limits, c.asked, c.more, got, c.want)
			}
		})
	}
}

func TestARunThatTakesTooLongIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(yes)
		s.takes = time.Hour
		run := newRun(schedule.Limits{}, noWait)
		time.AfterFunc(time.Minute, func() { run.GiveUp("it took longer than 1m0s") })
		if got := describe(ask(t, run.Target(config.Target{}).Client(s), 1)[0]); got != "budget after 1: cut off: it took longer than 1m0s" {
			t.Error(got)
		}
	})
}

func TestAnAnswerThatDoesNotComeBeforeTheWallIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := scripted(yes)
		s.takes = time.Minute
		start := time.Now()
		got := ask(t, newRun(schedule.Limits{Wall: 10 * time.Second}, noWait).Target(config.Target{}).Client(s), 1)[0]
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
			if got := describe(ask(t, target.Client(again), 1)[0]); got != "cancelled after 0: not asked: the run was canceled" {
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
		run := newRun(schedule.Limits{Wall: time.Hour}, noWait)
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
		run := newRun(schedule.Limits{}, noWait)
		slow := scripted(yes)
		slow.takes = time.Hour
		time.AfterFunc(time.Second, run.Cancel)
		time.AfterFunc(2*time.Second, run.Abort)
		start := time.Now()
		got := describe(ask(t, run.Target(config.Target{}).Client(slow), 1)[0])
		if got != "cancelled after 1: cut off: the run was canceled" || time.Since(start) != 2*time.Second {
			t.Errorf("%s after %s", got, time.Since(start))
		}
		run.Abort() // twice does no harm
	})
}

func TestARefusedRunAsksNothing(t *testing.T) {
	run := newRun(schedule.Limits{}, noWait)
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
	run := newRun(schedule.Limits{}, noWait)
	run.Cancel()
	if got := describe(ask(t, run.Guard(scripted(yes)), 1)[0]); got != "cancelled after 0: not asked: the run was canceled" {
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
	_, err := newRun(schedule.Limits{}, noWait).Target(config.Target{}).Client(broken{lost}).Answer(t.Context(), question)
	if !errors.Is(err, lost) {
		t.Errorf("error %v, want %v", err, lost)
	}
}
