package noise_test

import (
	"testing"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

func TestStatusWithMissingAnswers(t *testing.T) {
	side := func(passed, trials, planned int) noise.Side {
		return noise.Side{Count: stats.Count{Passed: passed, Trials: trials}, Planned: planned}
	}
	for _, c := range []struct {
		rule       string
		base, head noise.Side
		noisy      report.Status
		strict     report.Status
	}{
		{"half of the answers are enough", side(2, 2, 4), side(2, 2, 4), report.StillPassing, report.StillPassing},
		{"less than half are not", side(2, 2, 5), side(5, 5, 5), report.Errored, report.Errored},
		{"nor is none of none", side(1, 1, 1), side(0, 0, 0), report.Errored, report.Errored},
		{"one right answer of many and all wrong now", side(1, 1, 5), side(0, 5, 5), report.Errored, report.Regressed},
		{"but not if the head lacks as many", side(1, 1, 5), side(0, 1, 5), report.Errored, report.Errored},
		{"nor if the base has no answer", side(0, 0, 5), side(0, 5, 5), report.Errored, report.Errored},
		{"nor if one of them was wrong", side(1, 2, 5), side(0, 5, 5), report.Errored, report.Errored},
		{"wrong on both sides", side(0, 3, 3), side(0, 3, 3), report.StillFailing, report.StillFailing},
		{"wrong and then right", side(0, 1, 1), side(1, 1, 1), report.Fixed, report.Fixed},
	} {
		if got := noise.NoisyStatus(c.base, c.head); got != c.noisy {
			t.Errorf("%s: noisy: %s, want %s", c.rule, got, c.noisy)
		}
		if got := noise.StrictStatus(c.base, c.head); got != c.strict {
			t.Errorf("%s: strict: %s, want %s", c.rule, got, c.strict)
		}
	}
}

func TestStatusOfSeveralTrials(t *testing.T) {
	for _, c := range []struct {
		rule   string
		base   stats.Count
		head   stats.Count
		noisy  report.Status
		strict report.Status
	}{
		{"all to one of three is flaky", stats.Count{Passed: 3, Trials: 3}, stats.Count{Passed: 1, Trials: 3}, report.Flaky, report.Regressed},
		{"all to half is flaky", stats.Count{Passed: 2, Trials: 2}, stats.Count{Passed: 1, Trials: 2}, report.Flaky, report.Regressed},
		{"5/5 to 1/5 is regressed", stats.Count{Passed: 5, Trials: 5}, stats.Count{Passed: 1, Trials: 5}, report.Regressed, report.Regressed},
		{"4/5 to 0/5 is regressed", stats.Count{Passed: 4, Trials: 5}, stats.Count{Passed: 0, Trials: 5}, report.Regressed, report.Regressed},
		{"1/5 to 5/5 is fixed", stats.Count{Passed: 1, Trials: 5}, stats.Count{Passed: 5, Trials: 5}, report.Fixed, report.Fixed},
		{"5/5 to 2/5 is flaky", stats.Count{Passed: 5, Trials: 5}, stats.Count{Passed: 2, Trials: 5}, report.Flaky, report.Regressed},
		{"10/10 to 5/10 is flaky: half still passes", stats.Count{Passed: 10, Trials: 10}, stats.Count{Passed: 5, Trials: 10}, report.Flaky, report.Regressed},
		{"4/10 to 0/10 is flaky: less than half passed before", stats.Count{Passed: 4, Trials: 10}, stats.Count{Passed: 0, Trials: 10}, report.Flaky, report.StillFailing},
		{"5/10 to 0/10 is regressed: half passed before", stats.Count{Passed: 5, Trials: 10}, stats.Count{Passed: 0, Trials: 10}, report.Regressed, report.StillFailing},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := noise.Side{Count: c.base, Planned: c.base.Trials}, noise.Side{Count: c.head, Planned: c.head.Trials}
			if got := noise.NoisyStatus(base, head); got != c.noisy {
				t.Errorf("noisy: %s, want %s", got, c.noisy)
			}
			if got := noise.StrictStatus(base, head); got != c.strict {
				t.Errorf("strict, by the majority: %s, want %s", got, c.strict)
			}
		})
	}
}
