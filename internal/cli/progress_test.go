package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/failproof/failproof/internal/model/schedule"
	"github.com/failproof/failproof/internal/report"
)

func TestALogGetsALineEveryTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := newProgress(System{Stderr: &log}, false)
		p.spent = func() schedule.Spent { return schedule.Spent{CostUSD: 0.125} }
		p.begin(480)
		for done := 1; done <= 63; done++ {
			time.Sleep(160 * time.Millisecond)
			p.tell(done)
		}
		time.Sleep(10 * time.Second) // nothing comes, and the log goes on
		p.finish()
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
		p := newProgress(System{Stderr: &log}, true)
		p.begin(2)
		time.Sleep(time.Minute)
		p.tell(1)
		p.finish()
		if log.Len() > 0 {
			t.Errorf("log: %s", &log)
		}
	})
}

func TestWhatARunSaysItNeeds(t *testing.T) {
	price := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		rule     string
		plan     report.CallPlan
		compared bool
		want     string
	}{
		{"calls and what they cost", report.CallPlan{Calls: 240, CostUSD: price(0.314), MostUSD: price(0.52)}, true,
			"this comparison needs 240 calls, about $0.31, at most $0.52"},
		{"one figure where both are the same", report.CallPlan{Calls: 1, CostUSD: price(0.004), MostUSD: price(0.004)}, false, "this run needs 1 call, about $0.004"},
		{"no upper figure where an answer has no limit", report.CallPlan{Calls: 2, CostUSD: price(1.5)}, false, "this run needs 2 calls, about $1.50"},
		{"no price, no cost", report.CallPlan{Calls: 2}, false, "this run needs 2 calls, at a cost that is not known (a target has no `price`)"},
		{"what is kept", report.CallPlan{Kept: 12}, true, "this comparison needs 0 calls; 12 answers kept from before"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := needsLine(&c.plan, c.compared); got != c.want {
				t.Errorf("needsLine = %q, want %q", got, c.want)
			}
		})
	}
}
