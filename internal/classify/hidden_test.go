package classify_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

func TestThoughtsAndHiddenPartsAreJudgedAsAReaderSeesThem(t *testing.T) {
	yes := &expect.Expectation{Criteria: []*expect.Match{match(t, "yes", "exact")}}
	promises := []*expect.Policy{policy("no-promises", "(?i)we will (fully )?refund")}
	for _, c := range []struct {
		rule, sent string
		want       classify.Category
		reason     string
	}{
		{"thoughts are no part of the answer", "<think>no</think>\n\nyes", classify.Pass, ""},
		{"a refusal in thoughts is none", "<think>I cannot help with that.</think>yes", classify.Pass, ""},
		{"behind thoughts it is one", "<think>Is it safe?</think>I cannot help with that.", classify.Refusal, ""},
		{"behind a comment too", "<!-- ok -->I cannot help with that.", classify.Refusal, ""},
		{"a refusal in a comment is none", "yes <!-- I cannot help with that. -->", classify.Fail, ""},
		{"thoughts may not promise either", "<think>We will refund them.</think>yes", classify.PolicyViolation, ""},
		{"nor may a comment part the promise", "yes, we <!-- -->will re<!-- -->fund", classify.PolicyViolation, ""},
		{"thoughts without an answer", "<think>yes</think>\n", classify.Crash, "empty_response"},
		{"thoughts that never end", "<think>yes", classify.Crash, "empty_truncated"},
	} {
		got := classify.New(detector).Classify(classify.Case{Expect: yes, Policies: promises}, model.Response{Text: model.Untrusted(c.sent)}, nil)
		if got.Primary != c.want || got.Details.Reason != c.reason {
			t.Errorf("%s: %q is %s %q, want %s %q", c.rule, c.sent, got.Primary, got.Details.Reason, c.want, c.reason)
		}
	}
}
