package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// contraries are the words of a fact that an answer could turn round.
type contraries struct {
	turns  []turn
	names  []int      // terms that are proper names or acronyms
	slots  []slot     // its terms in their order, if two of them that change places turn it round
	lesser [][]string // phrases by which an answer says less
}

// turn is a word of a fact that has opposites, with the terms beside it; none is english.NoWord.
type turn struct {
	side
	term          int  // of the word itself
	before, after int  // terms
	directed      bool // it belongs to what stands behind it: must, before
}

// How far in words another word stands from those that it stands beside, and how much of a sentence is looked at.
const (
	besideReach = 3
	aroundReach = 24
)

// contrary returns what of the fact's own words an answer could turn round.
func contrary(f *frame) (c contraries) {
	p := f.text
	c.slots = exchangeable(f)
	own := func(phrase []string) bool { return holds(p, phrase) }
	if !slices.ContainsFunc(lesser, own) {
		c.lesser = lesser
	}
	for i := range p.Words {
		before, after := termBeside(f, i, -1), termBeside(f, i, 1)
		if before != english.NoWord || after != english.NoWord {
			c.turns = addTurns(f, c.turns, turn{term: f.of[i], before: before, after: after}, i)
		}
		if properName(f, i) {
			c.names = append(c.names, f.of[i])
		}
	}
	return c
}

// addTurns appends the opposites of the fact's word at i, with the terms beside it from t. A denied duty has none, since
// what one need not do, one may.
func addTurns(f *frame, turns []turn, t turn, i int) []turn {
	w := &f.text.Words[i]
	for _, s := range against[w.Stem] {
		if !(w.Is(english.IsDuty) && f.text.Denies(i)) && stands(f.text.Words, i, s.phrase) {
			t.side, t.directed = s, w.Is(english.IsFunction|english.IsDuty)
			turns = append(turns, t)
		}
	}
	return turns
}

// beside returns the next term in a direction, within the clause of the word at i if that has others; none is
// english.NoWord.
func termBeside(f *frame, i, step int) int {
	c := f.text.Clauses[f.text.Words[i].Clause]
	another := func(t int) bool { return t != english.NoWord && t != f.of[i] }
	alone := !slices.ContainsFunc(f.of[c.First:c.Last], another)
	for j := i + step; j >= 0 && j < len(f.of) && (alone || j >= c.First && j < c.Last); j += step {
		if another(f.of[j]) {
			return f.of[j]
		}
	}
	return english.NoWord
}

// properName reports whether a word of the fact is a name: it has a capital, and not only as the first of a sentence.
func properName(f *frame, i int) bool {
	p := f.text
	upper := func(i int) bool {
		return i < len(p.Words) && p.Upper(i) && f.of[i] != english.NoWord
	}
	starts := i == 0 || p.Sentence(i) != p.Sentence(i-1)
	return upper(i) && (!starts || p.Words[i].Capitals || upper(i+1))
}
