package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Words and phrases that hedge.
var hedging = phrases("probably", "likely", "possibly", "perhaps", "maybe", "arguably", "presumably", "apparently", "seemingly", "potentially", "unlikely", "unclear",
	"uncertain", "unsure", "ambiguous", "inconclusive", "tentatively", "plausibly", "conceivably",
	"not sure", "not certain", "hard to say", "difficult to say", "it depends", "depends on", "i do not think", "i do not believe",
	"i guess", "i suspect", "i assume", "can not determine", "can not be determined", "can not say",
	"can not tell", "not clear", "not enough information", "insufficient information", "my guess", "if i had to", "not confident",
	"would lean", "lean towards", "lean toward", "leaning towards", "leaning toward", "best guess", "can not be sure", "can not be certain", "be argued", "one could argue", "one might argue", "one may argue", "more or less", "to some extent", "in part", "i am inclined", "not entirely sure")

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

// span is a half-open range of tokens, and the one in it that hedges.
type span struct{ from, to, by int }

// hedges returns what is hedged, in order: from the beginning of the statement that has a word which hedges to its end, or
// to a "but" behind the word. A statement is a sentence, or a part of it up to a semicolon.
func hedges(tokens []token) []span {
	var out []span
	begin, by, open := 0, 0, false
	for i := range tokens {
		t := &tokens[i]
		if i > 0 && (t.sent != tokens[i-1].sent || tokens[i-1].text == ";" || open && contrasts[t.text]) {
			if open {
				out = append(out, span{begin, i, by})
			}
			begin, open = i, false
		}
		if t.word && !t.struck && !open {
			by, open = i, phraseAt(tokens, i, hedging) > 0
		}
	}
	if open {
		out = append(out, span{begin, len(tokens), by})
	}
	return out
}

var contrasts = english.Set("but however yet nevertheless nonetheless")

// hedged reports tokens in one of the spans that do not hedge themselves, as the label "Not enough information" does.
func hedged(spans []span, from, to int) bool {
	for _, s := range spans {
		if from < s.to {
			return from >= s.from && !(s.by >= from && s.by < to)
		}
	}
	return false
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
