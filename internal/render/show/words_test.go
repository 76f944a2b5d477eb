package show

import (
	"strings"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/score"
)

func TestHappened(t *testing.T) {
	unmet := func(u ...expect.Unmet) classify.Details { return classify.Details{Unmet: u} }
	cases := []struct {
		rule    string
		primary classify.Category
		d       classify.Details
		want    string
	}{
		{"a policy and the words that broke it", classify.PolicyViolation, classify.Details{PolicyName: "no-promises", Evidence: "we will refund"}, "policy `no-promises` forbids `we will refund`"},
		{"a wrong format tells where", classify.WrongFormat, classify.Details{ErrorMessage: "Unexpected token 'T' in JSON at position 0"}, "Unexpected token 'T' in JSON at position 0"},
		{"a wrong format without a message", classify.WrongFormat, classify.Details{}, "not of the expected format"},
		{"a refusal and its rule", classify.Refusal, classify.Details{Evidence: "I can't", Rule: "inability"}, "declined: `I can't` (rule `inability`)"},
		{"what was expected and what came", classify.Fail, unmet(expect.Unmet{Criterion: "expected_response", Expected: "yes", Actual: "no"}), "expected `yes`, got `no`"},
		{"what differs, however late", classify.Fail, unmet(expect.Unmet{Criterion: "expected_response", Expected: strings.Repeat("all staff. ", 20) + "yes", Actual: strings.Repeat("all staff. ", 20) + "no"}),
			"expected `… " + strings.Repeat("all staff. ", 7) + "yes`, got `… " + strings.Repeat("all staff. ", 7) + "no`"},
		{"an assertion that is not true", classify.Fail, unmet(expect.Unmet{Criterion: "assert", Expected: "a > 1", Reason: "not true"}), "`a > 1` is not true"},
		{"all criteria are named", classify.Fail, unmet(expect.Unmet{Criterion: "assert", Expected: "a"}, expect.Unmet{Criterion: "assert", Expected: "b"}), "`a` is not true; `b` is not true"},
		{"an overall score and its bar", classify.Fail, unmet(expect.Unmet{Criterion: "overall_score", Actual: "0.610", Expected: "at least 0.850"}), "overall score 0.610, needs at least 0.850"},
		{"an expected label before its figures", classify.Fail, unmet(expect.Unmet{Criterion: "overall_score", Actual: "0.400", Expected: "at least 0.850",
			Reason: score.LabelFindingPrefix + `"account", got "technical"`}), `expected label "account", got "technical" (overall score 0.400, needs at least 0.850)`},
		{"an expected refusal that did not come", classify.Fail, classify.Details{Expected: classify.Refusal}, "expected `refusal`"},
		{"a deadline", classify.Timeout, classify.Details{LimitSeconds: 30}, "no answer within 30 s"},
		{"an empty answer", classify.Crash, classify.Details{Reason: "empty_response"}, "the answer is empty"},
		{"an error", classify.Error, classify.Details{ErrorDetails: "HTTP 500"}, "HTTP 500"},
		{"an error without words", classify.Error, classify.Details{Reason: "stale_recording"}, "no answer: `stale_recording`"},
		{"a pass that nothing checked", classify.Pass, classify.Details{Unverified: true}, "nothing to hold the answer to"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := CategoryReason(&report.Outcome{Primary: c.primary, Details: &c.d}).Markdown(QuoteRunes)
			if got != c.want {
				t.Errorf("happened(%s, %+v) = %q, want %q", c.primary, c.d, got, c.want)
			}
		})
	}
}

func TestEveryCategoryHasWords(t *testing.T) {
	for _, c := range classify.Categories {
		if categories[c].reason == nil {
			t.Errorf("categories in category.go has no words for %s", c)
		}
	}
	if len(categories) != len(classify.Categories) {
		t.Errorf("categories in category.go has %d categories, classify.Categories %d", len(categories), len(classify.Categories))
	}
}

// TestWhatLabelWasExpectedIsSaid checks that the label comes first, because "Expected:" stands before it. A score of 0
// says nothing more.
func TestWhatLabelWasExpectedIsSaid(t *testing.T) {
	u := expect.Unmet{Criterion: "overall_score", Actual: "0.000", Expected: "at least 0.850", Reason: score.LabelFindingPrefix + `"account", got "technical"`}
	got := MissedPhrase(&report.Outcome{Primary: classify.Fail, Details: &classify.Details{Unmet: []expect.Unmet{u}}}).Plain(QuoteRunes)
	if want := `label "account", got "technical"`; got != want {
		t.Errorf("missed: %q, want %q", got, want)
	}
}
