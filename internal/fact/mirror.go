package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// slot is a term in a sentence, and the preposition that leads to it, or "".
type slot struct {
	term, at int // at: its word
	led      string
}

// mirrorable are the terms of a fact in their order; nil where what stands in them may change places: in
// lists, and with words that hold both ways.
func (w *wording) mirrorable(p *english.Text) (out []slot) {
	for i, t := range w.of {
		switch {
		case mutual[p.Words[i].Text], i > 0 && border(p, i):
			return nil
		case t == english.NoWord, determining[p.Words[i].Text], i > 0 && w.of[i-1] == t:
			continue
		}
		out = append(out, slot{t, i, ledBy(p, i)})
	}
	return out
}

var mutual = english.Set("and or nor both either neither between with marry married divorce divorced meet meets met equal equals border borders differ differs resemble resembles same " +
	"alike similar near next adjacent versus vs compete competes cooperate agree correspond neighbour neighbor sibling siblings")

// ledBy is the preposition before a word, its articles and titles.
func ledBy(p *english.Text, i int) string {
	k := skipBack(p, i, func(w english.Word) bool { return determining[w.Text] && !prepositions[w.Text] })
	if k > 0 && !border(p, k) && (prepositions[p.Words[k-1].Text] || directing[p.Words[k-1].Text]) {
		return p.Words[k-1].Text
	}
	return ""
}

var directing = english.Set("to before after than onto towards behind above below")

// partTerms is of how many terms a part may be that changes its place.
const partTerms = 3

// mirrored reports a statement that has two parts of the fact in each other's place, and all else of it where it was: "Weber sold the house to
// Tanaka", of "Tanaka sold the house to Weber". It needs to know no verb.
func (f *Fact) mirrored(p *english.Text, s statement) bool {
	said := make([]slot, 0, len(f.slots))
	for _, at := range s.spots {
		if at.denied {
			return false
		}
		if n := len(said); !determining[p.Words[at.from].Text] && (n == 0 || said[n-1].term != at.term) {
			said = append(said, slot{at.term, at.from, ledBy(p, at.from)})
		}
	}
	fact, said := shared(f.slots, said), shared(said, f.slots)
	if len(fact) != len(said) {
		return false
	}
	from, to := 0, len(fact)
	for from < to && fact[from].term == said[from].term {
		from++
	}
	for to > from && fact[to-1].term == said[to-1].term {
		to--
	}
	return to-from > 1 && f.swapped(p, fact[from:to], said[from:to])
}

// shared are the slots of one text that the other has as well.
func shared(own, other []slot) []slot {
	return slices.DeleteFunc(slices.Clone(own), func(o slot) bool { return indexOf(other, o.term) < 0 })
}

func indexOf(in []slot, term int) int {
	return slices.IndexFunc(in, func(s slot) bool { return s.term == term })
}

// swapped reports that the first terms of the fact and its last ones have changed places, are led to as those were that stood there, and that
// the words between are as active as they were.
func (f *Fact) swapped(p *english.Text, fact, said []slot) bool {
	n := len(fact)
	a, b := n-indexOf(said, fact[0].term), n-indexOf(fact, said[0].term)
	if a > partTerms || b > partTerms || a+b > n {
		return false
	}
	turned := slices.Concat(fact[n-b:], fact[a:n-b], fact[:a])
	first, second := fact[n-b], said[n-a]
	acts := beings(f.Text, fact[0].at, first.at)
	return slices.EqualFunc(turned, said, func(x, y slot) bool { return x.term == y.term }) && first.led == second.led && (a+b < n || directing[first.led]) &&
		acts == beings(p, said[0].at, second.at) && (acts == 0 || first.led != "") // what is something else is that in either order
}

// beings counts the words that make a passive, or of a name a description.
func beings(p *english.Text, from, to int) (n int) {
	for _, w := range p.Words[from:to] {
		if being[w.Text] {
			n++
		}
	}
	return n
}
