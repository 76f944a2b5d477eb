package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// isPartial reports whether a statement holds only for a part of the fact's subject: "only in the garden flat", "for
// the first month only", "every day except Sunday", or "most plans" where the fact speaks of all plans.
func isPartial(f *frame, p *english.Text, s statement) bool {
	if hasLimit(f, p, s) || hasException(f, p, s) {
		return true
	}
	return slices.ContainsFunc(f.universalTerms, func(term int) bool {
		parts, wholes := 0, 0
		for _, at := range s.matches {
			switch {
			case at.term != term:
			case isPartOf(f, p, at.place):
				parts++
			default:
				wholes++
			}
		}
		return parts > 0 && wholes == 0
	})
}

// hasLimit reports whether an "only" limits the statement to something that the fact does not mention.
func hasLimit(f *frame, p *english.Text, s statement) bool {
	for _, stem := range limitingStems {
		for i := p.FirstOf(stem); i != english.NoWord && !f.isLimited; i = p.Next[i] {
			if inClause(s, p.Clauses[p.Words[i].Clause]) && limitsClause(f, p, int(i)) {
				return true
			}
		}
	}
	return false
}

// limitsClause reports whether the "only" at i limits its clause to something that the fact does not mention: to a word
// after a preposition ("only in winter"), to a word before a term ("only new members"), or to a condition. If the
// "only" ends its clause, the limiting word is the one before the "only".
func limitsClause(f *frame, p *english.Text, i int) bool {
	next := p.Clauses[p.Words[i].Clause].Last
	if next < len(p.Words) && !isBoundary(p, next) && p.Clauses[p.Words[next].Clause].Supposed {
		return true // only paid if
	}
	k := i + 1
	for k < len(p.Words) && !p.HasMarkBefore(k) && leadingWords[p.Words[k].Text] {
		k++
	}
	if k == len(p.Words) || isBoundary(p, k) {
		return k == i+1 && i > 0 && !p.HasMarkBefore(i) && isOtherThing(f, p, i-1)
	}
	led := slices.ContainsFunc(p.Words[i+1:k], func(w english.Word) bool { return !articles[w.Text] })
	return isOtherThing(f, p, k) && (led || isTermAt(f, p, k+1))
}

// isOtherThing reports whether the word at i is a content word that is neither an amount nor one of the fact's terms.
func isOtherThing(f *frame, p *english.Text, i int) bool {
	return !p.Words[i].InAmount && f.isOtherWord(p, i)
}

// isTermAt reports whether the word at i is one of the fact's terms, with no mark before it.
func isTermAt(f *frame, p *english.Text, i int) bool {
	return !p.HasMarkBefore(i) && slices.ContainsFunc(f.terms, func(t *term) bool { return t.matchLength(p, i) > 0 })
}

// hasException reports whether the sentence makes an exception that the fact does not make. If the fact is about all
// things of a kind, any exception counts: "every day except Sunday". Otherwise the exception must name a term of the
// fact: "everywhere except on the balcony".
func hasException(f *frame, p *english.Text, s statement) bool {
	_, end := p.SentenceWords(p.SentenceOf(s.matches[0].from))
	for i := s.matches[0].from; i < end && !f.isLimited; i++ {
		all := slices.ContainsFunc(p.Words[max(0, i-2):i], func(w english.Word) bool { return universalWords[w.Text] })
		but := p.Words[i].Text == "but" && !p.HasMarkBefore(i) && all
		own := slices.ContainsFunc(adjacentWords(p, place{i, i + 1}, 1), func(k int) bool { return isTermAt(f, p, k) })
		if (but || exceptionWords[p.Words[i].Text]) && (f.isUniversal || own) {
			return true
		}
	}
	return false
}

// followsAlmost reports whether a word such as "almost" stands right before the word at i.
func followsAlmost(p *english.Text, i int) bool { return i > 0 && almostWords[p.Words[i-1].Text] }

// isPartOf reports whether the words before a term limit the term to a part of its things: "new employees", "most
// plans".
func isPartOf(f *frame, p *english.Text, at place) bool {
	part, first := false, max(p.Clauses[p.Words[at.from].Clause].First, at.from-nearbyReach)
	for k := at.from - 1; k >= first && !isBoundary(p, k+1); k-- {
		w := &p.Words[k]
		switch {
		case universalWords[w.Text]:
			return followsAlmost(p, k)
		case w.Text == "of" || w.Text == "the":
		case k+1 == at.from || p.Words[k+1].Text == "of" || p.Words[k+1].Text == "the":
			part = part || partialWords[w.Text] || isOtherThing(f, p, k) && !w.IsPastForm() && p.Words[k+1].Text != "of"
		}
	}
	return part
}
