package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// add joins another verdict.
func (v *verdict) add(other verdict) {
	for _, l := range other.labels {
		if !slices.Contains(v.labels, l) {
			v.labels = append(v.labels, l)
		}
	}
	v.at, v.hedged = max(v.at, other.at), v.hedged || other.hedged
}

// lastLine reports a label in the last line that has a word.
func (r *reading) lastLine(m mention) bool {
	return !slices.ContainsFunc(r.tokens[r.tokens[m.start].line.to:], func(t token) bool { return t.word })
}

// aloneInSentence reports a label that is a sentence: "… Approve."
func (r *reading) aloneInSentence(m mention) bool {
	before, behind := m.start-1, m.end
	for before >= 0 && !r.tokens[before].word {
		before--
	}
	for behind < len(r.tokens) && !r.tokens[behind].word {
		behind++
	}
	sentence := r.tokens[m.start].sentence
	return (before < 0 || r.tokens[before].sentence != sentence) && (behind == len(r.tokens) || r.tokens[behind].sentence != sentence)
}

// concluding reports a label that makes up the last clause of an answer: "She is his dentist and the date is right: not spam.", "With three hosts infected, high."
func (r *reading) concluding(m mention) bool {
	first := r.clauseStart(m.start)
	if m.hedged || first == 0 || !leadsOn[r.tokens[first-1].text] || r.keyed(m) || m.words == former {
		return false
	}
	if key := first - 1 - keyWords; r.tokens[first-1].text == ":" && (key <= 0 || r.tokens[key-1].sentence != r.tokens[first-1].sentence) {
		return false
	}
	for i := first; i < len(r.tokens); i++ {
		if t := r.tokens[i]; t.word && (i < m.start || i >= m.end) && !fillers[t.text] || t.text == ")" {
			return false
		}
	}
	return true
}

// Marks before a label that is what the words before them come to.
var leadsOn = english.Set(", : – ; .")

// fillers are the words of a clause that says a label and nothing more.
var fillers = english.Set("so then thus hence therefore a an the it is simply clearly definitely still though of course")

// leading reports a label that opens the answer and is followed by a mark: "Compliant. The vendor …".
func (r *reading) leading(m mention) bool {
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
	end := first
	for end < min(len(r.tokens), first+interjection+2) && r.tokens[end].sentence == r.tokens[first].sentence {
		end++
	}
	next := r.skipMarks(end)
	if next == len(r.tokens) || r.tokens[next].line != r.tokens[first].line || len(r.within(first, next)) > 0 || wordsIn(r.tokens[first:end]) > interjection {
		return first
	}
	return next
}

func wordsIn(tokens []token) (n int) {
	for _, t := range tokens {
		if t.word {
			n++
		}
	}
	return n
}

// box reads the box that stands before a label: 1 if it is ticked, -1 if it is empty, 0 if there is none.
func (r *reading) box(m mention) int {
	text := func(i int) string {
		if i < 0 {
			return ""
		}
		return r.tokens[i].text
	}
	switch i := m.start - 1; {
	case text(i) == "]" && text(i-1) == "x" && text(i-2) == "[":
		return 1
	case text(i) == "]" && text(i-1) == "[":
		return -1
	default:
		return tick(text(i))
	}
}

// Words before a colon that tell what a label was.
var past = english.Set("was were formerly before old prior")

// keyed reports a label that fills a line or a sentence together with a short key.
func (r *reading) keyed(m mention) bool {
	if m.end < len(r.tokens) && r.tokens[m.end].word && r.tokens[m.end].sentence == r.tokens[m.start].sentence {
		return false
	}
	i := m.start - 1
	if i < 0 || !separators[r.tokens[i].text] {
		return false
	}
	key := 0
	for i--; i >= 0 && r.tokens[i].sentence == r.tokens[m.start].sentence; i-- {
		if r.tokens[i].text == "," { // the field of an object before
			return key > 0
		}
		if r.tokens[i].word {
			if key++; key > keyWords || notFinal[r.tokens[i].text] || past[r.tokens[i].text] || grounds[r.tokens[i].text] {
				return false
			}
		}
	}
	return key > 0
}

// asksFor reports that the question names the key of a label: severity of "Severity: high".
func (r *reading) asksFor(m mention) bool {
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

// boldAlone reports that the bold text around m is the label alone.
func (r *reading) boldAlone(m mention) bool {
	for i := m.start - 1; i >= 0 && r.tokens[i].bold; i-- {
		if r.tokens[i].word {
			return false
		}
	}
	for i := m.end; i < len(r.tokens) && r.tokens[i].bold; i++ {
		if r.tokens[i].word {
			return false
		}
	}
	return r.tokens[m.end-1].bold
}
