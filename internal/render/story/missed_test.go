package story_test

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/report"
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
		_, p := story.MissedExpectation(report.Change{Head: o})
		if got := p.Plain(100); strings.Contains(got, "; expected “a manager”, got “we will refund”") != c.want {
			t.Errorf("also %v: %s", c.also, got)
		}
	}
}
