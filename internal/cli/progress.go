package cli

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/failproof/failproof/internal/model/schedule"
)

// progress shows how far a run is: a bar on a terminal, a line every ten seconds in a log. It is safe for concurrent use.
type progress struct {
	sys   System
	quiet bool
	bar   *progressbar.ProgressBar // nil in a log

	mu    sync.Mutex
	done  int
	total int
	begun time.Time
	spent func() schedule.Spent // nil: nothing is spent
	stop  chan struct{}         // closed at the end; nil: no lines are written
	lines sync.WaitGroup
}

const logEvery = 10 * time.Second

func newProgress(sys System, quiet bool) *progress { return &progress{sys: sys, quiet: quiet} }

// begin starts the bar, or the lines.
func (p *progress) begin(total int) {
	p.total, p.begun = total, time.Now()
	switch {
	case p.quiet:
	case isTerminal(p.sys.Stderr):
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.sys.Stderr),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionSetItsString("answers"),
			progressbar.OptionShowIts(),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
	default:
		p.stop = make(chan struct{})
		p.lines.Go(func() { p.write(p.stop) })
	}
}

// tell is called after each answer.
func (p *progress) tell(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = done
	if p.bar == nil {
		return
	}
	if cost := p.cost(); cost != "" {
		p.bar.Describe("judging" + cost)
	}
	_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

// cost is what was spent so far, as a part of a sentence; "" for nothing.
func (p *progress) cost() string {
	if p.spent == nil {
		return ""
	}
	if v := p.spent().CostUSD; v > 0 {
		return ", $" + dollars(v) + " so far"
	}
	return ""
}

// write writes a line every ten seconds, also while no answer comes.
func (p *progress) write(stop <-chan struct{}) {
	every := time.NewTicker(logEvery)
	defer every.Stop()
	for {
		select {
		case <-stop:
			return
		case <-every.C:
			p.mu.Lock()
			fmt.Fprintln(p.sys.Stderr, p.line(time.Since(p.begun)))
			p.mu.Unlock()
		}
	}
}

// line says how far it is, how fast, what it cost, and how long it will take.
func (p *progress) line(took time.Duration) string {
	text := fmt.Sprintf("%d of %d answers judged", p.done, p.total)
	if rate := float64(p.done) / took.Seconds(); p.done > 0 && p.done < p.total {
		left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
		text += fmt.Sprintf(", %.1f a second, about %s left", rate, max(left.Round(time.Second), time.Second))
	}
	return text + p.cost()
}

// finish takes the bar away, or ends the lines.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
	if p.stop != nil {
		close(p.stop)
		p.lines.Wait()
		p.stop = nil
	}
}
