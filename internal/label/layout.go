package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// lineReach bounds in tokens how far on either side of a label the rest of its line is looked at.
const lineReach = 32

// inLayout is what the layout makes of a label that is asserted.
func (r *reading) inLayout(m *mention, last bool) stance {
	switch {
	case !m.asserted:
		return unsaid
	case r.aloneInLine(m), r.alone(m, r.tokens[m.start].sentence, nil), r.leading(m), last && r.concluding(m):
		if r.lastLine(m) {
			return settled
		}
		return laidOut
	case r.keyed(m) && r.asksFor(m):
		return named
	case r.keyed(m):
		return keyed
	case r.boldAlone(m):
		m.cue = int(r.tokens[m.start].sentence.from)
		return stressed
	}
	return unsaid
}

// lastLine reports a label in the last line that has a word.
func (r *reading) lastLine(m *mention) bool {
	return !slices.ContainsFunc(r.tokens[r.tokens[m.start].line.to:], func(t token) bool { return t.word })
}

// alone reports that a range holds no word but the label, and those that may stand beside it; nil for none.
func (r *reading) alone(m *mention, in span, beside func(i int) bool) bool {
	for i := m.start - 1; i >= int(in.from); i-- {
		if r.tokens[i].word && (beside == nil || !beside(i)) || i < m.start-lineReach {
			return false
		}
	}
	for i := m.end; i < int(in.to); i++ {
		if r.tokens[i].word && (beside == nil || !beside(i)) || i > m.end+lineReach {
			return false
		}
	}
	return true
}

// aloneInLine reports a label that is a line, perhaps numbered.
func (r *reading) aloneInLine(m *mention) bool {
	return r.alone(m, r.tokens[m.start].line, func(i int) bool { return i < m.start && len(r.tokens[i].text) <= 2 && !r.tokens[i+1].word })
}

// concluding reports a label that makes up the last clause of an answer: "She is his dentist and the date is right: not spam.", "With three hosts infected, high."
func (r *reading) concluding(m *mention) bool {
	first := r.clauseStart(m.start)
	if m.is(hedges) || first == 0 || r.wordAt(first-2, "hand") || !leadsOn[r.tokens[first-1].text] || r.keyed(m) || m.words == former || m.words == sureness {
		return false
	}
	if key := first - 1 - keyWords; r.tokens[first-1].text == ":" && (key <= 0 || r.tokens[key-1].sentence != r.tokens[first-1].sentence) {
		return false
	}
	return r.alone(m, span{int32(first), int32(len(r.tokens))}, func(i int) bool { return fillers[r.tokens[i].text] }) &&
		!slices.ContainsFunc(r.tokens[m.end:], func(t token) bool { return t.text == ")" })
}

// leading reports a label that opens the answer and is followed by a mark: "Compliant. The vendor …".
func (r *reading) leading(m *mention) bool {
	if r.opening() != m.start || m.words == reported {
		return false
	}
	return m.end == len(r.tokens) || !r.tokens[m.end].word
}

// keyWords is the most words of a key in "Risk level: high".
const keyWords = 4

// interjection is the most words of an opening sentence that says nothing: "Hmm.", "Great question!"
const interjection = 2

// opening returns the first word that says something.
func (r *reading) opening() int {
	first := r.skipMarks(0)
	next := r.skipMarks(int(r.tokens[first].sentence.to))
	if next == len(r.tokens) || r.tokens[next].line != r.tokens[first].line || r.tokens[next].at-r.tokens[first].at > interjection || r.mentions[0].end <= next {
		return first
	}
	return next
}

// keyed reports a label that fills a line or a sentence together with a short key, which does not tell what a label was or is for.
func (r *reading) keyed(m *mention) bool {
	i, sentence := m.start-1, r.tokens[m.start].sentence
	end := m.end
	if heads[r.text(end)] || r.wordAt(end, "star", "stars", "points") { // "Rating: 4 stars"
		end++
	}
	if !separators[r.text(i)] || r.word(end) && r.tokens[end].sentence == sentence {
		return false
	}
	key := 0
	for i--; i >= int(sentence.from) && key <= keyWords && r.tokens[i].text != ","; i-- { // the field of an object before
		if r.tokens[i].word {
			key++
		}
		if keyless[r.tokens[i].text] {
			return false
		}
	}
	return key > 0 && key <= keyWords
}

// asksFor reports that the question names the key of a label: severity of "Severity: high".
func (r *reading) asksFor(m *mention) bool {
	if r.asked == nil {
		r.asked = make(map[string]bool, len(r.question))
		for i := range r.question {
			r.asked[r.question[i].text] = r.question[i].word && !english.FunctionWords[r.question[i].text]
		}
	}
	for i := m.start - 1; i >= max(0, m.start-nearWords) && r.tokens[i].sentence == r.tokens[m.start].sentence; i-- {
		if r.asked[r.tokens[i].text] {
			return true
		}
	}
	return false
}

// apart reports a label that stands by itself. "No" at the beginning may as well be the first word of what follows.
func (r *reading) apart(m *mention) bool {
	return r.keyed(m) || r.aloneInLine(m) || r.boldAlone(m) || r.leading(m) && !short[r.tokens[m.start].text]
}

// boldAlone reports that the bold text around m is the label alone.
func (r *reading) boldAlone(m *mention) bool {
	from, to := m.start, m.end
	for from > 0 && r.tokens[from-1].bold && !r.tokens[from-1].word {
		from--
	}
	for to < len(r.tokens) && r.tokens[to].bold && !r.tokens[to].word {
		to++
	}
	return r.tokens[m.end-1].bold && !(from > 0 && r.tokens[from-1].bold) && !(to < len(r.tokens) && r.tokens[to].bold)
}
