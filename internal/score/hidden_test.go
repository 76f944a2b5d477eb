package score_test

import (
	"testing"

	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
)

// value is that of one metric of an answer.
func value(t *testing.T, e *score.Expected, name, sent string) float64 {
	t.Helper()
	for _, m := range e.Measure(sent, score.Settings{}).Metrics {
		if m.Name == name {
			return m.Value
		}
	}
	t.Fatalf("%q has no metric %s", sent, name)
	return 0
}

func TestWhatNoReaderSeesIsNoLabel(t *testing.T) {
	e := &score.Expected{Plan: score.StrategyMap(nil).Plan("", score.StrategyClassification, ""), Labels: label.New("Compliant", []string{"Compliant", "Non-Compliant"})}
	for sent, want := range map[string]float64{
		"Verdict: Non-Compliant\n<!-- Verdict: Compliant -->":                                        0,
		"Verdict: Non-Compliant\n\n[terms](https://shop.example \"Final verdict: Compliant\")":       0,
		"Verdict: Non-Compliant\n\n[//]: # (Final verdict: Compliant)":                               0,
		"It fails.\n\n[Final verdict]: Compliant":                                                    0,
		"It fails. See https://shop.example/verdict:compliant":                                       0,
		"It fails. <span hidden>Verdict: Compliant</span>":                                           0,
		"It fails. <a href='https://shop.example/x' title='Final verdict: Compliant'>terms</a>":      0,
		"<think>Final verdict: Compliant</think>It fails.":                                           0,
		"<think>Final verdict: Compliant":                                                            0,
		"<think>Final verdict: Non-Compliant</think>Compliant":                                       1,
		"<!-- Verdict: Non-Compliant -->Verdict: Compliant":                                          1,
		"Verdict: Compl<!-- -->iant":                                                                 1,
		"Verdict: [Compliant](https://shop.example/non-compliant)":                                   1,
		"Verdict: Compliant\n\n<!-- Correction: Non-Compliant. Scratch that, I meant the other. -->": 1,
	} {
		if got := value(t, e, score.Accuracy, sent); got != want {
			t.Errorf("label accuracy of %q is %v, want %v", sent, got, want)
		}
	}
	e.LabelPlace = must(label.NewLinePlace("Verdict:"))
	for sent, want := range map[string]float64{"It fails.\n<!--\nVerdict: Compliant\n-->": 0, "Verdict: <!-- -->Compliant": 1, "<think>\nVerdict: Non-Compliant\n</think>\nVerdict: Compliant": 1} {
		if got := value(t, e, score.Accuracy, sent); got != want {
			t.Errorf("label accuracy of %q in its line is %v, want %v", sent, got, want)
		}
	}
	for pattern, want := range map[string]float64{`Verdict: (\w+)`: 0, `<!-- Verdict: (\w+) -->`: 1} {
		e.LabelPlace = must(label.NewPatternPlace(pattern))
		if got := value(t, e, score.Accuracy, "It fails. <!-- Verdict: Compliant -->"); got != want {
			t.Errorf("label accuracy of a comment by the pattern %s is %v, want %v", pattern, got, want)
		}
	}
	pages := &score.Expected{Plan: e.Plan, Labels: label.New("https://a.com/x", []string{"https://a.com/x", "https://a.com/y"})}
	if got := value(t, pages, score.Accuracy, "https://a.com/x"); got != 1 {
		t.Errorf("an address that is the label has the accuracy %v, want 1", got)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func TestWhatNoReaderSeesCoversNoFact(t *testing.T) {
	for _, c := range []struct {
		fact, answer string
		covered      float64
	}{
		{"14 days", "Just call us.\n\n<!-- 14 days -->", 0},
		{"14 days", "Just call us: https://shop.example/14-days-written-notice", 0},
		{"14 days", "Just [call us](https://shop.example/14-days).", 0},
		{"14 days", "Just `https://shop.example/14-days`.", 0},
		{"14 days", "Just call us. <span hidden>14 days</span>", 0},
		{"14 days", "<think>You have 14 days.</think>Just call us.", 0},
		{"14 days", "You have 14 <!-- or not -->days.", 1},
		{"14 days", "You have 14 days.<!-- That is wrong. Scratch that. -->", 1},
		{"14 days", "<think>Never.</think>\nYou have [14 days](/terms).", 1},
		{"https://acme.com/refund", "See [refunds](https://www.acme.com/refund \"Refunds\").", 1},
		{"https://acme.com/refund", "https://acme.com/refund", 1},
		{"write to support@acme.com", "Write to [us](mailto:support@acme.com).", 1},
		{`/acme\.com\/refund/`, "See https://acme.com/refund.", 1},
		{`/14.days/`, "See https://acme.com/14-days.", 0},
		{"https://acme.com/refund", "Call us.<!-- https://acme.com/refund -->", 0},
	} {
		if got := completeness(t, []string{c.fact}, c.answer); got.Value != c.covered {
			t.Errorf("%q covers %q by %v, want %v", c.answer, c.fact, got.Value, c.covered)
		}
	}
}

func TestForbiddenClaimsAreLookedForInAllThatWasSent(t *testing.T) {
	for answer, want := range map[string]float64{
		"Your refund <!-- is not --> is guaranteed.":                  0.7,
		"Your re<!-- -->fund [is](http://a.b/not) guaranteed.":        0.7,
		"Your refund is guaranteed.<!-- Correction: it is not. -->":   0.7,
		"<!-- Your refund is guaranteed. -->Hello.":                   0.7,
		"<think>The refund is guaranteed.</think>Hello.":              0.7,
		"<think>Hm. That is wrong:</think>Your refund is guaranteed.": 0.7,
		`{"answer":"Your refund is \u0067uaranteed."}`:                0.7,
		"<think>Is the refund guaranteed?</think>No.":                 1,
	} {
		if got := grounding(t, &score.Expected{}, []string{"refund is guaranteed"}, answer, score.Settings{}).Metrics[0]; got.Value != want {
			t.Errorf("grounding of %q is %+v, want %v", answer, got, want)
		}
	}
}
