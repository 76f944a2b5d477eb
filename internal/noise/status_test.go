package noise_test

import (
	"testing"

	"github.com/failproof/failproof/internal/noise"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/stats"
)

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
			if got := noise.Status(base, head); got != c.noisy {
				t.Errorf("noisy: %s, want %s", got, c.noisy)
			}
			if got := noise.Strict(base, head); got != c.strict {
				t.Errorf("strict, by the majority: %s, want %s", got, c.strict)
			}
		})
	}
}
