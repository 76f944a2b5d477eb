package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// goesOn reports a label behind which its clause goes on.
func (r *reading) goesOn(from, end int) bool {
	return r.word(end) && r.tokens[end].clause == r.tokens[from].clause
}

// ownVoice reports a label that ends a clause in which the writer says that the thing in question is it: "this makes it low", "I go with
// low", "low it is".
func (r *reading) ownVoice(m *mention) bool {
	if r.wordAt(m.end, "it") && r.clauseStart(m.start) == m.start {
		return !r.wordAt(m.end+2, "not")
	}
	if r.goesOn(m.start, m.end) && (!heads[r.tokens[m.end].text] || r.goesOn(m.start, m.end+1)) {
		return false
	}
	i := r.clauseStart(m.start)
	for i < m.start && !voices[r.tokens[i].text] && (leads[r.tokens[i].text] || contrasts[r.tokens[i].text]) {
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
)

// saysSo reports a verb between two places by which a thing is what a label says.
func (r *reading) saysSo(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from:to], func(t token) bool { return being[t.text] || makes[t.text] })
}

// beside reports a label that is named in passing: not what its clause says of a thing.
func (r *reading) beside(m *mention) bool {
	return !r.ownVoice(m) && (r.goesOn(m.start, m.end) || !r.saysSo(r.clauseStart(m.start), m.start))
}
