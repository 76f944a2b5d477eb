package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// hasRivalWord reports whether the answer makes the fact's statement about something else. The main phrase of such an
// answer lacks a term of the fact. Either that term is in another phrase ("Trainees get 28 days. Employees get 25."),
// or another word takes its place, and the sentence later says something else about the term.
func hasRivalWord(f *frame, p *english.Text, s statement) bool {
	x, at := mainPhrase(f, p, s)
	for i, t := range f.terms {
		if at[i].to > 0 || lightVerbs[t.text] || t.amount != nil {
			continue
		}
		if s.terms&(1<<i) == 0 {
			if slices.ContainsFunc(f.termPlaces(p, i), func(at place) bool { return p.PhraseOf(at.from).First != x.First }) {
				return true
			}
			continue
		}
		end := x.Last // of the words that may stand in place of the missing term: the place of the next term
		if k := slices.IndexFunc(at[i+1:], func(next place) bool { return next.to > 0 }); k >= 0 {
			end = at[i+1+k].from
		}
		if hasOtherWord(f, p, x.First, end) && hasLaterStatement(f, p, i, x, end == x.Last) {
			return true
		}
	}
	return false
}

// hasLaterStatement reports whether a term is in a later phrase of the sentence that says something the fact does not:
// "invoices by post" after "Reminders are sent by email". A phrase that continues the phrase x with a word such as "it"
// or "which" does not count. If atEnd is set, the later phrase may only add to a list, so it must follow a semicolon.
func hasLaterStatement(f *frame, p *english.Text, term int, x english.Phrase, atEnd bool) bool {
	for _, at := range f.termPlaces(p, term) {
		y := p.PhraseOf(at.from)
		if p.Clauses[p.Words[x.First].Clause].Supposed || y.First < x.Last || p.SentenceOf(y.First) != p.SentenceOf(x.First) ||
			atEnd && p.MarkBefore(y.First) != ';' {
			continue
		}
		words := p.Words[y.First:y.Last]
		if slices.ContainsFunc(words, func(w english.Word) bool { return pronouns[w.Text] }) {
			continue
		}
		if hasOtherWord(f, p, y.First, y.Last) {
			return true
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

// hasOtherWord reports whether one of the words from index from up to index to is a content word that is none of the
// fact's terms.
func hasOtherWord(f *frame, p *english.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if isContentWord(p, i) && !slices.ContainsFunc(f.terms, func(t *term) bool { return t.matchLength(p, i) > 0 }) {
			return true
		}
	}
	return false
}
