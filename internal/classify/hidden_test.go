package classify_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

func TestThoughtsAndHiddenPartsAreJudgedAsAReaderSeesThem(t *testing.T) {
	yes := &expect.Expectation{Criteria: []*expect.Criterion{match(t, "yes", "exact")}}
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
		{"words of a JSON object are the answer's", `{"error": "I cannot assist with that."}`, classify.Refusal, ""},
		{"with their escapes written out", `{"\u0061nswer": "I can\u006eot \u0068elp with \"that\"."}`, classify.Refusal, ""},
		{"an object of several values is data", `{"said": "I cannot assist with that.", "by": "a robot"}`, classify.Fail, ""},
		{"a promise in escapes", `{"answer": "We \u0077ill refund you."}`, classify.PolicyViolation, ""},
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
