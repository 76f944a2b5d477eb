package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// isFuture reports whether the fact states something as true or done, but the answer states it as future or only
// possible.
func isFuture(f *frame, p *english.Text, s statement) bool {
	if !f.isActual {
		return false
	}
	for _, at := range (&term{forms: pendingPhrases}).places(p) {
		reader := at.from > 0 && p.Words[at.from-1].Text == "you" || at.from > 1 && p.Words[at.from-2].Text == "you"
		c := p.Clauses[p.Words[at.from].Clause]
		inClause := func(m termMatch) bool { return m.from >= c.First && m.from < c.Last }
		if slices.ContainsFunc(s.matches, inClause) && !p.Denies(at.from) && !reader {
			return true
		}
	}
	return slices.ContainsFunc(s.matches, func(at termMatch) bool {
		first := max(p.Clauses[p.Words[at.from].Clause].First, at.from-adjacentReach)
		modal := func(w english.Word) bool { return modals[w.Text] }
		return f.inPast[at.term] && slices.ContainsFunc(p.Words[first:at.from], modal)
	})
}
