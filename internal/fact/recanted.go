package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// recanting are words that begin a sentence which takes back what was said before.
var recanting = english.Set("actually correction corrected update edit note important erratum wait no sorry longer " +
	"anymore more")

// recanted reports whether a later sentence takes the statement back.
func recanted(f *frame, p *english.Text, s statement) bool { return takenBackIn(f, p, s) >= 0 }

// takenBackIn returns the index of the later sentence that takes a statement back, or -1 if there is none. Such a
// sentence begins with a word like "Correction", and denies the fact or gives another amount: "Correction: the limit is
// 5 GB."
func takenBackIn(f *frame, p *english.Text, s statement) int32 {
	last := p.Sentence(len(p.Words) - 1)
	for n := p.Sentence(s.spots[len(s.spots)-1].from) + 1; n <= last; n++ {
		first, end := p.SentenceWords(n)
		if recanting[p.Words[first].Text] && takenBack(f, p, first, end) {
			return n
		}
	}
	return -1
}

// takenBack reports whether words[from:to] of an answer deny the fact, or give another amount, and say nothing else.
func takenBack(f *frame, p *english.Text, from, to int) (back bool) {
	for i := from; i < to; i++ {
		w := &p.Words[i]
		if w.Amount && w.Quantity == nil || recanting[w.Text] {
			continue
		}
		if q := w.Quantity; q != nil {
			rivals := func(t *term) bool { return t.amount != nil && t.amount.Rivals(*q) }
			back = back || slices.ContainsFunc(f.terms, rivals)
		} else if f.other(p, i) || p.Clauses[w.Clause].Supposed {
			return false
		}
		back = back || p.Denies(i) != (f.negative != 0) && (p.Content(i) || w.Denial)
	}
	return back
}
