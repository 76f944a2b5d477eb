package compare_test

import (
	"math"
	"testing"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/compare/comparetest"
	"github.com/failproof/failproof/internal/report"
)

func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		rule           string
		scene          []string
		flake          float64
		mixed, trials  int
		first          string
		recheck, cases int
	}{
		{"a model that is sure of itself", comparetest.CaseLines("a", "pass,pass pass,pass", 3), 0, 0, 1, "", 0, 3},
		{"two answers of four: two in three pairs are unlike", []string{"s/a pass,fail pass,fail"}, 2.0 / 3, 1, 3, "a", 0, 1},
		{"the mean is over cases", append(comparetest.CaseLines("a", "pass,pass pass,pass", 9), "s/b pass,fail pass,fail"), 2.0 / 30, 1, 1, "b", 0, 10},
		{"answers that did not come count for nothing", []string{"s/a pass,timeout pass,timeout"}, 0, 0, 1, "", 0, 1},
		{"a recorded answer is the same on both sides", []string{"s/a pass fail recorded"}, 0, 0, 1, "", 0, 0},
		{"one answer says nothing", []string{"s/a pass timeout"}, 0, 0, 1, "", 0, 0},
		{"the most mixed come first", []string{"s/a pass,pass pass,fail", "s/b pass,fail pass,fail"}, (0.5 + 2.0/3) / 2, 2, 3, "b", 0, 2},
		{"from 50 cases on a recheck pays", comparetest.CaseLines("a", "pass,pass pass,pass", 50), 0, 0, 1, "", 5, 50},
	} {
		t.Run(c.rule, func(t *testing.T) {
			base, head := comparetest.Sides(t, c.scene...)
			m := compare.MeasureNoise(base, head, 0.01)
			first := ""
			if len(m.MostMixed) > 0 {
				first = m.MostMixed[0].CaseID
			}
			if math.Abs(m.Flake-c.flake) > 1e-12 || m.Mixed != c.mixed || m.Advice.Trials != c.trials || first != c.first || m.Advice.Recheck != c.recheck || m.Cases != c.cases {
				t.Errorf("Measured = %+v; want flake %v, %d mixed, %d trials, first %q, recheck %d of %d cases", m, c.flake, c.mixed, c.trials, c.first, c.recheck, c.cases)
			}
		})
	}
}

func TestMeasuredAdvisesMoreTrialsForFewCases(t *testing.T) {
	advice := func(n int) report.Advice {
		base, head := comparetest.Sides(t, append(comparetest.CaseLines("a", "pass,pass pass,pass", n-1), "s/b pass,fail pass,fail")...)
		return compare.MeasureNoise(base, head, 0.01).Advice
	}
	if one, few := advice(1), advice(10); one.TrialsForTen <= few.TrialsForTen {
		t.Errorf("1 case: %+v, 10 cases: %+v; want fewer trials for more cases", one, few)
	}
	if few, many := advice(10), advice(200); few.TrialsForTen <= many.TrialsForTen || few.Detectable <= many.Detectable {
		t.Errorf("10 cases: %+v, 200 cases: %+v; want fewer trials and a smaller drop for more cases", few, many)
	}
}

func TestWithoutAnswersTheAdviceIsTheLeast(t *testing.T) {
	base, head := comparetest.Sides(t, "s/a pass timeout")
	want := report.Advice{Trials: 1, Confirm: 8, TrialsForTen: 1, Detectable: 1}
	if got := compare.MeasureNoise(base, head, 0.01).Advice; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
