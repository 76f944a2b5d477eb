package fact

import (
	"iter"
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// turnedClauses returns the clauses of an answer that have the opposite of a term, such as "open" if the fact says
// "closed", or the opposite bound of an amount. In such a clause, a denial states the term, and a plain statement
// denies the term.
func turnedClauses(f *frame, p *english.Text) map[int32]bool {
	turned := map[int32]bool{}
	for i := range f.terms {
		for at := range f.others(p, i) {
			turned[p.Words[at.from].Clause] = true
		}
	}
	return turned
}

// others yields the places where an answer has the opposite of term i, such as "open" if the fact says "closed". It
// also yields the places where the answer denies the opposite bound of the term's amount, such as "not above 25" if the
// fact says "below 25".
func (f *frame) others(p *english.Text, i int) iter.Seq[place] {
	return func(yield func(place) bool) {
		if t := f.terms[i]; t.bounded() && !each(p, t.beyondAt, yield) {
			return
		}
		for _, t := range f.turns {
			if t.whole && t.term == i && !(&term{forms: t.other}).all(p, yield) {
				return
			}
		}
	}
}

// opposite reports whether the answer contradicts a word of the fact. It does if the word's opposite is near more of
// the fact's terms than the word itself is.
func opposite(f *frame, p *english.Text, _ statement) bool {
	return slices.ContainsFunc(f.turns, func(t turn) bool {
		return !t.whole && most(f, p, t, t.other, true) > most(f, p, t, t.own, t.directed)
	})
}

// most returns the largest number of the fact's terms that the answer has near a single occurrence of one of the
// phrases. If fitting is set, an occurrence counts only if it has the same terms beside it as the fact's word.
func most(f *frame, p *english.Text, t turn, phrases [][]string, fitting bool) (most int) {
	for at := range (&term{forms: phrases}).find(p) {
		if affirmed(f, p, at.from) && (!fitting || fits(f, p, at, t)) {
			most = max(most, around(f, p, at.from))
		}
	}
	return most
}

// around returns the number of the fact's terms that are near the word at the given index, in the same sentence.
func around(f *frame, p *english.Text, at int) (n int) {
	first, last := max(0, at-aroundReach), min(len(p.Words), at+aroundReach)
	for t := range f.terms {
		for j := first; j < last; j++ {
			if p.Sentence(j) == p.Sentence(at) && f.terms[t].standsAt(p, j) > 0 {
				n++
				break
			}
		}
	}
	return n
}

func affirmed(f *frame, p *english.Text, at int) bool {
	return !p.Denies(at) && p.Standing(at, f.meant) != english.Unsaid && !(at > 0 && p.Words[at-1].Text == "not")
}

// fits reports whether a place in the answer has the same terms next to it as the fact's word t.
func fits(f *frame, p *english.Text, at place, t turn) bool {
	beside := func(term, step int) bool {
		return slices.ContainsFunc(besides(p, at, step), func(i int) bool { return f.terms[term].standsAt(p, i) > 0 })
	}
	return t.after == english.NoWord || beside(t.after, 1) || !t.directed && beside(t.after, -1)
}

// besides returns the indices of the words next to a place, in its clause and up to the third content word. They come
// after the place if step is 1, or before it if step is -1.
func besides(p *english.Text, at place, step int) (out []int) {
	c, j := p.Clauses[p.Words[at.from].Clause], at.to
	if step < 0 {
		j = at.from - 1
	}
	for reach := besideReach; reach > 0 && j >= c.First && j < c.Last; j += step {
		out = append(out, j)
		if p.Content(j) {
			reach--
		}
	}
	return out
}
