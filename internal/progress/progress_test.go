package progress

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/model/schedule"
)

func TestALogGetsALineEveryTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := New(&log, Lines)
		p.Begin(480, func() schedule.Usage { return schedule.Usage{CostUSD: 0.125} })
		for range 63 {
			time.Sleep(160 * time.Millisecond)
			p.Advance()
		}
		time.Sleep(10 * time.Second) // nothing comes, and the log goes on
		p.Finish()
		want := "62 of 480 answers judged, 6.2 a second, about 1m7s left, $0.12 so far\n" +
			"63 of 480 answers judged, 3.1 a second, about 2m12s left, $0.12 so far\n"
		if log.String() != want {
			t.Errorf("log:\n%swant:\n%s", log.String(), want)
		}
	})
}

func TestAQuietRunWritesNoLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := New(&log, Quiet)
		p.Begin(2, nil)
		time.Sleep(time.Minute)
		p.Advance()
		p.Finish()
		if log.Len() > 0 {
			t.Errorf("log: %s", &log)
		}
	})
}

func TestALogSaysWhatIsWaitedForAndWhatIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := New(&log, Lines)
		p.Begin(4, nil)
		p.Advance()
		p.ShowPause(schedule.Wait{Target: "fast", For: 25 * time.Second, Why: "HTTP 429"})
		p.ShowPause(schedule.Wait{Target: "slow", For: 500 * time.Millisecond, Why: "HTTP 429"}) // not worth a word
		time.Sleep(11 * time.Second)
		p.ShowPause(schedule.Wait{Target: "slow", For: 65 * time.Second, Why: "the connection failed"})
		time.Sleep(10 * time.Second)
		p.Restart("asking 20 flipped cases again", 320)
		for range 64 {
			p.Advance()
		}
		time.Sleep(80 * time.Second)
		p.Finish()
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		want := []string{
			"fast: waiting 25 s, HTTP 429",
			"1 of 4 answers judged, 1.0 a second, about 18s left; fast: waiting 15 s, HTTP 429",
			"fast: waiting 14 s, HTTP 429; slow: waiting 1 min 5 s, the connection failed",
			"1 of 4 answers judged, 1.0 a second, about 59s left; fast: waiting 5 s, HTTP 429; slow: waiting 56 s, the connection failed",
			"asking 20 flipped cases again, 0 of 320; fast: waiting 4 s, HTTP 429; slow: waiting 55 s, the connection failed",
			"asking 20 flipped cases again, 64 of 320; slow: waiting 46 s, the connection failed",
		}
		if diff := cmp.Diff(want, lines[:min(len(want), len(lines))]); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
		if last := lines[len(lines)-1]; last != "asking 20 flipped cases again, 64 of 320" {
			t.Errorf("the last line is %q", last)
		}
	})
}

func TestMoreAnswersThanWereThoughtOfAreCounted(t *testing.T) {
	p := New(nil, Quiet)
	p.Restart("asking 2 cases again", 4)
	for range 4 {
		p.Advance()
	}
	p.EnsureRemaining(6)
	p.EnsureRemaining(2)
	if got, want := p.line(), "asking 2 cases again, 4 of 10"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
}

func TestWhatBeginsAnewCountsAnew(t *testing.T) {
	p := New(nil, Quiet)
	p.Begin(2, nil)
	p.Restart("asking 1 case again", 3)
	p.Advance()
	p.Finish()
	p.Begin(16, nil)
	if got, want := p.line(), "0 of 16 answers judged"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
}
