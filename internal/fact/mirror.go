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

// mirrorable are the terms of a fact in their order; nil where one stands there twice, or where what stands in them may change places: in
// lists, and with words that hold both ways.
func (w *wording) mirrorable(p *english.Text) (out []slot) {
	seen := uint64(0)
	for i, t := range w.of {
		if mutual[p.Words[i].Text] || mutual[p.Words[i].Stem] || i > 0 && border(p, i) {
			return nil
		}
		if t == english.NoWord || determining[p.Words[i].Text] || len(out) > 0 && out[len(out)-1].term == t {
			continue
		}
		if seen&(1<<t) != 0 {
			return nil
		}
		seen |= 1 << t
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

// mirrored reports a statement that has two parts of the fact in each other's place, and all else of it where it was: "Weber sold the house to
// Tanaka", of "Tanaka sold the house to Weber". It needs to know no verb.
func (f *Fact) mirrored(p *english.Text, s statement) bool {
	fact, said := f.slots, make([]slot, 0, len(f.slots))
	for _, at := range s.spots {
		if n := len(said); determining[p.Words[at.from].Text] || n > 0 && said[n-1].term == at.term {
			continue
		}
		if slices.ContainsFunc(said, func(o slot) bool { return o.term == at.term }) || at.denied {
			return false
		}
		said = append(said, slot{at.term, at.from, ledBy(p, at.from)})
	}
	fact, said = shared(fact, said), shared(said, fact)
	from, to := 0, len(fact)
	for from < to && fact[from].term == said[from].term {
		from++
	}
	for to > from && fact[to-1].term == said[to-1].term {
		to--
	}
	fact, said = fact[from:to], said[from:to]
	for a := 1; a <= partTerms && a < len(fact); a++ {
		for b := 1; b <= partTerms && a+b <= len(fact); b++ {
			if f.swapped(p, fact, said, a, b) {
				return true
			}
		}
	}
	return false
}

// partTerms is of how many terms a part may be that changes its place.
const partTerms = 3

// shared are the slots of one text that the other has as well.
func shared(own, other []slot) []slot {
	return slices.DeleteFunc(slices.Clone(own), func(o slot) bool {
		return !slices.ContainsFunc(other, func(x slot) bool { return x.term == o.term })
	})
}

// swapped reports that the first a terms of the fact and its last b have changed places, are led to as those were that stood there, and
// that the words between are as active as they were.
func (f *Fact) swapped(p *english.Text, fact, said []slot, a, b int) bool {
	n, same := len(fact), func(x, y slot) bool { return x.term == y.term }
	second, now := fact[n-b], said[n-a]
	acts := beings(f.Text, fact[0].at, second.at)
	if acts != beings(p, said[0].at, now.at) || acts > 0 && second.led == "" { // what is something else is that in either order
		return false
	}
	return slices.EqualFunc(fact[:a], said[n-a:], same) && slices.EqualFunc(fact[n-b:], said[:b], same) && slices.EqualFunc(fact[a:n-b], said[b:n-a], same) &&
		second.led == now.led && (a+b < n || directing[second.led])
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
