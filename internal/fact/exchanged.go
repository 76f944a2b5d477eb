package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// slot is a term in a sentence, with the place of its word, and the preposition before the word. A missing preposition
// is "".
type slot struct {
	term, at int
	led      string
}

var (
	being  = english.Set("is are was were be been being get gets got")
	titles = english.Set("dr mr mrs ms prof professor a an the any all their its his her our your only just both")
	leads  = english.Set(`in on at by for with from to within during under over through via about of into as against
		before after than onto towards behind above below`)
	directing = english.Set("to before after than onto towards behind above below")
	// mutual are words for relations that hold both ways, such as "married", and words of lists, such as "and".
	mutual = english.Set(`and or nor both either neither between with marry married divorce divorced meet meets met equal
		equals border borders differ differs resemble resembles same alike similar near next adjacent versus vs compete
		competes cooperate agree correspond neighbor neighbour sibling siblings`)
)

// exchangeable returns the terms of a fact in order. It returns nil if exchanging terms may keep the meaning, as in
// lists or with words such as "married".
func exchangeable(f *frame) (out []slot) {
	for i, t := range f.of {
		if mutual[f.text.Words[i].Text] {
			return nil
		}
		if t != english.NoWord && (len(out) == 0 || out[len(out)-1].term != t) {
			out = append(out, slot{t, i, ledBy(f.text, i)})
		}
	}
	return out
}

// ledBy returns the preposition before the word at i, or "" if there is none. Articles and titles may come between the
// two.
func ledBy(p *english.Text, i int) string {
	for i > 0 && !border(p, i) && titles[p.Words[i-1].Text] {
		i--
	}
	if i > 0 && !border(p, i) && leads[p.Words[i-1].Text] {
		return p.Words[i-1].Text
	}
	return ""
}

// exchanged reports whether a statement exchanges two parts of the fact and keeps the rest in place: "Weber sold the
// house to Tanaka", for "Tanaka sold the house to Weber". The meaning of the verb does not matter.
func exchanged(f *frame, p *english.Text, s statement) bool {
	said := make([]slot, 0, len(f.slots))
	for _, at := range s.spots {
		if n := len(said); n == 0 || said[n-1].term != at.term {
			said = append(said, slot{at.term, at.from, ledBy(p, at.from)})
		}
	}
	fact, said := shared(f.slots, said), shared(said, f.slots)
	if len(fact) != len(said) {
		return false
	}
	if n := len(fact) - 1; n > 0 && slices.EqualFunc(fact, said, sameTerm) && f.terms[fact[n].term].amount == nil &&
		(fact[n].led == "by") != (said[n].led == "by") {
		return true // "The nurse was informed by the doctor", of "The nurse informed the doctor"
	}
	for len(fact) > 0 && fact[0].term == said[0].term {
		fact, said = fact[1:], said[1:]
	}
	for n := len(fact) - 1; n >= 0 && fact[n].term == said[n].term; n-- {
		fact, said = fact[:n], said[:n]
	}
	return len(fact) > 1 && swapped(f, p, fact, said)
}

// shared returns the slots of a whose terms are also in b.
func shared(a, b []slot) []slot {
	return slices.DeleteFunc(slices.Clone(a), func(o slot) bool { return indexOf(b, o.term) < 0 })
}

func sameTerm(a, b slot) bool { return a.term == b.term }

func indexOf(in []slot, term int) int {
	return slices.IndexFunc(in, func(s slot) bool { return s.term == term })
}

// swapped reports whether the answer is the fact with its first and last terms exchanged. The term that comes last must
// follow the same preposition in both sentences. Between the exchanged terms, both sentences must have equally many
// forms of "to be".
func swapped(f *frame, p *english.Text, fact, answer []slot) bool {
	n := len(fact)
	a, b := n-indexOf(answer, fact[0].term), n-indexOf(fact, answer[0].term)
	if a+b > n {
		return false
	}
	turned := slices.Concat(fact[n-b:], fact[a:n-b], fact[:a])
	first, second := fact[n-b], answer[n-a]
	acts := beings(f.text, fact[0].at, first.at)
	return slices.EqualFunc(turned, answer, sameTerm) &&
		first.led == second.led && (a+b < n || directing[first.led]) &&
		acts == beings(p, answer[0].at, second.at) && (acts == 0 || first.led != "") // "A is B" is "B is A"
}

// beings counts the forms of "to be" and "to get" in the words from index from up to index to. Such a form makes the
// sentence passive, or a description.
func beings(p *english.Text, from, to int) (n int) {
	for _, w := range p.Words[from:to] {
		if being[w.Text] {
			n++
		}
	}
	return n
}
