package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// oppositePlaces returns the places where an answer has the opposite of term i, such as "open" if the fact says
// "closed".
func (f *frame) oppositePlaces(p *english.Text, i int) (out []place) {
	for _, t := range f.opposables {
		if t.complementary && t.term == i {
			out = append(out, (&term{forms: t.opposites}).places(p)...)
		}
	}
	return out
}

// hasOpposite reports whether the answer contradicts a word of the fact. It does if the word's opposite is near more of
// the fact's terms than the word itself is.
func hasOpposite(f *frame, p *english.Text, _ statement) bool {
	return slices.ContainsFunc(f.opposables, func(t opposable) bool {
		return !t.complementary &&
			maxNearbyTerms(f, p, t, t.opposites, true) > maxNearbyTerms(f, p, t, t.synonyms, t.directed)
	})
}

// maxNearbyTerms returns the largest number of the fact's terms that the answer has near a single occurrence of one of
// the phrases. If fitting is set, an occurrence counts only if it has the same terms beside it as the fact's word.
func maxNearbyTerms(f *frame, p *english.Text, t opposable, phrases [][]string, fitting bool) (most int) {
	for _, at := range (&term{forms: phrases}).places(p) {
		if isAffirmed(f, p, at.from) && (!fitting || hasSameNeighbors(f, p, at, t)) {
			most = max(most, countNearbyTerms(f, p, at.from))
		}
	}
	return most
}

// countNearbyTerms returns the number of the fact's terms that are near the word at the given index, in the same
// sentence.
func countNearbyTerms(f *frame, p *english.Text, at int) (n int) {
	first, last := max(0, at-nearbyReach), min(len(p.Words), at+nearbyReach)
	for t := range f.terms {
		for j := first; j < last; j++ {
			if p.SentenceOf(j) == p.SentenceOf(at) && f.terms[t].matchLength(p, j) > 0 {
				n++
				break
			}
		}
	}
	return n
}

func isAffirmed(f *frame, p *english.Text, at int) bool {
	return !p.Denies(at) && p.FactualityOf(at, f.uses) != english.Unsaid && !(at > 0 && p.Words[at-1].Text == "not")
}

// hasSameNeighbors reports whether a place in the answer has the same terms next to it as the fact's word t.
func hasSameNeighbors(f *frame, p *english.Text, at place, t opposable) bool {
	c := p.Clauses[p.Words[at.from].Clause]
	between := func(from, to int) bool { // whether the term after t is there
		for i := from; i < to; i++ {
			if f.terms[t.after].matchLength(p, i) > 0 {
				return true
			}
		}
		return false
	}
	return t.after == english.NoWord || between(at.to, min(c.Last, at.to+nearbyReach)) ||
		!t.directed && between(max(c.First, at.from-nearbyReach), at.from)
}
