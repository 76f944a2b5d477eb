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

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/schedule"
)

// provider answers after half a second, but for a time in which it does something else.
type provider struct {
	start    time.Time
	from, to time.Duration // of the outage, since the start
	during   func(ctx context.Context) model.Response

	mu    sync.Mutex
	calls []time.Duration
}

const takes = 500 * time.Millisecond

func (p *provider) Answer(ctx context.Context, _ model.Request) (model.Response, error) {
	at := time.Since(p.start)
	p.mu.Lock()
	p.calls = append(p.calls, at)
	p.mu.Unlock()
	if at >= p.from && at < p.to {
		return p.during(ctx), nil
	}
	time.Sleep(takes)
	return yes, nil
}

// at returns how many calls came in a time.
func (p *provider) at(from, to time.Duration) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls {
		if c >= from && c < to {
			n++
		}
	}
	return n
}

func says(r model.Response) func(context.Context) model.Response {
	return func(context.Context) model.Response { return r }
}

// hangs answers nothing until the time for an answer is up.
func hangs(context.Context) model.Response {
	time.Sleep(30 * time.Second)
	return model.Response{Failure: &model.Failure{Reason: model.ReasonTimeout, LimitSeconds: 30, Message: "late", Retry: &model.Retry{Max: 1}}, MayCost: true}
}

var patient = config.Target{Name: "fast", PatienceSeconds: 300}

// wave asks a target n times, so many at once, and returns what was not answered.
func wave(t *testing.T, c model.Client, n, width int) (lost []string) {
	t.Helper()
	todo := make(chan struct{}, n)
	for range n {
		todo <- struct{}{}
	}
	close(todo)
	var mu sync.Mutex
	var lanes sync.WaitGroup
	for range width {
		lanes.Go(func() {
			for range todo {
				r, err := c.Answer(t.Context(), question)
				mu.Lock()
				if err != nil || r.Failure != nil {
					lost = append(lost, fmt.Sprint(describe(r), err))
				}
				mu.Unlock()
			}
		})
	}
	lanes.Wait()
	return lost
}

func TestAMinuteOfOutageLosesNothing(t *testing.T) {
	const n = 200
	outage := time.Minute
	for _, c := range []struct {
		rule   string
		during func(context.Context) model.Response
		widths []int
	}{
		{"HTTP 503", says(overload), []int{1, 2, 8, 50}},
		{"the connection is reset", says(failing(model.ReasonTransport, &model.Retry{})), []int{1, 2, 8, 50}},
		{"a bare 429", says(failing(model.ReasonRateLimit, &model.Retry{})), []int{1, 2, 8, 50}},
		{"429 with a time that is too short", says(failing(model.ReasonRateLimit, after(time.Second))), []int{1, 2, 8, 50}},
		{"503 with a time that is too short", says(failing(model.ReasonServer, after(time.Second))), []int{1, 2, 8, 50}},
		{"nothing at all", hangs, []int{2, 8, 50}},
	} {
		for _, width := range c.widths {
			plain := time.Duration(n/width) * takes
			for _, from := range []time.Duration{0, plain / 3, plain - 2*takes} {
				for name, jitter := range map[string]func(time.Duration) time.Duration{"none": noWait, "whole": whole} {
					t.Run(fmt.Sprintf("%s, %d at once, from %s on, chance %s", c.rule, width, from, name), func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							p := &provider{start: time.Now(), from: from, to: from + outage, during: c.during}
							run := newRun(schedule.Limits{Wall: 20 * time.Minute, CostUSD: 1000}, jitter)
							target := patient
							if name == "whole" { // with a price the first answer is waited for alone
								target.Price = perToken
							}
							lost := wave(t, run.Target(target).Client(p), n, width)
							if len(lost) > 0 {
								t.Errorf("%d of %d answers lost: %s", len(lost), n, lost[0])
							}
							if took, most := time.Since(p.start), plain+outage+3*time.Minute/2; took > most {
								t.Errorf("it took %s, want at most %s", took, most)
							}
							most := 100 + 3*width
							if strings.Contains(c.rule, "too short") { // whoever waits asks again when the time is over that the target named
								most += int(outage/time.Second) * width
							}
							if in := p.at(from, from+outage); in > most {
								t.Errorf("%d calls while the target was unavailable", in)
							}
						})
					})
				}
			}
		}
	}
}

func TestATargetIsLeftAloneLongerAndLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{start: time.Now(), from: 0, to: time.Hour, during: says(overload)}
		var mu sync.Mutex
		var waits []string
		run := schedule.NewRun(schedule.Options{Now: time.Now, Jitter: noWait, OnWait: func(w schedule.Wait) {
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, fmt.Sprintf("%s %s %s", w.Target, w.For, w.Why))
		}})
		lost := wave(t, run.Target(patient).Client(p), 20, 10)
		var probes []string
		for _, at := range p.calls {
			if at > 0 {
				probes = append(probes, at.String())
			}
		}
		if got, want := strings.Join(probes, " "), "5s 15s 35s 1m15s 2m15s 3m15s 4m15s 5m0s"; got != want {
			t.Errorf("tried again at %s, want %s", got, want)
		}
		want := "fast 5s unavailable, fast 10s unavailable, fast 20s unavailable, fast 40s unavailable, fast 1m0s unavailable, " +
			"fast 1m0s unavailable, fast 1m0s unavailable, fast 45s unavailable"
		if got := strings.Join(waits, ", "); got != want {
			t.Errorf("it says %s, want %s", got, want)
		}
		if len(lost) != 20 || !sayAlike(lost, "server") {
			t.Errorf("lost %d: %s", len(lost), strings.Join(lost, "\n"))
		}
	})
}

func TestPatienceIsOfTheRunAndNotOfARequest(t *testing.T) {
	for _, c := range []struct {
		rule     string
		patience float64
		outages  []time.Duration // each from its second minute on
		lost     bool
	}{
		{"two outages within it", 300, []time.Duration{2 * time.Minute, 2 * time.Minute}, false},
		{"two that are longer together", 180, []time.Duration{2 * time.Minute, 2 * time.Minute}, true},
		{"one that is longer", 60, []time.Duration{2 * time.Minute}, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &provider{start: time.Now(), during: says(overload)}
				target := patient
				target.PatienceSeconds = c.patience
				client := newRun(schedule.Limits{}, noWait).Target(target).Client(p)
				var lost []string
				for i, d := range c.outages {
					p.from = time.Since(p.start) + time.Second
					p.to = p.from + d
					lost = append(lost, wave(t, client, 100, 8)...)
					if len(lost) > 0 && i < len(c.outages)-1 {
						t.Errorf("the first outage lost %d answers", len(lost))
					}
				}
				if (len(lost) > 0) != c.lost {
					t.Errorf("%d answers lost, want some: %v", len(lost), c.lost)
				}
			})
		})
	}
}

func TestTheEndOfTheRunIsTheEndOfPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{start: time.Now(), from: 0, to: time.Hour, during: says(overload)}
		run := newRun(schedule.Limits{Wall: 90 * time.Second}, noWait)
		lost := wave(t, run.Target(patient).Client(p), 20, 10)
		if took := time.Since(p.start); took != 90*time.Second || len(lost) != 20 || !strings.Contains(lost[0], "limits.max_wall (1m30s) is used up") {
			t.Errorf("after %s: %d lost, %s", took, len(lost), lost[0])
		}
	})
}

// poison answers some requests with a failure, always.
type poison struct {
	fails func(model.Request) *model.Failure
	mu    sync.Mutex
	asked map[string]int
}

func (p *poison) Answer(_ context.Context, r model.Request) (model.Response, error) {
	p.mu.Lock()
	p.asked[r.CaseID]++
	p.mu.Unlock()
	time.Sleep(takes)
	return model.Response{Text: "yes", Failure: p.fails(r)}, nil
}

func TestARequestThatAlwaysFailsIsNotWaitedForWhileOthersAreAnswered(t *testing.T) {
	for _, c := range []struct {
		rule    string
		failure model.Failure
		width   int
		calls   int // of the request
		within  time.Duration
	}{
		{"a broken server: five tries", model.Failure{Reason: model.ReasonServer, Retry: &model.Retry{}}, 4, 5, 2 * time.Minute},
		{"no answer in time: two", model.Failure{Reason: model.ReasonTimeout, LimitSeconds: 30, Retry: &model.Retry{Max: 1}}, 4, 2, 2 * time.Minute},
		{"nor where it is asked for alone", model.Failure{Reason: model.ReasonTimeout, LimitSeconds: 30, Retry: &model.Retry{Max: 1}}, 1, 2, 2 * time.Minute},
		{"too often: twenty, beside those before anybody was answered", model.Failure{Reason: model.ReasonRateLimit, Retry: &model.Retry{}}, 4, 24, 10 * time.Minute},
		{"alone, a broken server is waited for, and it alone is lost", model.Failure{Reason: model.ReasonServer, Retry: &model.Retry{}}, 1, 13, 7 * time.Minute},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &poison{asked: map[string]int{}, fails: func(r model.Request) *model.Failure {
					if r.CaseID != "c3" {
						return nil
					}
					f := c.failure
					return &f
				}}
				client := newRun(schedule.Limits{}, noWait).Target(patient).Client(p)
				todo := make(chan string, 100)
				for i := range 100 {
					todo <- fmt.Sprint("c", i)
				}
				close(todo)
				start := time.Now()
				var mu sync.Mutex
				var lanes sync.WaitGroup
				var lost []string
				for range c.width {
					lanes.Go(func() {
						for id := range todo {
							q := question
							q.CaseID = id
							if r, err := client.Answer(t.Context(), q); err != nil || r.Failure != nil {
								mu.Lock()
								lost = append(lost, id)
								mu.Unlock()
							}
						}
					})
				}
				lanes.Wait()
				if got := strings.Join(lost, " "); got != "c3" || p.asked["c3"] > c.calls || time.Since(start) > c.within {
					t.Errorf("lost %q, asked for it %d times, within %s; want c3, %d, %s", got, p.asked["c3"], time.Since(start), c.calls, c.within)
				}
			})
		})
	}
}

func TestWhoAsksAloneIsNotKeptWaitingForAnAnswerThatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{start: time.Now(), from: 0, to: time.Hour, during: hangs}
		lost := wave(t, newRun(schedule.Limits{}, noWait).Target(patient).Client(p), 1, 8)
		if took := time.Since(p.start); len(lost) != 1 || len(p.calls) != 2 || took != time.Minute {
			t.Errorf("%d lost after %d calls in %s, want one after two in a minute", len(lost), len(p.calls), took)
		}
	})
}

func TestPatienceIsForATargetThatAnsweredBefore(t *testing.T) {
	for _, c := range []struct {
		rule          string
		answers       time.Duration // it answers for so long first
		during        func(context.Context) model.Response
		cases, width  int
		within, after time.Duration
		reason        string
	}{
		{"one that never answered is given up after three timeouts", 0, hangs, 2, 2, 100 * time.Second, 90 * time.Second, "timeout"},
		{"asked by one after the other too", 0, hangs, 20, 1, 100 * time.Second, 90 * time.Second, "timeout"},
		{"those that were under way together are one: a model that starts late is waited for", 0, hangs, 100, 50, 110 * time.Second, 90 * time.Second, "timeout"},
		{"one that answered once is waited for", time.Second, hangs, 20, 4, 6 * time.Minute, 5 * time.Minute, "timeout"},
		{"and so is one that says that it is not ready", 0, says(overload), 20, 4, 6 * time.Minute, 5 * time.Minute, "server"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &provider{start: time.Now(), from: c.answers, to: time.Hour, during: c.during}
				lost := wave(t, newRun(schedule.Limits{}, noWait).Target(patient).Client(p), c.cases, c.width)
				if took := time.Since(p.start); took < c.after || took > c.within || !sayAlike(lost, c.reason) {
					t.Errorf("after %s: %s", took, strings.Join(lost, "\n"))
				}
			})
		})
	}
}

func TestWhatWaitingDoesNotChangeIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &provider{start: time.Now(), from: 0, to: time.Hour, during: says(failing(model.ReasonTransport, nil))}
		lost := wave(t, newRun(schedule.Limits{}, noWait).Target(patient).Client(p), 200, 8)
		if len(p.calls) > 17 || time.Since(p.start) > time.Second || len(lost) != 200 || !sayAlike(lost, "transport") {
			t.Errorf("%d calls in %s, %d lost", len(p.calls), time.Since(p.start), len(lost))
		}
	})
}

// meter allows so many calls a second and answers 429 to all others.
type meter struct {
	limit int

	mu       sync.Mutex
	second   int64
	used     int
	answered int
	refused  int
}

func (m *meter) Answer(context.Context, model.Request) (model.Response, error) {
	m.mu.Lock()
	if s := time.Now().Unix(); s != m.second {
		m.second, m.used = s, 0
	}
	m.used++
	over := m.used > m.limit
	if over {
		m.refused++
	} else {
		m.answered++
	}
	m.mu.Unlock()
	if over {
		return failing(model.ReasonRateLimit, &model.Retry{}), nil
	}
	time.Sleep(takes)
	return yes, nil
}

func TestABare429HalvesThePaceOfAll(t *testing.T) {
	for _, limit := range []int{1, 4, 20} {
		t.Run(fmt.Sprint(limit, " a second"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const n = 400
				m := &meter{limit: limit}
				start := time.Now()
				if lost := wave(t, newRun(schedule.Limits{}, noWait).Target(patient).Client(m), n, 50); len(lost) > 0 {
					t.Errorf("%d answers lost: %s", len(lost), lost[0])
				}
				ideal := time.Duration(n/limit) * time.Second
				if took := time.Since(start); took > 3*ideal/2+30*time.Second || m.refused > n/2 { // without it each is turned down several times
					t.Errorf("it took %s with %d calls that were turned down; the limit allows %s", took, m.refused, ideal)
				}
			})
		})
	}
}

// sayAlike reports whether all questions failed for a reason, whether they were asked or not.
func sayAlike(lost []string, reason string) bool {
	return !slices.ContainsFunc(lost, func(one string) bool { return !strings.HasPrefix(one, reason+" after ") })
}
