package story

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/render/rendertest"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

func TestWordsOfASuitesOwnNoise(t *testing.T) {
	mixed := func(n int) (out []report.MixedCase) {
		for range n {
			out = append(out, report.MixedCase{SuiteID: "s", CaseID: "c", Passed: 12, Trials: 20})
		}
		return out
	}
	for _, c := range []struct {
		rule string
		m    report.MeasuredNoise
		want string
	}{
		{"nothing asked twice, nothing measured", report.MeasuredNoise{}, "Nothing was measured: no case has two answers."},
		{"a sure model", report.MeasuredNoise{Cases: 20, Answers: 400, Advice: report.Advice{Trials: 1, Confirm: 8, Detectable: 0.6, TrialsForTen: 7}},
			"400 answers to 20 cases of one revision: two answers to a case are judged differently in 0.0 of 100 pairs. " +
				"Advised: `trials: 1`, `confirm: 8`, `recheck: 0`. The first answers find a drop of every case alike from about 60 points on. " +
				"For 10 points set `trials: 7`. Single broken cases are found by asking them again."},
		{"cases that wander are named, and the rest counted", report.MeasuredNoise{Cases: 20, Answers: 400, Flake: 0.125, Mixed: 7, MostMixed: mixed(7), Advice: report.Advice{Trials: 3, Confirm: 8, Detectable: 1, TrialsForTen: 9}},
			"7 cases answered now right and now wrong: “c” 12 of 20, “c” 12 of 20, “c” 12 of 20, “c” 12 of 20, “c” 12 of 20 and 2 more."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := rendertest.NoisyRun()
			r.Statistics.Measured = &c.m
			var got []string
			for _, p := range statisticsSection(newStory(rendertest.SortChanges(r), show.Links{}), nil).Text {
				got = append(got, p.Plain(show.QuoteRunes))
			}
			if text := strings.Join(got, " "); !strings.Contains(text, c.want) {
				t.Errorf("how = %q, want %q in it", text, c.want)
			}
		})
	}
}
