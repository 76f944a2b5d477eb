package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// slot is a term in a sentence, with the place of its word, and the preposition before the word. A missing preposition
// is "".
type slot struct {
	term, word  int
	preposition string
}

// exchangeableSlots returns the terms of a fact in order. It returns nil if exchanging terms may keep the meaning, as
// in lists or with words such as "married".
func exchangeableSlots(f *frame) (out []slot) {
	for i, t := range f.termOf {
		if symmetricWords[f.text.Words[i].Text] {
			return nil
		}
		if t != english.NoWord && (len(out) == 0 || out[len(out)-1].term != t) {
			out = append(out, slot{t, i, prepositionBefore(f.text, i)})
		}
	}
	return out
}

// prepositionBefore returns the preposition before the word at i, or "" if there is none. Articles and titles may come
// between the two.
func prepositionBefore(p *english.Text, i int) string {
	for i > 0 && !isBoundary(p, i) && articlesAndTitles[p.Words[i-1].Text] {
		i--
	}
	if i > 0 && !isBoundary(p, i) && prepositions[p.Words[i-1].Text] {
		return p.Words[i-1].Text
	}
	return ""
}

// exchangesTerms reports whether a statement exchanges two terms of the fact and keeps the rest in place: "Weber sold
// the house to Tanaka", for "Tanaka sold the house to Weber". The meaning of the verb does not matter.
func exchangesTerms(r *reading, s statement) bool {
	p, said := r.p, make([]slot, 0, len(r.slots))
	for _, at := range s.matches {
		if n := len(said); n == 0 || said[n-1].term != at.term {
			said = append(said, slot{at.term, at.from, prepositionBefore(p, at.from)})
		}
	}
	fact := slices.DeleteFunc(slices.Clone(r.slots), func(o slot) bool { return indexOf(said, o.term) < 0 })
	if len(fact) != len(said) {
		return false
	}
	if n := len(fact) - 1; n > 0 && slices.EqualFunc(fact, said, sameTerm) && r.terms[fact[n].term].amount == nil &&
		(fact[n].preposition == "by") != (said[n].preposition == "by") {
		return true // "The nurse was informed by the doctor", of "The nurse informed the doctor"
	}
	for len(fact) > 0 && fact[0].term == said[0].term {
		fact, said = fact[1:], said[1:]
	}
	for n := len(fact) - 1; n >= 0 && fact[n].term == said[n].term; n-- {
		fact, said = fact[:n], said[:n]
	}
	symmetric := func(at termMatch) bool { return symmetricWords[p.Words[at.to-1].Text] } // support comes with the plan
	return len(fact) > 1 && !slices.ContainsFunc(s.matches, symmetric) && isSwapped(r, fact, said)
}

func sameTerm(a, b slot) bool { return a.term == b.term }

func indexOf(in []slot, term int) int {
	return slices.IndexFunc(in, func(s slot) bool { return s.term == term })
}

// isSwapped reports whether the answer is the fact with its first and last terms swapped. The term that comes last must
// follow the same preposition in both sentences. Between the swapped terms, both sentences must have equally many forms
// of "to be".
func isSwapped(r *reading, fact, answer []slot) bool {
	n := len(fact)
	i, j := indexOf(fact, answer[0].term), indexOf(answer, fact[0].term)
	if i+j < n {
		return false
	}
	first, last := fact[i], answer[j]
	acts := countBeForms(r.text, fact[0].word, first.word)
	return first.preposition == last.preposition && (i+j > n || directionPrepositions[first.preposition]) &&
		// "A is B" is "B is A"
		acts == countBeForms(r.p, answer[0].word, last.word) && (acts == 0 || first.preposition != "")
}

// countBeForms counts the forms of "to be" and "to get" in the words from index from up to index to. Such a form makes
// the sentence passive, or a description.
func countBeForms(p *english.Text, from, to int) (n int) {
	for _, w := range p.Words[from:to] {
		if beForms[w.Text] {
			n++
		}
	}
	return n
}
