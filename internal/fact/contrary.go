package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// reversals holds what an answer could reverse in a fact.
type reversals struct {
	opposables []opposable
	slots      []slot // the fact's terms in order; nil if exchanging two of them may keep the meaning
	// the fact says that something is so or was done, not that something must, may or will be done
	isActual bool
	inPast   []bool // for each term, whether it is a verb in the past tense
}

// opposable is a word of a fact that has opposites.
type opposable struct {
	antonyms
	term     int  // of the word itself
	after    int  // the term after it, or english.NoWord
	directed bool // the word governs the term after it, as "must" and "before" do
}

// adjacentReach is the largest distance in words at which one word counts as beside another.
// nearbyReach is the number of words that are searched around a word.
const (
	adjacentReach = 3
	nearbyReach   = 24
)

// newReversals returns what an answer could reverse in the words of a fact.
func newReversals(f *frame) (c reversals) {
	p := f.text
	c.slots, c.inPast = exchangeableSlots(f), make([]bool, len(f.terms))
	maybe := false
	for i := range p.Words {
		w, after := &p.Words[i], nearestTerm(f, i, 1)
		if after != english.NoWord || nearestTerm(f, i, -1) != english.NoWord {
			c.opposables = addOpposables(f, c.opposables, opposable{term: f.termOf[i], after: after}, i)
		}
		maybe = maybe || w.Is(english.IsDuty|english.IsHedge) || modals[w.Text]
		if w.IsPastForm() && f.termOf[i] != english.NoWord && (i == 0 || !presentVerbs[p.Words[i-1].Text]) {
			c.inPast[f.termOf[i]], c.isActual = true, true
		}
		c.isActual = c.isActual || beForms[w.Text]
	}
	c.isActual = c.isActual && !maybe
	return c
}

// addOpposables appends a copy of t to opposables for each opposite of the fact's word at i. t has the terms of that
// word and after it. A denied duty has no opposite, because what need not be done may still be done.
func addOpposables(f *frame, opposables []opposable, t opposable, i int) []opposable {
	w := &f.text.Words[i]
	for _, s := range antonymsByStem[w.Stem] {
		if !(w.Is(english.IsDuty) && f.text.Denies(i)) && hasStemsAt(f.text.Words, i, s.phrase) {
			t.antonyms, t.directed = s, w.Is(english.IsFunction|english.IsDuty)
			opposables = append(opposables, t)
		}
	}
	return opposables
}

// nearestTerm returns the nearest other term after the word at i if step is 1, or before that word if step is -1. It
// searches only the word's clause if that clause has another term. It returns english.NoWord if it finds none.
func nearestTerm(f *frame, i, step int) int {
	c := f.text.Clauses[f.text.Words[i].Clause]
	another := func(t int) bool { return t != english.NoWord && t != f.termOf[i] }
	alone := !slices.ContainsFunc(f.termOf[c.First:c.Last], another)
	for j := i + step; j >= 0 && j < len(f.termOf) && (alone || j >= c.First && j < c.Last); j += step {
		if another(f.termOf[j]) {
			return f.termOf[j]
		}
	}
	return english.NoWord
}
