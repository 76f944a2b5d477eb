package classify_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

func TestAccuracyAndUnscored(t *testing.T) {
	for _, c := range []struct {
		rule     string
		response model.Response
		accuracy int
		unscored bool
	}{
		{"a pass scores 1", answer("yes"), 1, false},
		{"a refusal scores 0", answer(refusing), 0, false},
		{"an outage is unscored", failureResponse("502 Bad Gateway"), 0, true},
		{"a timeout is unscored", failureResponse("timeout"), 0, true},
		{"a crash of the process is unscored", failureResponse("signal: killed"), 0, true},
		{"a stale recording is unscored", model.Response{Failure: &model.Failure{Message: "stale", Reason: "stale_recording"}}, 0, true},
		{"an empty answer is the candidate's own", answer(""), 0, false},
		{"a rejected request is the candidate's own", failureResponse("400 Bad Request"), 0, false},
		{"a filtered request is a refusal", failureResponse("400 content_filter"), 0, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := classifier.Classify(classify.Case{}, c.response, nil)
			if got.Accuracy() != c.accuracy || got.Unscored() != c.unscored {
				t.Errorf("%s: accuracy %d, unscored %v; want %d, %v", got.Primary, got.Accuracy(), got.Unscored(), c.accuracy, c.unscored)
			}
		})
	}
}

func TestDetailsAreCut(t *testing.T) {
	long := strings.Repeat("é", 5000)
	got := classifier.Classify(classify.Case{}, failureResponse(long), nil)
	if n := len([]rune(string(got.Details.ErrorDetails))); n != 2000 {
		t.Errorf("error_details has %d runes, want 2000", n)
	}
	got = classifier.Classify(classify.Case{}, model.Response{Refusal: model.Untrusted(long)}, nil)
	if n := len([]rune(string(got.Details.Evidence))); n != 300 {
		t.Errorf("evidence has %d runes, want 300", n)
	}
}

func TestClassifierIsSafeForConcurrentUse(t *testing.T) {
	c := classify.Case{Expect: asserting(t, "response.json.a == 1")}
	want := classifier.Classify(c, answer(`{"a":2}`), nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if diff := cmp.Diff(want, classifier.Classify(c, answer(`{"a":2}`), nil)); diff != "" {
				t.Error(diff)
			}
		})
	}
	group.Wait()
}

func BenchmarkClassify(b *testing.B) {
	e := asserting(b, "response.json.total <= 900")
	e.Format = format(b, "json", false)
	c := classify.Case{Expect: e, Policies: []*expect.Policy{policy("no-promises", "(?i)we will (fully )?refund")}}
	item := `{"name": "Tea", "price": 4},`
	for name, text := range map[string]string{
		"short":  `{"total": 900}`,
		"64KiB":  `{"total": 900, "items": [` + strings.Repeat(item, 64<<10/len(item)) + `{}]}`,
		"prose":  strings.Repeat("The model weighs one side and then the other. ", 64<<10/46),
		"repair": "Sure:\n```json\n{\"total\": 900,}\n```",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				classifier.Classify(c, answer(text), nil)
			}
		})
	}
}
