// Package progress shows on standard error how far a run is.
package progress

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/text"
)

// Progress shows how far a run is and what it waits for: a bar on a terminal; in a log a line every ten seconds, and
// one when something begins. It is safe for concurrent use.
type Progress struct {
	to    io.Writer
	shown How
	bar   *progressbar.ProgressBar // nil in a log

	mu    sync.Mutex
	label string // of what is asked again; "" for the first answers
	done  int
	total int
	begun time.Time
	waits map[string]wait       // by target
	idle  time.Duration         // that targets were left alone, the current wait to its end among it
	until time.Time             // the end of the last wait
	spent func() schedule.Usage // nil: nothing is spent
	stop  chan struct{}         // closed at the end; nil: nothing is shown
	lines sync.WaitGroup
}

// wait is until when a target is left alone, and why.
type wait struct {
	until time.Time
	why   string
}

const (
	logEvery  = 10 * time.Second
	barEvery  = time.Second
	toldWaits = time.Second // shorter ones are not worth a word
)

// How is in what form it is shown.
type How int

const (
	Quiet How = iota // not at all
	Lines            // for a log
	Bar              // for a terminal
)

// New makes a progress that is shown on to once it begins.
func New(to io.Writer, shown How) *Progress {
	return &Progress{to: to, shown: shown, waits: map[string]wait{}}
}

// Begin starts the bar, or the lines, of total answers; after Finish it may start again. spent returns the cost so far;
// nil for none.
func (p *Progress) Begin(total int, spent func() schedule.Usage) {
	p.label, p.done, p.total, p.begun, p.spent, p.idle, p.until = "", 0, total, time.Now(), spent, 0, time.Time{}
	switch p.shown {
	case Quiet:
	case Bar:
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.to),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionSetItsString("answers"),
			progressbar.OptionShowIts(),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
		p.keep(barEvery, p.describe)
	case Lines:
		p.keep(logEvery, func() { fmt.Fprintln(p.to, p.line()) })
	}
}

// keep shows how far it is again and again, also while no answer comes.
func (p *Progress) keep(period time.Duration, show func()) {
	stop := make(chan struct{})
	p.stop = stop
	p.lines.Go(func() {
		every := time.NewTicker(period)
		defer every.Stop()
		for {
			select {
			case <-stop:
				return
			case <-every.C:
				p.mu.Lock()
				show()
				p.mu.Unlock()
			}
		}
	})
}

// Again starts to count anew: something is asked again, so many answers at most.
func (p *Progress) Again(label string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.label, p.done, p.total, p.begun = label, 0, total, time.Now()
	switch {
	case p.bar != nil:
		p.bar.ChangeMax(total)
		p.bar.Reset()
		p.describe()
	case p.stop != nil:
		fmt.Fprintln(p.to, p.line())
	}
}

// AtLeast makes room for so many more answers.
func (p *Progress) AtLeast(more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total = max(p.total, p.done+more); p.bar != nil {
		p.bar.ChangeMax(p.total)
	}
}

// Advance counts one more answer.
func (p *Progress) Advance() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.bar != nil {
		p.describe()
		_ = p.bar.Set(min(p.done, p.total)) // a bar that cannot be drawn is no reason to stop
	}
}

// Wait is called when a target is left alone for a while.
func (p *Progress) Wait(w schedule.Wait) {
	if w.For < toldWaits {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	end := now.Add(w.For)
	p.waits[w.Target] = wait{end, w.Why}
	if more := min(w.For, end.Sub(p.until)); more > 0 {
		p.idle, p.until = p.idle+more, end
	}
	switch {
	case p.bar != nil:
		p.describe()
	case p.stop != nil:
		fmt.Fprintln(p.to, p.waiting())
	}
}

func (p *Progress) describe() {
	words := cmp.Or(p.label, "judging")
	if waiting := p.waiting(); waiting != "" {
		words += "; " + waiting
	}
	p.bar.Describe(words + p.cost())
}

// waiting says which targets are paused, for how long still, and why; "" if none is.
func (p *Progress) waiting() string {
	var parts []string
	for name, w := range p.waits {
		if left := time.Until(w.until); left > 0 {
			parts = append(parts, fmt.Sprintf("%s: waiting %s, %s", name, seconds(left), w.why))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// seconds writes a time in whole seconds, rounded up: "25 s", "1 min 5 s".
func seconds(d time.Duration) string {
	s := int((d + time.Second - 1) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s%60 == 0:
		return fmt.Sprintf("%d min", s/60)
	}
	return fmt.Sprintf("%d min %d s", s/60, s%60)
}

// cost returns the cost so far, as a part of a sentence; "" for none.
func (p *Progress) cost() string {
	if p.spent == nil {
		return ""
	}
	if v := p.spent().CostUSD; v > 0 {
		return ", $" + text.Dollars(v) + " so far"
	}
	return ""
}

func (p *Progress) line() string {
	text := fmt.Sprintf("%d of %d answers judged", p.done, p.total)
	if p.label != "" {
		text = fmt.Sprintf("%s, %d of %d", p.label, p.done, p.total)
	} else if rate, still := p.rate(); p.done > 0 && p.done < p.total {
		left := still + time.Duration(float64(p.total-p.done)/rate*float64(time.Second))
		text += fmt.Sprintf(", %.1f a second, about %s left", rate, max(left.Round(time.Second), time.Second))
	}
	text += p.cost()
	if waiting := p.waiting(); waiting != "" {
		text += "; " + waiting
	}
	return text
}

// rate returns how many answers are judged in a second in which no target is paused, since an outage says nothing of
// the rest; still is how long the current pause lasts.
func (p *Progress) rate() (rate float64, still time.Duration) {
	still = max(time.Until(p.until), 0)
	busy := time.Since(p.begun) - (p.idle - still)
	return float64(p.done) / max(busy, time.Second).Seconds(), still
}

// Finish takes the bar away, or ends the lines.
func (p *Progress) Finish() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop != nil {
		close(stop)
		p.lines.Wait()
	}
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
