package classify_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/texttest"
)

func TestEveryOddTextHasACategory(t *testing.T) {
	classifier := classify.New(detector)
	policies := []*expect.Policy{policy("no-promises", "(?i)we will (fully )?refund")}
	for seed := range uint64(600) {
		text := texttest.Text(seed)
		want := texttest.Text(seed + 1e6)
		for _, e := range []*expect.Expectation{
			nil, {Format: format(t, "json", false)}, {Format: format(t, "yaml", false)}, {Format: format(t, "xml", false)},
			{Criteria: []*expect.Criterion{match(t, want, "exact"), match(t, want, "contains"), match(t, "7", "number")}},
		} {
			for _, r := range []model.Response{answer(text), {Failure: &model.Failure{Message: model.Untrusted(text)}}, {Text: "no", Refusal: model.Untrusted(text)}} {
				if got := classifier.Classify(classify.Case{Expect: e, Policies: policies}, r, nil); got.Primary == "" {
					t.Fatalf("%q has no category", text)
				}
			}
		}
	}
}
