package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// hasRivalAmount reports whether an answer gives another amount of the same kind in place of the fact's amount. The
// other amount must be in a phrase with the term that the fact's amount belongs to. No phrase with that term may have
// the fact's amount.
func hasRivalAmount(f *frame, p *english.Text, s statement) bool {
	for i, t := range f.terms {
		if t.amount == nil || s.terms&(1<<i) == 0 {
			continue
		}
		stands := func(k int) bool { return t.matchLength(p, k) > 0 }
		rivals := func(k int) bool {
			q := p.Words[k].Quantity
			return q != nil && t.amount.MayConflict(*q) && isAffirmed(f, p, k) && f.isOtherWord(p, q.LastWord)
		}
		if holder := amountTerm(f, i); inPhrases(f, p, s, holder, rivals) && !inPhrases(f, p, s, holder, stands) {
			return true
		}
	}
	return false
}

// amountTerm returns the term that an amount of the fact belongs to: the nearest other term before the amount.
func amountTerm(f *frame, term int) int {
	for i := slices.Index(f.termOf, term) - 1; i >= 0; i-- {
		if t := f.termOf[i]; t != english.NoWord && f.terms[t].amount == nil {
			return t
		}
	}
	return english.NoWord
}

// inPhrases reports whether accepts is true for a word in one of the statement's phrases that have the given term.
func inPhrases(f *frame, p *english.Text, s statement, term int, accepts func(i int) bool) bool {
	return slices.ContainsFunc(s.matches, func(at termMatch) bool {
		x := p.PhraseOf(at.from)
		for i := x.First; i < x.Last && at.term == term; i++ {
			if accepts(i) {
				return true
			}
		}
		return false
	})
}

// hasRivalWord reports whether the answer makes the fact's statement about something else. The main phrase of such an
// answer lacks a term of the fact. Either that term is in another phrase ("Trainees get 28 days. Employees get 25."),
// or another word takes its place. Another word counts only if the term is a name, or if the sentence later says
// something else about the term.
func hasRivalWord(f *frame, p *english.Text, s statement) bool {
	x, at := mainPhrase(f, p, s)
	for i, t := range f.terms {
		if at[i].to > 0 || lightVerbs[t.text] || t.amount != nil {
			continue
		}
		lacks := s.terms&(1<<i) == 0
		outside := func(at place) bool { return p.PhraseOf(at.from).First != x.First }
		if lacks && slices.ContainsFunc(f.termPlaces(p, i), outside) {
			return true
		}
		end := x.Last // of the words that may stand in place of the missing term: the place of the next term
		if k := slices.IndexFunc(at[i+1:], func(next place) bool { return next.to > 0 }); k >= 0 {
			end = at[i+1+k].from
		}
		behind := !lacks && hasLaterStatement(f, p, i, x, end == x.Last)
		for k := x.First; k < end; k++ {
			if isOtherThing(f, p, k) && (behind || lacks && slices.Contains(f.nameTerms, i)) {
				return true
			}
		}
	}
	return false
}

// hasLaterStatement reports whether a term is in a later phrase of the sentence that says something the fact does not:
// "invoices by post" after "Reminders are sent by email". A phrase that continues the phrase x with a word such as "it"
// or "which" does not count. If atEnd is set, the later phrase may only add to a list, so it must follow a semicolon.
func hasLaterStatement(f *frame, p *english.Text, term int, x english.Phrase, atEnd bool) bool {
	supposed := func(i int) bool { return p.Clauses[p.Words[i].Clause].Supposed }
	for _, at := range f.termPlaces(p, term) {
		y := p.PhraseOf(at.from)
		if supposed(x.First) || y.First < x.Last || p.SentenceOf(y.First) != p.SentenceOf(x.First) ||
			atEnd && p.MarkBefore(y.First) != ';' {
			continue
		}
		words := p.Words[y.First:y.Last]
		if slices.ContainsFunc(words, func(w english.Word) bool { return pronouns[w.Text] }) {
			continue
		}
		for k := range words {
			if f.isOtherWord(p, y.First+k) {
				return true
			}
		}
	}
	return false
}

// mainPhrase returns the phrase that has the most terms of the statement, and the place of each of the fact's terms in
// that phrase. The place of a term that the phrase lacks is zero.
func mainPhrase(f *frame, p *english.Text, s statement) (x english.Phrase, places []place) {
	most := 0
	for k := 0; k < len(s.matches); {
		y, n, in := p.PhraseOf(s.matches[k].from), 0, make([]place, len(f.terms))
		for ; k < len(s.matches) && s.matches[k].from < y.Last; k++ {
			if i := s.matches[k].term; in[i].to == 0 {
				in[i] = s.matches[k].place
				n++
			}
		}
		if n > most {
			x, places, most = y, in, n
		}
	}
	return x, places
}
