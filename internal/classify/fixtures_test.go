package classify_test

import (
	"regexp"
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

var (
	detector   = refusal.New(nil)
	classifier = classify.New(detector)
)

func match(t testing.TB, expected, mode string) *expect.Criterion {
	t.Helper()
	m, err := expect.CompileMatch(expected, mode)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func asserting(t testing.TB, source string) *expect.Expectation {
	t.Helper()
	a, err := expect.CompileAssertion(source)
	if err != nil {
		t.Fatal(err)
	}
	return &expect.Expectation{Assertions: []*expect.Criterion{a}}
}

func format(t testing.TB, kind string, strict bool) *expect.Format {
	t.Helper()
	f, err := expect.CompileFormat(kind, strict, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func policy(name, pattern string) *expect.Policy {
	return expect.CompilePolicy(name, "", []*regexp.Regexp{regexp.MustCompile(pattern)})
}

func answer(text string) model.Response {
	return model.Response{Text: model.Untrusted(text), Finish: "stop"}
}

func failureResponse(message string) model.Response {
	return model.Response{Failure: &model.Failure{Message: model.Untrusted(message)}}
}

const (
	refusing = "I can't help with that."
	promise  = "We will refund you in full."
)

// unmetYes is what an answer misses that should have been yes.
func unmetYes(got, reason string) []expect.Unmet {
	return []expect.Unmet{{Criterion: "expected_response", Expected: "yes", Actual: got, Reason: reason}}
}
