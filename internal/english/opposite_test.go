package english

import "testing"

func TestOneOfTwoWordsDeniesTheOther(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"safe", "unsafe", true}, {"unverified", "verified", true}, {"toxic", "nontoxic", true}, {"relevant", "irrelevant", true},
		{"lawful", "unlawful", true}, {"met", "unmet", true}, {"complete", "incomplete", true}, {"compliant", "noncompliant", true},
		{"der", "under", false}, {"less", "unless", false}, {"form", "inform", false}, {"high", "low", false}, {"safe", "safe", false}, {"required", "optional", true}, {"optional", "required", true},
	} {
		if got := AreOpposites(c.a, c.b); got != c.want {
			t.Errorf("AreOpposites(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestATagThatHoldsAValueIsAKey(t *testing.T) {
	for text, want := range map[string]bool{
		"<severity>Low</severity>": true, "<severity>Low": false, "<p>Low</p>": false, "<think>Low?</think>": false, "<a>b<c>d</c></a>": false,
	} {
		p := ParseWith(text, nil)
		if got := p.Words[0].Text != "low" && p.Words[0].Text != "b"; got != want {
			t.Errorf("the first word of %q is %q, want a key: %v", text, p.Words[0].Text, want)
		}
	}
}

func TestEveryArrowIsOneMark(t *testing.T) {
	for _, text := range []string{"High -> Low", "High → Low", "High ⇒ Low", "High ➜ Low"} {
		if p := ParseWith(text, nil); len(p.Marks) != 1 || p.Marks[0].Rune != Arrow || p.Words[1].Clause == 0 {
			t.Errorf("%q has the marks %+v", text, p.Marks)
		}
	}
}
