package classify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

func TestClassify(t *testing.T) {
	found := detector.Detect(refusing)
	if !found.Refuses {
		t.Fatalf("no refusal found in %q", refusing)
	}
	words := model.Untrusted(found.Evidence)
	yes := &expect.Expectation{Criteria: []*expect.Criterion{match(t, "yes", "exact")}}
	asJSON := &expect.Expectation{Format: format(t, "json", false)}
	strictJSON := &expect.Expectation{Format: format(t, "json", true)}
	noPromises := []*expect.Policy{policy("no-threats", "(?i)or else"), policy("no-promises", "(?i)we will (fully )?refund")}
	bar := []expect.Unmet{{Criterion: "overall_score", Expected: "at least 0.850", Actual: "0.700"}}
	for _, c := range []struct {
		rule     string
		c        classify.Case
		response model.Response
		bars     []expect.Unmet
		want     classify.Classification
	}{
		{
			"8: none of the failure conditions is met", classify.Case{Expect: yes}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"8: without any criterion, format, policy or bar a pass is unverified", classify.Case{Expect: &expect.Expectation{}}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Unverified: true}},
		},
		{
			"8: no expectation at all is unverified too", classify.Case{}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Unverified: true}},
		},
		{
			"8: expected_classification: pass verifies nothing", classify.Case{Expected: classify.Pass}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Unverified: true}},
		},
		{
			"8: a policy that was kept verifies", classify.Case{Policies: noPromises}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"8: a format that was met verifies", classify.Case{Expect: asJSON}, answer("{}"), nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"8: a bar that was judged verifies", classify.Case{Judged: true}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"8: the JSON heuristics used are told", classify.Case{Expect: asJSON}, answer("Sure: {\"a\":1,}"), nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{ParseRepairs: []string{"bracket_span", "trailing_commas"}}},
		},
		{
			"7: the response does not match expected_response", classify.Case{Expect: yes}, answer("no"), nil,
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Unmet: unmetYes("no", "differs at character 1: expected 'y', got 'n'")}},
		},
		{
			"7: bars that others judged stand behind the case's own criteria", classify.Case{Expect: yes, Judged: true}, answer("no"), bar,
			classify.Classification{Primary: classify.Fail, Details: classify.Details{
				Unmet: append(unmetYes("no", "differs at character 1: expected 'y', got 'n'"), bar...)}},
		},
		{
			"7: a missed bar alone is a fail", classify.Case{Expect: yes, Judged: true}, answer("yes"), bar,
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Unmet: bar}},
		},
		{
			"7: an assertion that cannot be evaluated is unmet", classify.Case{Expect: asserting(t, "response.json.a == 1")}, answer("no"), nil,
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Unmet: []expect.Unmet{{Criterion: "assert",
				Expected: "response.json.a == 1", Actual: "no", Reason: "could not be evaluated: cannot fetch a from <nil>"}}}},
		},
		{
			"7: an assertion sees the case's variables", classify.Case{Expect: asserting(t, "response.text == vars.x"), Vars: map[string]string{"x": "yes"}}, answer("yes"), nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"6: a policy filter is triggered", classify.Case{Policies: noPromises}, answer(promise), nil,
			classify.Classification{Primary: classify.PolicyViolation, Details: classify.Details{PolicyName: "no-promises", Evidence: "We will refund"}},
		},
		{
			"6: a policy goes before criteria", classify.Case{Expect: yes, Policies: noPromises}, answer(promise), nil,
			classify.Classification{Primary: classify.PolicyViolation, Details: classify.Details{PolicyName: "no-promises", Evidence: "We will refund",
				Unmet: []expect.Unmet{{Criterion: "expected_response", Expected: "yes", Actual: "We will refund you in full.", Reason: "differs at character 1: expected 'y', got 'W'"}}, AlsoMatched: []classify.Category{classify.Fail}}},
		},
		{
			"5: the expected format is not met", classify.Case{Expect: asJSON}, answer("The answer is 4."), nil,
			classify.Classification{Primary: classify.WrongFormat, Details: classify.Details{ErrorMessage: "Unexpected token 'T' in JSON at position 0"}},
		},
		{
			"5: a trailing comma is wrong when strict", classify.Case{Expect: strictJSON}, answer(`{"a":1,}`), nil,
			classify.Classification{Primary: classify.WrongFormat, Details: classify.Details{ErrorMessage: "Unexpected token '}' in JSON at position 7"}},
		},
		{
			"5: the format goes before a policy and criteria", classify.Case{Expect: &expect.Expectation{Format: asJSON.Format, Criteria: yes.Criteria}, Policies: noPromises}, answer(promise), nil,
			classify.Classification{Primary: classify.WrongFormat, Details: classify.Details{ErrorMessage: "Unexpected token 'W' in JSON at position 0",
				Unmet: []expect.Unmet{{Criterion: "expected_response", Expected: "yes", Actual: "We will refund you in full.", Reason: "differs at character 1: expected 'y', got 'W'"}}, AlsoMatched: []classify.Category{classify.PolicyViolation, classify.Fail}}},
		},
		{
			"4: a refusal goes before the format, a policy and criteria",
			classify.Case{Expect: &expect.Expectation{Format: asJSON.Format, Criteria: yes.Criteria}, Policies: []*expect.Policy{policy("p", "help")}}, answer(refusing), nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: found.Rule, Kind: found.Kind, Evidence: words,
				AlsoMatched: []classify.Category{classify.WrongFormat, classify.PolicyViolation, classify.Fail}}},
		},
		{
			"4: a refusal field is a refusal whatever the text says", classify.Case{}, model.Response{Text: "yes", Refusal: "Not this.", Finish: "stop"}, nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "refusal_field", Kind: refusal.Declined, Evidence: "Not this."}},
		},
		{
			"4: a refusal field without a text is a refusal, not an empty answer", classify.Case{Expect: yes}, model.Response{Refusal: "Not this.", Finish: "stop"}, nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "refusal_field", Kind: refusal.Declined, Evidence: "Not this."}},
		},
		{
			"4: a content filter's finish is a refusal", classify.Case{}, model.Response{Text: "The first step", Finish: "content_filter"}, nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "finish_reason", Kind: refusal.Declined, Evidence: "content_filter"}},
		},
		{
			"4: a stop reason refusal without a text is a refusal", classify.Case{}, model.Response{Finish: "refusal"}, nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "finish_reason", Kind: refusal.Declined, Evidence: "refusal"}},
		},
		{
			"4: a provider's SAFETY is a refusal", classify.Case{}, model.Response{Finish: "SAFETY"}, nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "finish_reason", Kind: refusal.Declined, Evidence: "SAFETY"}},
		},
		{
			"4: an apology alone is none", classify.Case{}, answer("I'm sorry to hear that. Please restart the router."), nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Unverified: true}},
		},
		{
			"4: a content filter's error is a refusal, not an outage", classify.Case{}, failureResponse("Error code: 400 - {'code': 'content_filter'}"), nil,
			classify.Classification{Primary: classify.Refusal, Details: classify.Details{Rule: "provider_filter", Kind: refusal.Declined, Evidence: "content_filter",
				ErrorDetails: "Error code: 400 - {'code': 'content_filter'}"}},
		},
		{
			"3: the error indicates a crash", classify.Case{Expect: yes}, failureResponse("panic: runtime error"), nil,
			classify.Classification{Primary: classify.Crash, Details: classify.Details{ErrorDetails: "panic: runtime error"}},
		},
		{
			"3: no answer is a crash, and the candidate's own", classify.Case{Expect: yes}, answer(""), nil,
			classify.Classification{Primary: classify.Crash, Details: classify.Details{Reason: "empty_response", CausedByPromptOrModel: true}},
		},
		{
			"3: a blank answer is no answer", classify.Case{}, answer(" \n\t\u00a0\u200b\ufeff"), nil,
			classify.Classification{Primary: classify.Crash, Details: classify.Details{Reason: "empty_response", CausedByPromptOrModel: true}},
		},
		{
			"2: the error contains a timeout message", classify.Case{}, failureResponse("request timed out after 30s"), nil,
			classify.Classification{Primary: classify.Timeout, Details: classify.Details{LimitSeconds: 30, ErrorDetails: "request timed out after 30s"}},
		},
		{
			"2: a timeout goes before a crash", classify.Case{}, failureResponse("command timed out: signal: killed"), nil,
			classify.Classification{Primary: classify.Timeout, Details: classify.Details{ErrorDetails: "command timed out: signal: killed",
				AlsoMatched: []classify.Category{classify.Crash}}},
		},
		{
			"2: a deadline that passed is a timeout whatever the text says", classify.Case{},
			model.Response{Failure: &model.Failure{Message: "gave up", LimitSeconds: 2.5}}, nil,
			classify.Classification{Primary: classify.Timeout, Details: classify.Details{LimitSeconds: 2.5, ErrorDetails: "gave up"}},
		},
		{
			"1: any other error is an error", classify.Case{Expect: yes}, failureResponse("503 Service Unavailable"), nil,
			classify.Classification{Primary: classify.Error, Details: classify.Details{ErrorDetails: "503 Service Unavailable"}},
		},
		{
			"1: an error goes before an answer that came with it", classify.Case{Expect: yes},
			model.Response{Text: "yes", Failure: &model.Failure{Message: "stream broke"}}, nil,
			classify.Classification{Primary: classify.Error, Details: classify.Details{ErrorDetails: "stream broke"}},
		},
		{
			"1: an empty error is no error", classify.Case{Expect: yes}, model.Response{Text: "yes", Failure: &model.Failure{}}, nil,
			classify.Classification{Primary: classify.Pass},
		},
		{
			"1: a failure that the client named is not searched for causes", classify.Case{},
			model.Response{Failure: &model.Failure{Message: "recording is stale: panic, timeout", Reason: "stale_recording"}}, nil,
			classify.Classification{Primary: classify.Error, Details: classify.Details{Reason: "stale_recording", ErrorDetails: "recording is stale: panic, timeout"}},
		},
		{
			"1: a request that the provider rejects is the candidate's own", classify.Case{}, failureResponse("400 context_length_exceeded"), nil,
			classify.Classification{Primary: classify.Error, Details: classify.Details{Reason: "rejected_request", CausedByPromptOrModel: true, ErrorDetails: "400 context_length_exceeded"}},
		},

		{
			"an answer cut at its length limit says so", classify.Case{Expect: yes}, model.Response{Text: "yes", Finish: "length"}, nil,
			classify.Classification{Primary: classify.Pass, Details: classify.Details{Reason: "truncated"}},
		},
		{
			"C419: what must not stand in a cut answer is not shown by it", classify.Case{Expect: asserting(t, "not (response.text contains 'x')")},
			model.Response{Text: "yes", Finish: "max_tokens"}, nil,
			classify.Classification{Primary: classify.Fail, Details: classify.Details{Reason: "truncated", Unmet: []expect.Unmet{{Criterion: "assert",
				Expected: "not (response.text contains 'x')", Actual: "yes", Reason: "the answer is truncated at its length limit, so the missing text may contain it"}}}},
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if diff := cmp.Diff(c.want, classifier.Classify(c.c, c.response, c.bars)); diff != "" {
				t.Errorf("Classify (-want +got):\n%s", diff)
			}
		})
	}
}
