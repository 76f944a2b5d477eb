package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// retractionWords are words that begin a sentence which takes back what was said before.
var retractionWords = english.Set("actually correction corrected update edit note important erratum wait no sorry longer " +
	"anymore more")

// isRetracted reports whether a later sentence takes the statement back.
func isRetracted(f *frame, p *english.Text, s statement) bool {
	return retractionSentence(f, p, s) >= 0
}

// retractionSentence returns the index of the later sentence that takes a statement back, or -1 if there is none. Such
// a sentence begins with a word like "Correction", and denies the fact or gives another amount: "Correction: the limit
// is 5 GB."
func retractionSentence(f *frame, p *english.Text, s statement) int32 {
	last := p.SentenceOf(len(p.Words) - 1)
	for n := p.SentenceOf(s.matches[len(s.matches)-1].from) + 1; n <= last; n++ {
		first, end := p.SentenceWords(n)
		if retractionWords[p.Words[first].Text] && retracts(f, p, first, end) {
			return n
		}
	}
	return -1
}

// retracts reports whether words[from:to] of an answer deny the fact, or give another amount, and say nothing else.
func retracts(f *frame, p *english.Text, from, to int) (back bool) {
	for i := from; i < to; i++ {
		w := &p.Words[i]
		if w.InAmount && w.Quantity == nil || retractionWords[w.Text] {
			continue
		}
		if q := w.Quantity; q != nil {
			rivals := func(t *term) bool { return t.amount != nil && t.amount.MayConflict(*q) }
			back = back || slices.ContainsFunc(f.terms, rivals)
		} else if f.isOtherWord(p, i) || p.Clauses[w.Clause].Supposed {
			return false
		}
		back = back || p.Denies(i) != (f.negative != 0) && (p.IsContent(i) || w.IsDenial)
	}
	return back
}
