package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// rivalAmount reports whether another amount of the same kind stands in place of the fact's amount. The other amount is
// in a phrase with the term that the fact's amount belongs to, and no such phrase has the fact's amount.
func rivalAmount(f *frame, p *english.Text, s statement) bool {
	for i, t := range f.terms {
		if t.amount == nil || s.terms&(1<<i) == 0 {
			continue
		}
		stands := func(k int) bool { return t.standsAt(p, k) > 0 }
		rivals := func(k int) bool {
			q := p.Words[k].Quantity
			return q != nil && t.amount.Rivals(*q) && affirmed(f, p, k) && f.other(p, q.Last)
		}
		if holder := holder(f, i); inPhrases(f, p, s, holder, rivals) && !inPhrases(f, p, s, holder, stands) {
			return true
		}
	}
	return false
}

// holder returns the term that an amount of the fact belongs to: the nearest other term before the amount.
func holder(f *frame, term int) int {
	for i := slices.Index(f.of, term) - 1; i >= 0; i-- {
		if t := f.of[i]; t != english.NoWord && f.terms[t].amount == nil {
			return t
		}
	}
	return english.NoWord
}

// inPhrases looks at the statement's phrases that have a certain term. It reports whether a word in one of these
// phrases passes a test.
func inPhrases(f *frame, p *english.Text, s statement, term int, is func(i int) bool) bool {
	return slices.ContainsFunc(s.spots, func(at spot) bool {
		x := p.PhraseOf(at.from)
		for i := x.First; i < x.Last && at.term == term; i++ {
			if is(i) {
				return true
			}
		}
		return false
	})
}

// rivalWord reports whether the answer says the fact of something else. Then its phrase lacks a term that stands
// elsewhere ("Trainees get 28 days. Employees get 25."), or another word has the place of the term. The latter counts
// if both are names, or if something else is said of the term later in the sentence.
func rivalWord(f *frame, p *english.Text, s statement) bool {
	x, at := mainPhrase(f, p, s)
	if len(at) == 0 {
		return false
	}
	for i, t := range f.terms {
		if at[i].to > 0 || lightVerbs[t.text] || t.amount != nil {
			continue
		}
		lacks := s.terms&(1<<i) == 0
		if lacks && standsApart(f, p, i, x) {
			return true
		}
		from, to := gap(i, at, x)
		behind := !lacks && standsBehind(f, p, i, x, to == x.Last)
		for ; from < to; from++ {
			if otherThing(f, p, from) && (behind || lacks && hasName(f, i) && isName(p, from)) {
				return true
			}
		}
	}
	return false
}

// standsBehind reports whether a term is in a later phrase of the sentence that says something the fact does not:
// "invoices by post" behind "Reminders are sent by email". A later phrase that continues the first one, as by "it" or
// "which", does not count. Nor does a phrase that may only add to a list.
func standsBehind(f *frame, p *english.Text, term int, x english.Phrase, atEnd bool) bool {
	supposed := func(i int) bool { return p.Clauses[p.Words[i].Clause].Supposed }
	for at := range f.places(p, term) {
		y := p.PhraseOf(at.from)
		if supposed(x.First) || y.First < x.Last || p.Sentence(y.First) != p.Sentence(x.First) ||
			atEnd && p.MarkBefore(y.First) != ';' {
			continue
		}
		words := p.Words[y.First:y.Last]
		if slices.ContainsFunc(words, func(w english.Word) bool { return takingUp[w.Text] }) {
			continue
		}
		for k := range words {
			if f.other(p, y.First+k) {
				return true
			}
		}
	}
	return false
}

var takingUp = english.Set("it its they them their this that these those which who whom whose where then")

// mainPhrase returns the phrase that has the most terms of the statement. places has the place of each of the fact's
// terms in that phrase; the zero place for a term that the phrase lacks.
func mainPhrase(f *frame, p *english.Text, s statement) (x english.Phrase, places []place) {
	most := 0
	for k := 0; k < len(s.spots); {
		y, n, in := p.PhraseOf(s.spots[k].from), 0, make([]place, len(f.terms))
		for ; k < len(s.spots) && s.spots[k].from < y.Last; k++ {
			if i := s.spots[k].term; in[i].to == 0 {
				in[i] = s.spots[k].place
				n++
			}
		}
		if n > most {
			x, places, most = y, in, n
		}
	}
	return x, places
}

// gap returns the range of words that a phrase has in place of a missing term, between the neighbours of that term. The
// range is empty if the phrase has the neighbours in reverse order.
func gap(term int, at []place, x english.Phrase) (from, to int) {
	from, to = x.First, x.Last
	for i := term - 1; i >= 0; i-- {
		if at[i].to > 0 {
			from = at[i].to
			break
		}
	}
	for i := term + 1; i < len(at); i++ {
		if at[i].to > 0 {
			to = at[i].from
			break
		}
	}
	return from, to
}

// standsApart reports whether the answer has a term outside of a phrase, said or not.
func standsApart(f *frame, p *english.Text, term int, x english.Phrase) bool {
	for at := range f.places(p, term) {
		if p.PhraseOf(at.from).First != x.First {
			return true
		}
	}
	return false
}

// hasName reports whether a term is a proper name or an acronym of the fact.
func hasName(f *frame, term int) bool {
	return slices.ContainsFunc(f.names, func(n int) bool { return n == term })
}

// isName reports whether the word at i has a capital. A word that begins a clause must also be a possessive: Globex's
// CEO.
func isName(p *english.Text, i int) bool {
	text := p.Source[p.Words[i].Start:p.Words[i].End]
	begins := i == p.Clauses[p.Words[i].Clause].First
	return strings.ToLower(text) != text && (!begins || strings.HasSuffix(text, "'s"))
}
