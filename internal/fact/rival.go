package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// hasRivalWord reports whether the answer makes the fact's statement about something else. The main phrase of such an
// answer lacks a term of the fact. Either that term is in another phrase ("Trainees get 28 days. Employees get 25."),
// or another word takes its place, and the sentence later says something else about the term.
func hasRivalWord(r *reading, s statement) bool {
	x, at := mainPhrase(r, s)
	for i, t := range r.terms {
		if at[i].to > 0 || t.amount != nil {
			continue
		}
		if !s.terms.has(i) {
			if slices.ContainsFunc(r.places[i], func(at place) bool { return r.p.PhraseOf(at.from).First != x.First }) {
				return true
			}
			continue
		}
		end := x.Last // of the words that may stand in place of the missing term: the place of the next term
		if k := slices.IndexFunc(at[i+1:], func(next place) bool { return next.to > 0 }); k >= 0 {
			end = at[i+1+k].from
		}
		if r.hasOtherWord(x.First, end) && hasLaterStatement(r, i, x, end == x.Last) {
			return true
		}
	}
	return false
}

// hasLaterStatement reports whether a term is in a later phrase of the sentence that says something the fact does not:
// "invoices by post" after "Reminders are sent by email". A phrase that continues the phrase x with a word such as "it"
// or "which" does not count. If atEnd is set, the later phrase may only add to a list, so it must follow a semicolon.
func hasLaterStatement(r *reading, term int, x english.Phrase, atEnd bool) bool {
	return slices.ContainsFunc(r.places[term], func(at place) bool {
		y := r.p.PhraseOf(at.from)
		return y.First >= x.Last && r.p.SentenceOf(y.First) == r.p.SentenceOf(x.First) &&
			(!atEnd || r.p.MarkBefore(y.First) == ';') && r.hasOtherWord(y.First, y.Last) &&
			!slices.ContainsFunc(r.p.Words[y.First:y.Last], func(w english.Word) bool { return pronouns[w.Text] })
	})
}

// mainPhrase returns the phrase that has the most terms of the statement, and the place of each of the fact's terms in
// that phrase. The place of a term that the phrase lacks is zero.
func mainPhrase(r *reading, s statement) (x english.Phrase, places []place) {
	var most termSet
	for k := 0; k < len(s.matches); {
		y, found, in := r.p.PhraseOf(s.matches[k].from), termSet(0), make([]place, len(r.terms))
		for ; k < len(s.matches) && s.matches[k].from < y.Last; k++ {
			if i := s.matches[k].term; !found.has(i) {
				in[i], found = s.matches[k].place, found|1<<i
			}
		}
		if found.size() > most.size() {
			x, places, most = y, in, found
		}
	}
	return x, places
}
