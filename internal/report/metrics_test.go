package report_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

// measuredSide has two suites, of two answers and one, with these values of accuracy and completeness; -1: it has none.
func measuredSide(t *testing.T, values [3][2]float64) *report.Side {
	t.Helper()
	var b report.Builder
	for i, v := range values {
		penalty := v[0] / 2
		r := report.Result{SuiteID: fmt.Sprint("s", i/2), CaseID: fmt.Sprint("c", i), Trial: 1, Severity: "medium",
			Classification: classify.Classification{Primary: classify.Pass}, Scores: report.Scores{Accuracy: 1, Penalty: &penalty}}
		r.Metrics = []score.Metric{{Name: score.Accuracy, Value: v[0], Weight: 1, Degraded: i == 0}}
		if v[1] >= 0 {
			r.Metrics = append(r.Metrics, score.Metric{Name: score.Completeness, Value: v[1], Weight: 0.8})
		}
		overall, _ := score.Overall(r.Metrics)
		r.OverallScore = &overall
		if err := b.Add(r, report.Ref{}); err != nil {
			t.Fatal(err)
		}
	}
	return b.Side()
}

func TestTheBreakdownIsTheMeanOfEachSidesAnswers(t *testing.T) {
	head := measuredSide(t, [3][2]float64{{1, 0.5}, {0, -1}, {0.5, -1}})
	base := measuredSide(t, [3][2]float64{{1, -1}, {1, -1}, {0.5, -1}})
	at := func(v float64) *float64 { return &v }
	metrics := func(all []report.MetricSummary, _ report.OptIns) []report.MetricSummary { return all }
	for _, c := range []struct {
		rule      string
		got, want []report.MetricSummary
	}{
		{"of a suite", metrics(report.SummarizeMetrics(head.Suites[:1], base.Suites[:1])), []report.MetricSummary{
			{Name: "accuracy", Weight: 1, Value: at(0.5), BaseValue: at(1), Answers: 2, Degraded: 1},
			{Name: "completeness", Weight: 0.8, Value: at(0.5), Answers: 1}}},
		{"of a suite without a base", metrics(report.SummarizeMetrics(head.Suites[1:2], []*report.SuiteSide{nil})), []report.MetricSummary{{Name: "accuracy", Weight: 1, Value: at(0.5), Answers: 1}}},
		{"of a suite that was removed", metrics(report.SummarizeMetrics(nil, base.Suites[1:2])), []report.MetricSummary{{Name: "accuracy", Weight: 1, BaseValue: at(0.5)}}},
		{"of a run", metrics(report.SummarizeMetrics(head.Suites, base.Suites)), []report.MetricSummary{
			{Name: "accuracy", Weight: 1, Value: at(0.5), BaseValue: at(2.5 / 3), Answers: 3, Degraded: 1},
			{Name: "completeness", Weight: 0.8, Value: at(0.5), Answers: 1}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	want := report.OptIns{Penalty: at(0.25), BasePenalty: at(2.5 / 6)}
	_, optIns := report.SummarizeMetrics(head.Suites, base.Suites)
	if diff := cmp.Diff(want, optIns); diff != "" {
		t.Errorf("opt-ins (-want +got):\n%s", diff)
	}
}

func TestTheOverallScoreOfARunIsTheMeanOfItsSuites(t *testing.T) {
	head := measuredSide(t, [3][2]float64{{1, -1}, {0, -1}, {0.1, -1}})
	if got, ok := head.OverallScore(); !ok || got != (0.5+0.1)/2 {
		t.Errorf("OverallScore = %v, %v; want 0.3", got, ok)
	}
}
