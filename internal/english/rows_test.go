package english

import "testing"

func TestWhatIsDeniedOutsideOfAClause(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		denied     bool // the word "five"
	}{
		{"a cell that is nothing but false denies its row", "| five | a blog | false |", true},
		{"so does one ahead", "| False | it is five |", true},
		{"so does one that says not true", "| it is five | some | not true |", true},
		{"a cell that has more to say does not", "| five | a blog | false alarm |", false},
		{"a row with a yes as well says both", "| five | yes | false |", false},
		{"a cross at its end denies a row", "| five | ❌ |\n| six | ✅ |", true},
		{"a cross denies no row behind it", "| six | ❌ |\n| five | ✅ |", false},
		{"a cross beside a tick denies none", "| five | ❌ | ✅ |", false},
		{"a no is not denied once more by its cross", "| five | no ❌ |", true},
		{"a cross at the end of a line denies no other line", "no smoking ❌\nfive are free", false},
		{"not true denies the list below", "Not true:\n- it is five", true},
		{"who never said it denies it", "We never said it has no six, and it is five.", false},
		{"a new sentence is no part of what the one before denies", "Here you are. False friends are five.", false},
		{"nor is a demonstrative what a wrong says", "They went wrong. That is five.", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := Parse(c.text)
			if got := p.Denies(int(p.FirstOf("5"))); got != c.denied {
				t.Errorf("%q: denied %v, want %v", c.text, got, c.denied)
			}
		})
	}
}

func TestWhatADenialBeginsStandsAsTheClauseBeforeDoes(t *testing.T) {
	for text, want := range map[string]Factuality{
		"It has no five.":                        Said,
		"If it has no five, take it.":            Unsaid,
		"It may have no five.":                   Supposed,
		"You are welcome. Seeking five is fine.": Said,
		"Six euros per claim. That is no five.":  Said,
	} {
		p := Parse(text)
		if got := p.FactualityOf(int(p.FirstOf("5")), Uses{Sure: true}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
