// Package progress shows how far a run is, on standard error.
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

// Progress shows how many answers are judged and which targets are paused. On a terminal it draws a bar. In a log it
// prints a line every ten seconds and when a phase or a pause begins. It is safe for concurrent use.
type Progress struct {
	w    io.Writer
	form Form
	bar  *progressbar.ProgressBar // nil in a log

	mu       sync.Mutex
	label    string // what the reruns are for; "" before reruns
	done     int
	total    int
	begun    time.Time
	waits    map[string]wait       // by target
	idle     time.Duration         // the sum of all pauses, including the rest of the current one
	pauseEnd time.Time             // the end of the pause that ends last
	usage    func() schedule.Usage // returns the usage so far; nil: no cost is shown
	stop     chan struct{}         // closed by Finish; nil: nothing is shown
	ticker   sync.WaitGroup
}

// wait is a pause of a target: its end and its reason.
type wait struct {
	until time.Time
	why   string
}

const (
	logEvery  = 10 * time.Second
	barEvery  = time.Second
	shownWait = time.Second // shorter pauses are not shown
)

// Form is the form in which progress is shown.
type Form int

const (
	Quiet Form = iota // no output
	Lines             // for a log
	Bar               // for a terminal
)

// New returns a Progress. It writes nothing before Begin.
func New(w io.Writer, form Form) *Progress {
	return &Progress{w: w, form: form, waits: map[string]wait{}}
}

// Begin starts the output. total is the expected number of answers. spent returns the usage so far; if spent is nil, no
// cost is shown. Begin may be called again after Finish.
func (p *Progress) Begin(total int, spent func() schedule.Usage) {
	p.label, p.done, p.total, p.begun, p.usage, p.idle, p.pauseEnd = "", 0, total, time.Now(), spent, 0, time.Time{}
	switch p.form {
	case Quiet:
	case Bar:
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionSetItsString("answers"),
			progressbar.OptionShowIts(),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
		p.showEvery(barEvery, p.describe)
	case Lines:
		p.showEvery(logEvery, func() { fmt.Fprintln(p.w, p.line()) })
	}
}

// showEvery calls show once per period until Finish, even while no answer arrives.
func (p *Progress) showEvery(period time.Duration, show func()) {
	stop := make(chan struct{})
	p.stop = stop
	p.ticker.Go(func() {
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

// Restart sets the count to 0 for reruns with at most total answers. label says what the reruns are for.
func (p *Progress) Restart(label string, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.label, p.done, p.total, p.begun = label, 0, total, time.Now()
	switch {
	case p.bar != nil:
		p.bar.ChangeMax(total)
		p.bar.Reset()
		p.describe()
	case p.stop != nil:
		fmt.Fprintln(p.w, p.line())
	}
}

// EnsureRemaining raises the total so that at least more answers are still to come.
func (p *Progress) EnsureRemaining(more int) {
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
		_ = p.bar.Set(min(p.done, p.total)) // a drawing error does not matter
	}
}

// ShowPause shows the pause w of a target.
func (p *Progress) ShowPause(w schedule.Wait) {
	if w.For < shownWait {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	end := now.Add(w.For)
	p.waits[w.Target] = wait{end, w.Why}
	if more := min(w.For, end.Sub(p.pauseEnd)); more > 0 {
		p.idle, p.pauseEnd = p.idle+more, end
	}
	switch {
	case p.bar != nil:
		p.describe()
	case p.stop != nil:
		fmt.Fprintln(p.w, p.pauseText())
	}
}

func (p *Progress) describe() {
	words := cmp.Or(p.label, "judging")
	if waiting := p.pauseText(); waiting != "" {
		words += "; " + waiting
	}
	p.bar.Describe(words + p.cost())
}

// pauseText returns in words which targets are paused, how long and why. It returns "" if none is.
func (p *Progress) pauseText() string {
	var parts []string
	for name, w := range p.waits {
		if left := time.Until(w.until); left > 0 {
			parts = append(parts, fmt.Sprintf("%s: waiting %s, %s", name, seconds(left), w.why))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// seconds formats d in whole seconds, rounded up: "25 s", "1 min 5 s".
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

// cost returns the cost so far as a part of a sentence, or "".
func (p *Progress) cost() string {
	if p.usage == nil {
		return ""
	}
	if v := p.usage().CostUSD; v > 0 {
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
	if waiting := p.pauseText(); waiting != "" {
		text += "; " + waiting
	}
	return text
}

// rate returns how many answers are judged per second. It leaves out the pauses, because an outage does not predict the
// remaining time. wait is the rest of the current pause.
func (p *Progress) rate() (rate float64, wait time.Duration) {
	wait = max(time.Until(p.pauseEnd), 0)
	busy := time.Since(p.begun) - (p.idle - wait)
	return float64(p.done) / max(busy, time.Second).Seconds(), wait
}

// Finish ends the output: it removes the bar or stops the lines.
func (p *Progress) Finish() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop != nil {
		close(stop)
		p.ticker.Wait()
	}
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
