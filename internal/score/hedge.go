package score

import (
	"slices"
	"strings"
)

var hedgeWords = set(`probably likely possibly perhaps maybe arguably presumably apparently seemingly potentially unlikely
	unclear uncertain unsure ambiguous inconclusive tentatively leaning plausibly conceivably`)

// Hedges of several words.
var hedgePhrases = phrases("not sure", "not certain", "hard to say", "difficult to say", "it depends", "depends on", "i think", "i believe", "i do not think", "i do not believe",
	"i guess", "i suspect", "i assume", "i feel", "we think", "we believe", "can not determine", "can not be determined", "can not say",
	"can not tell", "not clear", "not enough information", "insufficient information", "my guess", "if i had to", "not confident",
	"would lean", "more or less", "to some extent", "in part", "i am inclined", "not entirely sure")

// phraseSet holds phrases by their first word.
type phraseSet map[string][][]string

func phrases(all ...string) phraseSet {
	out := phraseSet{}
	for _, p := range all {
		words := strings.Fields(p)
		out[words[0]] = append(out[words[0]], words)
	}
	return out
}

// hedges returns the sentences that hedge.
func hedges(tokens []token) map[int]bool {
	m := map[int]bool{}
	for i, t := range tokens {
		if t.word && !t.struck && (hedgeWords[t.text] || phraseAt(tokens, i, hedgePhrases) > 0) {
			m[t.sent] = true
		}
	}
	return m
}

// phraseAt returns the length of the phrase that stands at i; 0 if none does.
func phraseAt(tokens []token, i int, all phraseSet) int {
	for _, p := range all[tokens[i].text] {
		if i+len(p) <= len(tokens) &&
			slices.EqualFunc(tokens[i:i+len(p)], p, func(t token, w string) bool { return t.word && t.text == w }) {
			return len(p)
		}
	}
	return 0
}

// questions returns the sentences that ask, each with the yes or no that follows it at once, else "".
func questions(tokens []token) map[int]string {
	m := map[int]string{}
	for i, t := range tokens {
		if t.text != "?" {
			continue
		}
		m[t.sent] = ""
		for _, next := range tokens[i+1 : min(i+4, len(tokens))] {
			if next.word {
				if next.text == "yes" || next.text == "no" {
					m[t.sent] = next.text
				}
				break
			}
		}
	}
	return m
}
