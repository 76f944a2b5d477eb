package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// inClause reports whether one of a statement's matches is in a clause.
func inClause(s statement, c english.Clause) bool {
	return slices.ContainsFunc(s.matches, func(at termMatch) bool { return at.from >= c.First && at.from < c.Last })
}

// isConditional reports whether a statement's sentence has a condition about something else: "If the reform is passed,
// …". Only a condition whose second word is "the" counts, so that "if you cancel" does not.
func isConditional(f *frame, p *english.Text, s statement) bool {
	first, last := p.SentenceWords(p.SentenceOf(s.matches[0].from))
	return slices.ContainsFunc(p.Clauses[p.Words[first].Clause:p.Words[last-1].Clause+1], func(c english.Clause) bool {
		return c.Supposed && c.First+1 < c.Last && p.Words[c.First+1].Text == "the" && !inClause(s, c)
	})
}

// isFuture reports whether the fact states something as true or done, but the answer states it as future or only
// possible.
func isFuture(f *frame, p *english.Text, s statement) bool {
	if !f.isActual {
		return false
	}
	for _, at := range (&term{forms: pendingPhrases}).places(p) {
		reader := at.from > 0 && p.Words[at.from-1].Text == "you" || at.from > 1 && p.Words[at.from-2].Text == "you"
		if c := p.Clauses[p.Words[at.from].Clause]; inClause(s, c) && !p.Denies(at.from) && !reader {
			return true
		}
	}
	return slices.ContainsFunc(s.matches, func(at termMatch) bool {
		first := max(p.Clauses[p.Words[at.from].Clause].First, at.from-adjacentReach)
		modal := func(w english.Word) bool { return modals[w.Text] }
		return f.inPast[at.term] && slices.ContainsFunc(p.Words[first:at.from], modal)
	})
}
