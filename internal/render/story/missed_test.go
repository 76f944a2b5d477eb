package story_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

func TestAViolationDoesNotHideThatACriterionIsMissedToo(t *testing.T) {
	for _, c := range []struct {
		also []classify.Category
		want bool
	}{{[]classify.Category{classify.Fail}, true}, {[]classify.Category{classify.Refusal}, false}, {nil, false}} {
		o := &report.Outcome{Primary: classify.PolicyViolation, Trials: 1, Details: &classify.Details{PolicyName: "no-promises", Evidence: "we will refund", AlsoMatched: c.also}}
		if c.want {
			o.Details.Unmet = []expect.Unmet{{Criterion: "expected_response", Expected: "a manager", Actual: "we will refund"}}
		}
		_, p := (&story.Story{Report: &report.Report{}}).MissedExpectation(report.Change{Head: o})
		if got := p.Plain(100); strings.Contains(got, "; expected “a manager”, got “we will refund”") != c.want {
			t.Errorf("also %v: %s", c.also, got)
		}
	}
}

func TestAFailureThatAnotherRunnerFoundIsItsResult(t *testing.T) {
	failed := report.Change{Head: &report.Outcome{Primary: classify.Fail, Trials: 1,
		Details: &classify.Details{Unmet: []expect.Unmet{{Criterion: "promptfoo", Reason: "no price"}}}}}
	for runner, want := range map[string]string{"": "Expected", "promptfoo": "Result"} {
		v := story.Story{Report: &report.Report{Runner: runner}}
		if label, _ := v.MissedExpectation(failed); label != want {
			t.Errorf("runner %q: the label is %q, want %q", runner, label, want)
		}
	}
}

func TestAMissedScoreIsNotShownAsWhatWasExpected(t *testing.T) {
	missed := func(reason string) expect.Unmet {
		return expect.Unmet{Criterion: "overall_score", Expected: "at least 0.850", Actual: "0.400", Reason: reason}
	}
	assertion := expect.Unmet{Criterion: "assert", Expected: "response.text contains 'x'"}
	for _, c := range []struct {
		want  string
		unmet []expect.Unmet
	}{
		{"Score too low", []expect.Unmet{missed("not found: “14 days”")}},
		{"Expected", []expect.Unmet{missed(score.LabelFindingPrefix + "spam")}},
		{"Expected", []expect.Unmet{assertion, missed("not found: “14 days”")}},
	} {
		failed := report.Change{Head: &report.Outcome{Primary: classify.Fail, Trials: 1, Details: &classify.Details{Unmet: c.unmet}}}
		if label, _ := (&story.Story{Report: &report.Report{}}).MissedExpectation(failed); label != c.want {
			t.Errorf("%v: the label is %q, want %q", c.unmet, label, c.want)
		}
	}
}
