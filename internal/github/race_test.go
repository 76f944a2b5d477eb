package github_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/failproof/failproof/internal/fulltest"
	"github.com/failproof/failproof/internal/github/githubtest"
)

// turns lets runs that publish at once proceed one request at a time, in an order of the test's choice.
type turns struct {
	hub     hub
	waiting []request // of each run: its request that waits for its turn
	done    []bool
	last    int // whose turn was the last, -1 before the first
	read    bool
}

// request is one that waits.
type request struct {
	turn chan struct{}
	read bool // it changes nothing
}

// runHeader names the run in its requests.
const runHeader = "X-Run"

// newTurns starts runs that publish. Every request to comments waits for its turn.
func newTurns(t *testing.T, h hub, publications []publication) *turns {
	q := &turns{hub: h, waiting: make([]request, len(publications)), done: make([]bool, len(publications)), last: -1}
	h.OnRequest(func(r *http.Request) {
		graphql := strings.Contains(r.URL.Path, "graphql")
		if !strings.Contains(r.URL.Path, "comments") && !graphql {
			return
		}
		var run int
		fmt.Sscan(r.Header.Get(runHeader), &run)
		turn := make(chan struct{})
		q.waiting[run] = request{turn, graphql || r.Method == http.MethodGet}
		<-turn
	})
	for i, p := range publications {
		client := clientOf(t, named{h, fmt.Sprint(i)}, githubtest.Token)
		go func() {
			p.by(t, client)
			q.done[i] = true
		}()
		synctest.Wait()
	}
	return q
}

// named marks the requests of a run.
type named struct {
	http.Handler
	run string
}

func (n named) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Header.Set(runHeader, n.run)
	n.Handler.ServeHTTP(w, r)
}

// step lets one run's request through, and waits for what the run does next.
func (t *turns) step(run int) {
	t.last, t.read = run, t.waiting[run].read
	close(t.waiting[run].turn)
	synctest.Wait()
}

// open lists the runs that may be next. Two reads that follow each other could as well come the other way round, so of
// the two orders only the one by number is tried.
func (t *turns) open() (out []int) {
	var all []int
	for i := range t.waiting {
		if t.done[i] {
			continue
		}
		all = append(all, i)
		if i >= t.last || !t.read || !t.waiting[i].read {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// play runs one interleaving: schedule says which of the waiting runs is next, and 0 beyond its end. It returns how
// many choices there were at each step.
func play(t *testing.T, publications func(hub) []publication, before func(hub), schedule []int) (choices []int, h hub) {
	synctest.Test(t, func(t *testing.T) {
		h = newHub()
		before(h)
		q := newTurns(t, h, publications(h))
		for open := q.open(); len(open) > 0; open = q.open() {
			pick := 0
			if n := len(choices); n < len(schedule) {
				pick = schedule[n] % len(open)
			}
			choices = append(choices, len(open))
			q.step(open[pick])
		}
	})
	return choices, h
}

// next is the following schedule in the order of a search in depth, nil after the last.
func next(schedule, choices []int) []int {
	full := append([]int{}, schedule...)
	for len(full) < len(choices) {
		full = append(full, 0)
	}
	full = full[:len(choices)]
	for i := len(full) - 1; i >= 0; i-- {
		if full[i]+1 < choices[i] {
			full[i]++
			return full[:i+1]
		}
	}
	return nil
}

// drawn is a schedule by chance.
func drawn(chance *rand.Rand) []int {
	schedule := make([]int, 60)
	for n := range schedule {
		schedule[n] = chance.IntN(1 << 30)
	}
	return schedule
}

// sampled is next for so many schedules by chance.
func sampled(n int) func(schedule, choices []int) []int {
	chance := rand.New(rand.NewPCG(3, 4))
	return func(_, _ []int) []int {
		if n--; n == 0 {
			return nil
		}
		return drawn(chance)
	}
}

// byUs returns the comments of the workflow's account.
func byUs(h hub) (out []string) {
	for _, text := range bodies(h) {
		if strings.HasPrefix(text, bot) {
			out = append(out, text)
		}
	}
	return out
}

func TestThreeRunsEndWithTheNewestResult(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	old := ours(t, 40, "old")
	for i := range fulltest.Count(40, 400) {
		schedule := drawn(chance)
		_, h := play(t, func(h hub) []publication {
			return []publication{h.said(42, "second"), h.said(43, "newest"), h.said(41, "first")}
		}, func(h hub) {
			if i%2 == 0 {
				h.AddComment(githubtest.Actions, 7, old)
			}
		}, schedule)
		if mine := byUs(h); len(mine) != 1 || mine[0] != bot+"43.1 newest" {
			t.Fatalf("schedule %v ends with %q", schedule, mine)
		}
	}
}

// Where not everything is wanted, a hundred interleavings by chance.
func TestAllInterleavingsOfTwoRunsEndWithTheNewerResult(t *testing.T) {
	old := ours(t, 40, "old")
	for _, c := range []struct {
		rule   string
		before func(hub)
		heads  bool // the runs judged different commits
	}{
		{"no comment yet", func(hub) {}, false},
		{"a comment of an earlier run", func(h hub) { h.AddComment(githubtest.Actions, 7, old) }, false},
		{"two comments of earlier runs", func(h hub) { h.AddComment(githubtest.Actions, 7, old); h.AddComment(githubtest.Actions, 7, old) }, true},
		{"a comment of an earlier run, and a forged one", func(h hub) {
			h.AddComment(githubtest.Mallory, 7, ours(t, 9e15, "forged"))
			h.AddComment(githubtest.Actions, 7, old)
		}, true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			runs := func(h hub) []publication {
				older, newer := h.said(41, "older"), h.said(42, "newer")
				if c.heads {
					older.event.HeadSHA = strings.Repeat("b", 40)
				}
				return []publication{older, newer}
			}
			count, following := 0, next
			if !fulltest.All() {
				following = sampled(100)
			}
			for schedule := []int{}; schedule != nil; count++ {
				choices, h := play(t, runs, c.before, schedule)
				if mine := byUs(h); len(mine) != 1 || mine[0] != bot+"42.1 newer" {
					t.Fatalf("schedule %v ends with %q", schedule, mine)
				}
				schedule = following(schedule, choices)
			}
			t.Logf("%d interleavings", count)
			if count < 50 {
				t.Errorf("only %d interleavings were tried", count)
			}
		})
	}
}
