package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// goesOn reports a label behind which its clause goes on.
func (r *reading) goesOn(m mention) bool {
	return m.end < len(r.tokens) && r.tokens[m.end].word && r.tokens[m.end].clause == r.tokens[m.start].clause
}

// ownVoice reports a label that ends a clause in which the writer says that the thing in question is it: "this makes it low", "I go with
// low", "low it is".
func (r *reading) ownVoice(m mention) bool {
	if r.wordAt(m.end, "it") && r.clauseStart(m.start) == m.start {
		return !r.wordAt(m.end+2, "not")
	}
	if r.goesOn(m) && (!heads[r.tokens[m.end].text] || r.goesOn(mention{start: m.start, end: m.end + 1})) {
		return false
	}
	i := r.clauseStart(m.start)
	for i < m.start && !voices[r.tokens[i].text] && (clauseLeads[r.tokens[i].text] || contrasts[r.tokens[i].text]) {
		i++
	}
	for k := m.start - 1; k > i; k-- {
		if w := r.tokens[k].text; r.wordAt(k-1, "it", "this", "which", "she", "he") && (being[w] || makes[w]) || w == "been" && r.wordAt(k-2, "it", "this", "she", "he") {
			return true // "on a Sunday it is low"
		}
	}
	return i < m.start && voices[r.tokens[i].text] && (r.wordAt(i, "i", "we") || r.saysSo(i, m.start) && len(r.within(i, m.start)) == 0)
}

var (
	voices = english.Set("it this that which what he she i we")
	// Nouns behind a label that name its kind: "the billing team".
	heads = english.Set("team queue department desk category class bucket band bracket group level tier rating")
	// Verbs other than "is" by which a thing is what a label says.
	makes = english.Set("makes make puts put brings renders leaves describes falls belongs counts qualifies becomes stays remains should")
)

// saysSo reports a verb between two places by which a thing is what a label says.
func (r *reading) saysSo(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from:to], func(t token) bool { return being[t.text] || makes[t.text] })
}

// beside reports a label that is named in passing: not what its clause says of a thing.
func (r *reading) beside(m mention) bool {
	return !r.ownVoice(m) && (r.goesOn(m) || !r.saysSo(r.clauseStart(m.start), m.start))
}

// embedded reports a label in what something else is said of: "the idea that it is low", "those who call it low".
func (r *reading) embedded(start int) bool {
	for j := start - 1; j > max(0, start-wideWords) && r.sameClause(j, start); j-- {
		if r.wordAt(j, "who", "whoever") {
			return true
		}
		if r.tokens[j].text == "that" && notions[r.tokens[j-1].text] {
			return r.clauseStart(j) < j-2 || r.goesOn(mention{start: start, end: start + 1}) // not "the claim that … is false"
		}
	}
	return false
}

var notions = english.Set("idea notion claim suggestion impression assumption belief argument allegation myth view theory hope fear rumour")

// ofLabel reports a label that is in the subject of its clause, of which something is said that is neither right nor wrong: "low is the last
// word for it", "calling it low misses the point".
func (r *reading) ofLabel(start, end int) bool {
	if end == len(r.tokens) || !r.sameClause(end, start) || r.rightness(end) != 0 {
		return false
	}
	first := r.clauseStart(start)
	if w := r.tokens[first].text; w == "what" || strings.HasSuffix(w, "ing") && first < start && r.tokens[first+1].word {
		return !english.FunctionWords[r.tokens[end].text] && !r.saysSo(first, start)
	}
	if indefinite[r.tokens[first].text] {
		first++
	}
	return first == start && (being[r.tokens[end].text] || maybe[r.tokens[end].text] || r.wordAt(end, "it") && r.wordAt(end+2, "not"))
}

// conditioned reports a word in a sentence that begins with a condition.
func (r *reading) conditioned(i int) bool {
	first := i
	for first > max(0, i-verdictReach) && r.tokens[first-1].sentence == r.tokens[i].sentence {
		first--
	}
	first = r.skipMarks(first)
	return r.wordAt(first, "if", "should", "unless", "once", "when", "had", "were") && r.tokens[first].clause != r.tokens[i].clause && !r.wordAt(first+1, "you", "i", "we", "so", "not")
}
