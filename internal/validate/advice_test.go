package validate

import (
	"testing"

	"github.com/failproof/failproof/internal/fact"
	"github.com/failproof/failproof/internal/label"
	"github.com/failproof/failproof/internal/score"
)

func TestAdviceIsGivenWhereFreeTextCannotBeReadWell(t *testing.T) {
	const long = "customers who bought before March may return the kettle to any shop within thirty days"
	for _, c := range []struct {
		rule      string
		labels    []string
		in        *label.Place
		formatted bool
		fact      string
		judged    bool
		claim     string
		prompt    string
		want      int // lines of advice
	}{
		{rule: "nothing is expected"},
		{rule: "letters", labels: []string{"A", "b", "Ä"}, want: 1},
		{rule: "letters beside a word", labels: []string{"A", "neither"}},
		{rule: "letters where they stand", labels: []string{"A", "B"}, in: &label.Place{}},
		{rule: "letters in a format", labels: []string{"A", "B"}, formatted: true},
		{rule: "a scale", labels: []string{"Low", "MEDIUM", "very  high"}, want: 1},
		{rule: "a scale beside another word", labels: []string{"low", "refund"}},
		{rule: "a short fact", fact: "14 days"},
		{rule: "a fact of 12 words", fact: "one two three four five six seven eight nine ten eleven twelve"},
		{rule: "a long fact", fact: long, want: 1},
		{rule: "a long fact that a judge decides if it is not found", fact: long, judged: true},
		{rule: "a long pattern", fact: "/" + long + "/"},
		{rule: "a fact in another language", fact: "die Frist beträgt zwei Wochen", want: 1},
		{rule: "a fact in another language, with a judge", fact: "die Frist beträgt zwei Wochen", judged: true},
		{rule: "a pattern in another language", fact: "/die Frist beträgt (zwei|2) Wochen/"},
		{rule: "a claim in another language", claim: "wir erstatten immer die volle Gebühr", want: 1},
		{rule: "an English claim", claim: "we always refund the whole fee"},
		{rule: "a short fact under a German prompt", fact: "innerhalb von 30 Tagen", prompt: "Du bist der Assistent und antwortest für den Laden.", want: 1},
		{rule: "a name under a German prompt", fact: "Kassenbon", prompt: "Du bist der Assistent und antwortest für den Laden."},
		{rule: "a short fact under an English prompt", fact: "within 30 days", prompt: "You answer questions of the customers of the shop."},
		{rule: "both", labels: []string{"low", "high"}, fact: long, want: 2},
	} {
		m := &score.Expected{LabelPlace: c.in}
		if c.labels != nil {
			m.Labels = label.New(c.labels[0], c.labels)
		}
		if c.fact != "" {
			f, err := fact.NewSynonyms(nil).Fact(c.fact)
			if err != nil {
				t.Fatal(err)
			}
			m.Facts = append(m.Facts, f)
		}
		if c.claim != "" {
			f, err := fact.NewSynonyms(nil).Claim(c.claim)
			if err != nil {
				t.Fatal(err)
			}
			m.Forbidden = append(m.Forbidden, f)
		}
		got := 0
		for _, h := range hurdles {
			if h.applies(m, c.prompt, c.formatted, c.judged) {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%s: %d lines of advice, want %d", c.rule, got, c.want)
		}
	}
}
