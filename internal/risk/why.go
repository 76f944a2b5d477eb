package risk

import "strings"

// Signal is why a rule matched.
type Signal struct {
	Label string
	Words string // untrusted, in one line and in whole words; "" for none in particular
	Asked bool   // Words are of the question: the rule looks at the whole answer
}

// leastWords is the shortest match whose words say something, in bytes.
const leastWords = 3

// tells are the failure modes of rules whose words are the harm itself: a reason that quotes them would tell the secret again.
var tells = []string{"secret_leak", "pii_exposure"}

// signal says why a rule matched: with the words of the answer, else with those of the question that the rule depends on.
func (c *compiled) signal(t text, at span, probe *inquiry) Signal {
	if len(c.points(tells)) > 0 {
		return Signal{Label: c.Label}
	}
	if words := wholeWords(t.raw, at); len(words) >= leastWords {
		return Signal{Label: c.Label, Words: words}
	}
	if at := c.asked.find(probe.asked, probe.held); at != nil {
		return Signal{Label: c.Label, Words: wholeWords(probe.asked, span{at[0], at[1]}), Asked: true}
	}
	return Signal{Label: c.Label}
}

// wholeWords widens a match to the white space around it, so that no key or name is cut, and writes it in one line.
func wholeWords(s string, at span) string {
	if at.end-at.start < leastWords {
		return ""
	}
	start := strings.LastIndexAny(s[:at.start], " \n") + 1
	end := at.end
	if i := strings.IndexAny(s[end:], " \n"); i >= 0 {
		end += i
	} else {
		end = len(s)
	}
	return strings.Join(strings.Fields(s[start:end]), " ")
}
