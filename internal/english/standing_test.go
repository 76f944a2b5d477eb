package english

import "testing"

func TestHowATextStandsToItsWords(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       Factuality // to the word "five"
	}{
		{"what is stated is said", "The limit is five.", Said},
		{"what is quoted is said", "The manual says: “The limit is five.”", Said},
		{"what stands in a condition is supposed", "If the limit is five, you need two.", Supposed},
		{"what one is to imagine is supposed", "Imagine the limit is five.", Supposed},
		{"what is asked is not said", "Is the limit five?", Unsaid},
		{"what is asked and affirmed is", "Is the limit five? Yes.", Said},
		{"what others are said to claim is not", "A blog claims that the limit is five.", Unsaid},
		{"what was raised from is not", "The limit was raised from five to six.", Unsaid},
		{"what others have is not", "Unlike shops where the limit is five, we have none.", Unsaid},
		{"what is crossed out is not", "The limit is ~~five~~ six.", Unsaid},
		{"what was until is not", "The limit was five until May.", Unsaid},
		{"what used to be is not", "The limit used to be five.", Unsaid},
		{"what was once is not", "Previously, the limit was five.", Unsaid},
		{"what is taken back is not", "The limit is five. Sorry, that was a mistake: it is six.", Unsaid},
		{"what is retracted is not", "The limit is five. Scratch that: it is six.", Unsaid},
		{"what is taken back behind its sentence is not", "The limit is five, as a rule. This is false.", Unsaid},
		{"what is taken back after a regret is not", "The limit is five. Oops, I misread it: that is wrong.", Unsaid},
		{"a take-back that is taken back takes nothing back", "The limit is five. That was a mistake. (It was not.)", Said},
		{"something else that is wrong takes nothing back", "The limit is five. It is not true that delivery is free.", Said},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := Parse(c.text)
			if got := p.FactualityOf(int(p.FirstOf("5")), Uses{Quoted: true}); got != c.want {
				t.Errorf("%q: %v, want %v", c.text, got, c.want)
			}
		})
	}
}

func TestALineBreakWithinASentencePartsNothing(t *testing.T) {
	for text, want := range map[string]int{
		"Good news: returns\nare free.": 1, "Good news: returns\r\nare free.": 1, "Returns are\nfree.": 1, "We ship to\nCanada.": 1, "Returns\r\rare free": 2,
		"Answer: yes\nSure.": 2, "- returns\n- are free": 2, "apples\npears\nplums": 3, "Severity: high\nreason: none": 2,
	} {
		p := Parse(text)
		if got := int(p.SentenceOf(len(p.Words)-1)) + 1; got != want {
			t.Errorf("%q has %d sentences, want %d", text, got, want)
		}
	}
}

func TestADateIsOneAmount(t *testing.T) {
	date := func(text string) Amount {
		for _, w := range Parse(text).Words {
			if w.Quantity != nil {
				return *w.Quantity
			}
		}
		return Amount{}
	}
	for text, want := range map[string]bool{
		"3 March 2024": true, "2024-03-03": true, "March 3, 2024": true, "March 3rd, 2024": true, "the 3rd of March 2024": true, "3 Mar 2024": true,
		"3 May 2024": false, "4 March 2024": false, "3 March 2025": false, "3 March": false, "March 2024": false, "2024": false, "3 march": false,
	} {
		if got := date("on 3 March 2024").Matches(date(text)); got != want {
			t.Errorf("3 March 2024 is %q: %v, want %v", text, got, want)
		}
	}
	for _, less := range []string{"3 March", "March 2024", "2024", "3"} {
		if !date(less).Matches(date("3 March 2024")) {
			t.Errorf("%q does not ask for 3 March 2024", less)
		}
	}
}
