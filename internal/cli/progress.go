package cli

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows how far a run is: a bar on a terminal, a line every ten seconds in a log.
type progress struct {
	sys   System
	quiet bool
	bar   *progressbar.ProgressBar // nil in a log
	next  time.Time
}

const logEvery = 10 * time.Second

func newProgress(sys System, quiet bool) *progress {
	return &progress{sys: sys, quiet: quiet, next: sys.Now().Add(logEvery)}
}

// tell is called after each answer.
func (p *progress) tell(done, total int) {
	switch {
	case p.quiet:
	case isTerminal(p.sys.Stderr):
		p.draw(done, total)
	case !p.sys.Now().Before(p.next):
		p.next = p.sys.Now().Add(logEvery)
		fmt.Fprintf(p.sys.Stderr, "%d of %d answers judged\n", done, total)
	}
}

func (p *progress) draw(done, total int) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.sys.Stderr),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionSetItsString("answers"),
			progressbar.OptionShowIts(),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
