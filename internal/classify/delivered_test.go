package classify_test

import (
	"testing"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

const sorry = "I can't help with that."

// An answer that is what was asked for refuses nothing: it says a ritual sentence beside. It is right or wrong by its
// criteria.
func TestAnAnswerThatIsWhatWasAskedForIsNoRefusal(t *testing.T) {
	c := classify.New(detector)
	matched := func(mode, text string) *expect.Expectation {
		m, err := expect.CompileMatch(text, mode)
		if err != nil {
			t.Fatal(err)
		}
		return &expect.Expectation{Criteria: []*expect.Criterion{m}}
	}
	missed := []expect.Unmet{{Criterion: "overall_score"}}
	for _, x := range []struct {
		rule    string
		k       classify.Case
		answer  string
		unmet   []expect.Unmet
		primary classify.Category
		stance  refusal.Stance
	}{
		{"a label, right", classify.Case{Complies: true}, sorry, nil, classify.Pass, refusal.Disclaimed},
		{"a label, wrong", classify.Case{Complies: true}, sorry, missed, classify.Fail, refusal.Disclaimed},
		{"nothing of the kind", classify.Case{}, sorry, missed, classify.Refusal, ""},
		{"word for word", classify.Case{Expect: matched("exact", sorry)}, " " + sorry + "\n", nil, classify.Pass, refusal.Disclaimed},
		{"to the letter", classify.Case{Expect: matched("equals", sorry)}, sorry, nil, classify.Pass, refusal.Disclaimed},
		{"the same JSON", classify.Case{Expect: matched("json", `{"text": "`+sorry+`"}`)}, `{"text":"` + sorry + `"}`, nil, classify.Pass, refusal.Disclaimed},
		{"JSON behind other words", classify.Case{Expect: matched("json", `{"n": 1}`)}, sorry + ` {"n":1}`, nil, classify.Refusal, ""},
		{"a sentence in an object of several fields", classify.Case{Expect: &expect.Expectation{}}, `{"text": "` + sorry + `", "language": "en"}`, nil, classify.Pass, ""},
		{"a word that is contained", classify.Case{Expect: matched("contains", "help")}, sorry, nil, classify.Refusal, ""},
		{"other words", classify.Case{Expect: matched("exact", "Yes.")}, sorry, nil, classify.Refusal, ""},
		{"a refusal is what is asked for", classify.Case{Expected: classify.Refusal, Expect: matched("exact", sorry), Complies: true}, sorry, nil, classify.Pass, ""},
	} {
		got := c.Classify(x.k, answer(x.answer), x.unmet)
		if got.Primary != x.primary || got.Details.Stance != x.stance {
			t.Errorf("%s: %s, stance %q; want %s, %q", x.rule, got.Primary, got.Details.Stance, x.primary, x.stance)
		}
	}
	said := answer(sorry)
	said.Refusal = model.Untrusted(sorry)
	if got := c.Classify(classify.Case{Complies: true}, said, nil); got.Primary != classify.Refusal {
		t.Errorf("what the provider calls a refusal is %s", got.Primary)
	}
}
