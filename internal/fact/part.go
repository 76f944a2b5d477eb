package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// partOnly reports whether a statement holds only for a part of the fact's subject: "only in the garden flat", "for the
// first month only", "every day except Sunday", or "most plans" where the fact speaks of all plans.
func partOnly(f *frame, p *english.Text, s statement) bool {
	if limited(f, p, s) || exempts(f, p, s) {
		return true
	}
	return slices.ContainsFunc(f.all, func(term int) bool {
		parts, wholes := 0, 0
		for _, at := range s.spots {
			switch {
			case at.term != term:
			case partOf(f, p, at.place):
				parts++
			default:
				wholes++
			}
		}
		return parts > 0 && wholes == 0
	})
}

// limited reports whether an "only" limits the statement to something that the fact does not mention.
func limited(f *frame, p *english.Text, s statement) bool {
	for _, stem := range limiting {
		for i := p.FirstOf(stem); i != english.NoWord && !f.limit; i = p.Next[i] {
			if inClause(s, p.Clauses[p.Words[i].Clause]) && limits(f, p, int(i)) {
				return true
			}
		}
	}
	return false
}

var leading = english.Set(`in on at by for with from to within during a an the any all their its his her our your if when
	where unless once after before`)

// limits reports whether the "only" at i limits its clause to something that the fact does not mention: to a word after
// a preposition ("only in winter"), to a word before a term ("only new members"), or to a condition. If the "only" ends
// its clause, the limiting word is the one before the "only".
func limits(f *frame, p *english.Text, i int) bool {
	next := p.Clauses[p.Words[i].Clause].Last
	if next < len(p.Words) && !border(p, next) && p.Clauses[p.Words[next].Clause].Supposed {
		return true // only paid if
	}
	k := i + 1
	for k < len(p.Words) && !p.Parted(k) && leading[p.Words[k].Text] {
		k++
	}
	if k == len(p.Words) || border(p, k) {
		return k == i+1 && i > 0 && !p.Parted(i) && otherThing(f, p, i-1)
	}
	led := slices.ContainsFunc(p.Words[i+1:k], func(w english.Word) bool { return !articles[w.Text] })
	return otherThing(f, p, k) && (led || has(f, p, k+1))
}

// otherThing reports whether the word at i is a content word that is neither an amount nor one of the fact's terms.
func otherThing(f *frame, p *english.Text, i int) bool { return !p.Words[i].Amount && f.other(p, i) }

// has reports whether the word at i is one of the fact's terms, with no mark before it.
func has(f *frame, p *english.Text, i int) bool {
	return !p.Parted(i) && slices.ContainsFunc(f.terms, func(t *term) bool { return t.standsAt(p, i) > 0 })
}

// exempts reports whether the sentence makes an exception that the fact does not make. If the fact is about all things
// of a kind, any exception counts: "every day except Sunday". Otherwise the exception must name a term of the fact:
// "everywhere except on the balcony".
func exempts(f *frame, p *english.Text, s statement) bool {
	_, end := p.SentenceWords(p.Sentence(s.spots[0].from))
	for i := s.spots[0].from; i < end && !f.limit; i++ {
		all := slices.ContainsFunc(p.Words[max(0, i-2):i], func(w english.Word) bool { return universal[w.Text] })
		but := p.Words[i].Text == "but" && !p.Parted(i) && all
		own := slices.ContainsFunc(besides(p, place{i, i + 1}, 1), func(k int) bool { return has(f, p, k) })
		if (but || excepting[p.Words[i].Text]) && (f.whole || own) {
			return true
		}
	}
	return false
}

// nearly reports whether a word such as "almost" stands right before the word at i.
func nearly(p *english.Text, i int) bool { return i > 0 && almost[p.Words[i-1].Text] }

// partOf reports whether the words before a term limit the term to a part of its things: "new employees", "most plans".
func partOf(f *frame, p *english.Text, at place) bool {
	part, first := false, max(p.Clauses[p.Words[at.from].Clause].First, at.from-aroundReach)
	for k := at.from - 1; k >= first && !border(p, k+1); k-- {
		w := &p.Words[k]
		switch {
		case universal[w.Text]:
			return nearly(p, k)
		case w.Text == "of" || w.Text == "the":
		case k+1 == at.from || p.Words[k+1].Text == "of" || p.Words[k+1].Text == "the":
			part = part || partial[w.Text] || otherThing(f, p, k) && !w.Past() && p.Words[k+1].Text != "of"
		}
	}
	return part
}
