package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// check is one way in which a statement with enough of a fact's terms may contradict the fact or say less.
type check struct {
	name      string
	forClaims bool // applies to claims too, not only to facts
	applies   func(r *reading, s statement) bool
}

// checks are tried in order. `go test -run Carries -v` prints how often each decides on each data set.
var checks = []check{
	{"opposite", true, hasOpposite},
	{"rival word", false, hasRivalWord},
	{"exchanged", true, exchangesTerms},
	{"to come", true, isFuture},
	{"of a former thing", false, isOfFormer},
	{"part only", false, func(r *reading, s statement) bool { return isPartial(r, s.matches) }},
}

// contradicts reports whether a check finds that a statement contradicts the fact or says less.
func contradicts(r *reading, s statement) bool {
	return slices.ContainsFunc(checks, func(c check) bool { return (c.forClaims || r.strictness.strict) && c.applies(r, s) })
}

// adjacentReach is the largest distance in words at which one word counts as beside another.
// nearbyReach is the number of words that are searched around a word.
const (
	adjacentReach = 3
	nearbyReach   = 24
)

// isFuture reports whether the fact states something as true or done, but the answer states it as future or only
// possible.
func isFuture(r *reading, s statement) bool {
	if !r.isActual {
		return false
	}
	for _, at := range placesOfPhrases(r.p, pendingPhrases) {
		c := r.p.Words[at.from].Clause
		inClause := func(m termMatch) bool { return r.p.Words[m.from].Clause == c }
		reader := slices.ContainsFunc(wordsBefore(r.p, at.from), func(w english.Word) bool { return w.Text == "you" })
		if slices.ContainsFunc(s.matches, inClause) && !r.p.Denies(at.from) && !reader {
			return true
		}
	}
	return slices.ContainsFunc(s.matches, func(at termMatch) bool {
		return r.inPast[at.term] && slices.ContainsFunc(wordsBefore(r.p, at.from), isModal)
	})
}

func isModal(w english.Word) bool { return modals[w.Text] }

// wordsBefore returns the few words of its clause that are right before the word at i.
func wordsBefore(p *english.Text, i int) []english.Word {
	return p.Words[max(p.Clauses[p.Words[i].Clause].First, i-adjacentReach):i]
}

// isOfFormer reports whether the answer says the fact of another thing, such as "old price: 20 euros" for "the price is
// 20 euros". It is so if each word for the fact's subject stands behind a word such as "old", and the fact has no such
// word.
func isOfFormer(r *reading, s statement) bool {
	own := r.text.Words
	verb := slices.IndexFunc(own, func(w english.Word) bool { return presentVerbs[w.Text] })
	if verb < 0 {
		return false
	}
	saysValue := hasValueAt(r.frame, verb+1)
	isFormer := func(w english.Word) bool { return formerWords[w.Text] || saysValue && formerValueWords[w.Text] }
	found := false
	for _, at := range s.matches {
		if slices.Contains(r.termOf[:verb], at.term) {
			if found = slices.ContainsFunc(wordsBefore(r.p, at.from), isFormer); !found {
				return false
			}
		}
	}
	return found && !slices.ContainsFunc(own, isFormer)
}

// hasValueAt reports whether an amount, an address or a name begins at the word i of the fact, behind articles.
func hasValueAt(f *frame, i int) bool {
	for i < len(f.termOf) && articlesAndTitles[f.text.Words[i].Text] {
		i++
	}
	return i < len(f.termOf) && f.termOf[i] != english.NoWord && f.terms[f.termOf[i]].required
}
