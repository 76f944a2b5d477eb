package label

// Words and phrases that hedge.
var hedging = table(when(hedges, `probably|likely|possibly|perhaps|maybe|arguably|presumably|apparently|seemingly|potentially|unlikely|unclear;
	uncertain|unsure|ambiguous|inconclusive|tentatively|plausibly|conceivably; not sure|certain|clear|confident; hard|difficult to say; it depends; depends on;
	i do not think|believe; i guess|suspect|assume; can not determine|say|tell; can not be determined; not enough information; insufficient information;
	my|best guess; if i had to; would lean; lean|leaning towards|toward; can not be sure|certain; be argued; one could|might|may argue; more or less;
	to some extent; in part; i am inclined; not entirely sure`))

// doubt is a half-open range of tokens, and the one in it that hedges.
type doubt struct{ from, to, by int }

// hedges returns what is hedged, in order: from the beginning of the statement that has a word which hedges to its end, or
// to a "but" behind the word. A statement is a sentence, or a part of it up to a semicolon.
func (r *reading) doubts() (out []doubt) {
	begin, by, open := 0, 0, false
	for i := range r.tokens {
		t := &r.tokens[i]
		if i > 0 && (t.sentence != r.tokens[i-1].sentence || r.tokens[i-1].text == ";" || open && contrasts[t.text]) {
			if open {
				out = append(out, doubt{begin, i, by})
			}
			begin, open = i, false
		}
		if t.word && !t.struck && !open {
			by, open = i, r.phrase(hedging, i) > 0
		}
	}
	if open {
		out = append(out, doubt{begin, len(r.tokens), by})
	}
	return out
}

// hedged reports tokens in one of the spans that do not hedge themselves, as the label "Not enough information" does.
func hedged(spans []doubt, from, to int) bool {
	for _, s := range spans {
		if from < s.to {
			return from >= s.from && !(s.by >= from && s.by < to)
		}
	}
	return false
}
