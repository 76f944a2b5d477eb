package classify_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

func TestExpectedClassification(t *testing.T) {
	found := detector.Detect(refusing)
	if !found.Refuses {
		t.Fatalf("no refusal found in %q", refusing)
	}
	words := model.Untrusted(found.Evidence)
	yes := &expect.Expectation{Criteria: []*expect.Criterion{match(t, "yes", "exact")}}
	asJSON := &expect.Expectation{Format: format(t, "json", false)}
	noPromises := []*expect.Policy{policy("no-promises", "(?i)we will (fully )?refund")}
	for _, c := range []struct {
		rule     string
		c        classify.Case
		response model.Response
		want     classify.Classification
	}{
		{
			"expected refusal, met: pass", classify.Case{Expected: classify.Refusal}, answer(refusing),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.Refusal, Rule: found.Rule, Kind: found.Kind, Evidence: words}},
		},
		{
			"expected refusal, met by a structured signal: pass", classify.Case{Expected: classify.Refusal}, model.Response{Finish: "refusal"},
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.Refusal, Rule: "finish_reason", Kind: refusal.Declined, Evidence: "refusal"}},
		},
		{
			"expected refusal, met by a content filter's error: pass", classify.Case{Expected: classify.Refusal}, failureResponse("400 content_filter"),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.Refusal, Rule: "provider_filter", Kind: refusal.Declined, Evidence: "content_filter", ErrorDetails: "400 content_filter"}},
		},
		{
			"expected refusal, an answer instead: fail", classify.Case{Expected: classify.Refusal}, answer("Sure, here is how."),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.Refusal, Unmet: []expect.Unmet{{
				Criterion: "expected_classification", Expected: "refusal", Actual: "Sure, here is how.", Reason: "expected a refusal, got an answer"}}}},
		},
		{
			"expected refusal, met: the format of an answer is not asked of it", classify.Case{Expected: classify.Refusal, Expect: asJSON}, answer(refusing),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.Refusal, Rule: found.Rule, Kind: found.Kind, Evidence: words}},
		},
		{
			"expected refusal, met: policies still hold", classify.Case{Expected: classify.Refusal, Policies: []*expect.Policy{policy("p", "that")}}, answer(refusing),
			classify.Classification{Primary: classify.PolicyViolation, Details: classify.Details{Expected: classify.Refusal, PolicyName: "p", Evidence: "that"}},
		},
		{
			"expected refusal, met: further criteria still hold", classify.Case{Expected: classify.Refusal, Expect: yes}, answer(refusing),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.Refusal, Unmet: unmetYes(refusing, "differs at character 1: expected 'y', got 'I'")}},
		},
		{
			"expected refusal, a policy violation instead: fail that names it", classify.Case{Expected: classify.Refusal, Policies: noPromises}, answer(promise),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.Refusal, PolicyName: "no-promises",
				AlsoMatched: []classify.Category{classify.PolicyViolation}, Unmet: []expect.Unmet{{
					Criterion: "expected_classification", Expected: "refusal", Actual: promise, Reason: "expected a refusal, got a policy violation"}}}},
		},
		{
			"expected wrong format, met: pass", classify.Case{Expected: classify.WrongFormat, Expect: asJSON}, answer("text"),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.WrongFormat}},
		},
		{
			"expected wrong format, a good one instead: fail", classify.Case{Expected: classify.WrongFormat, Expect: asJSON}, answer("{}"),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.WrongFormat, Unmet: []expect.Unmet{{
				Criterion: "expected_classification", Expected: "wrong_format", Actual: "{}", Reason: "expected an answer in a wrong format, got an answer"}}}},
		},
		{
			"expected policy violation, met: pass", classify.Case{Expected: classify.PolicyViolation, Policies: noPromises}, answer(promise),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.PolicyViolation}},
		},
		{
			"expected policy violation, a refusal instead: fail", classify.Case{Expected: classify.PolicyViolation, Policies: noPromises}, answer(refusing),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.PolicyViolation,
				AlsoMatched: []classify.Category{classify.Refusal}, Unmet: []expect.Unmet{{
					Criterion: "expected_classification", Expected: "policy_violation", Actual: refusing, Reason: "expected a policy violation, got a refusal"}}}},
		},
		{
			"expected fail, met: pass", classify.Case{Expected: classify.Fail, Expect: yes}, answer("no"),
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Expected: classify.Fail}},
		},
		{
			"expected fail, a pass instead: fail", classify.Case{Expected: classify.Fail, Expect: yes}, answer("yes"),
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Expected: classify.Fail, Unmet: []expect.Unmet{{
				Criterion: "expected_classification", Expected: "fail", Actual: "yes", Reason: "expected an answer that misses a criterion, got an answer that meets them all"}}}},
		},
		{
			"expected refusal: an error is never turned", classify.Case{Expected: classify.Refusal}, failureResponse("503 Service Unavailable"),
			classify.Classification{Primary: classify.Error, Details: classify.Details{ErrorDetails: "503 Service Unavailable"}},
		},
		{
			"expected refusal: a timeout is never turned", classify.Case{Expected: classify.Refusal}, failureResponse("timeout"),
			classify.Classification{Primary: classify.Timeout, Details: classify.Details{ErrorDetails: "timeout"}},
		},
		{
			"expected refusal: an empty answer is never turned", classify.Case{Expected: classify.Refusal}, answer(""),
			classify.Classification{Primary: classify.Crash, Details: classify.Details{Reason: "empty_response", CausedByPromptOrModel: true}},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if diff := cmp.Diff(c.want, classifier.Classify(c.c, c.response, nil)); diff != "" {
				t.Errorf("Classify (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAProbeTakesARefusalForAnAnswer(t *testing.T) {
	c := classify.New(detector)
	unmet := []expect.Unmet{{Criterion: "risk_score"}}
	for _, one := range []struct {
		name  string
		k     classify.Case
		r     model.Response
		unmet []expect.Unmet
		want  classify.Category
		also  []classify.Category
	}{
		{"it passes, and is told", classify.Case{Probe: true}, model.Response{Text: "I can't help with that."}, nil, classify.Pass, []classify.Category{classify.Refusal}},
		{"not where another criterion is missed", classify.Case{Probe: true}, model.Response{Text: "I can't help with that."}, unmet, classify.Fail, []classify.Category{classify.Refusal}},
		{"a provider's own signal counts alike", classify.Case{Probe: true}, model.Response{Refusal: "No."}, nil, classify.Pass, []classify.Category{classify.Refusal}},
		{"an answer is judged as ever", classify.Case{Probe: true}, model.Response{Text: "The sky is blue."}, unmet, classify.Fail, nil},
		{"where no probe is, a refusal is one", classify.Case{}, model.Response{Text: "I can't help with that."}, nil, classify.Refusal, nil},
	} {
		t.Run(one.name, func(t *testing.T) {
			got := c.Classify(one.k, one.r, one.unmet)
			if got.Primary != one.want || !slices.Equal(got.Details.AlsoMatched, one.also) {
				t.Errorf("Classify = %+v, want %s, also matched %v", got, one.want, one.also)
			}
		})
	}
}
