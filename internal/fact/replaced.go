package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// replaced reports that something else stands where the fact has a word that the statement lacks and the answer has elsewhere, that an
// amount of the fact belongs to something else than it does there, or that somebody else does what the fact tells of, or to something else.
func (f *Fact) replaced(p *english.Text, s statement) bool {
	for i, t := range f.terms {
		seen := s.terms&(1<<i) != 0
		switch {
		case seen && t.amount != nil && (f.otherAmount(p, s, i) || f.otherCount(p, s, i)):
			return true
		case t.light || !seen && !f.stands(p, i):
		case !seen && f.opposed(p, s, i):
			return true
		case f.otherPlace(p, s, i):
			return true
		case seen:
		case s.row, f.otherWord(p, s, i):
			return true
		}
	}
	return slices.ContainsFunc(f.acts, func(a act) bool { return f.miscast(p, a, s) }) || f.mirrored(p, s)
}

// opposed reports a term that the statement lacks and that the answer sets against it: "covers parts, but labour is billed", "parts are
// covered; labour isn't". What one should do before, or only when, is often put as what one should not.
func (f *Fact) opposed(p *english.Text, s statement, i int) bool {
	t := f.terms[i]
	for at := range f.places(p, i) {
		c := p.Clauses[p.Words[at.from].Clause]
		beside := slices.ContainsFunc(s.spots, func(o spot) bool { return o.from >= c.First && o.from < c.Last })
		if !beside && (p.Denies(at.from) && !t.negative && !t.either && !f.timed || contrasting[p.Words[c.First].Text] && c.First > s.spots[0].from) {
			return true
		}
	}
	return false
}

var contrasting = english.Set("but whereas while however yet although though unlike")

// stands reports a term that is somewhere in the answer, said or not.
func (f *Fact) stands(p *english.Text, i int) bool {
	for range f.places(p, i) {
		return true
	}
	return false
}

// otherWord reports a word right beside one of the statement's terms, where the fact has the term that it lacks.
func (f *Fact) otherWord(p *english.Text, s statement, term int) bool {
	return slices.ContainsFunc(s.spots, func(at spot) bool {
		first, next := skipBack(p, at.from, func(w english.Word) bool { return linking[w.Text] }), skip(p, at.to, linking)
		return slices.Contains(f.rows, [2]int{term, at.term}) && !border(p, first) && f.other(p, first-1) ||
			slices.Contains(f.rows, [2]int{at.term, term}) && next < len(p.Words) && f.other(p, next)
	})
}

// rowsOf are the pairs of terms that follow on each other in the fact, but for auxiliaries.
func rowsOf(p *english.Text, w wording) (out [][2]int) {
	for i := range p.Words {
		k := skip(p, i+1, linking)
		if w.of[i] != english.NoWord && k < len(p.Words) && w.of[k] != english.NoWord {
			out = append(out, [2]int{w.of[i], w.of[k]})
		}
	}
	return out
}

// linking are words between a subject and what is said of it.
var linking = english.Set("is are was were be been has have had will would can could may might must shall should does do did always also already now still")

// other reports a word with content that is none of the fact's.
func (w *wording) other(p *english.Text, i int) bool {
	return foreign(p, i) && !slices.ContainsFunc(w.terms, func(t *term) bool { return t.standsAt(p, i) > 0 })
}

// otherAmount reports an amount of the fact's kind where the fact has this one.
func (f *Fact) otherAmount(p *english.Text, s statement, term int) bool {
	stands := func(i int) bool { return f.terms[term].standsAt(p, i) > 0 }
	return f.rivalled(p, s, term, stands, func(i int) bool {
		q := p.Words[i].Quantity
		return q != nil && f.terms[term].amount.Rivals(*q) && f.affirmed(p, i) && f.other(p, q.Last)
	})
}

// otherCount reports a number that counts something else than in the fact, where that stands elsewhere: two cameras and a slot, of two slots.
func (f *Fact) otherCount(p *english.Text, s statement, term int) bool {
	k := slices.Index(f.of, term)
	for k < len(f.of) && f.of[k] == term {
		k++
	}
	if k == len(f.of) || f.of[k] == english.NoWord || !f.stands(p, f.of[k]) || slices.ContainsFunc(f.acts, func(a act) bool { return a.verb == f.of[k] }) {
		return false
	}
	wrong := false
	for _, at := range s.spots {
		if at.term != term {
			continue
		}
		if at.to == len(p.Words) || border(p, at.to) || !f.other(p, at.to) || f.has(p, place{at.to, min(at.to+besideReach, len(p.Words))}, 1<<f.of[k]) {
			return false
		}
		wrong = true
	}
	return wrong
}

// otherPlace reports another word behind the preposition that leads to a term in the fact: "in the train" for "in the park".
func (f *Fact) otherPlace(p *english.Text, s statement, term int) bool {
	to := f.led[term]
	leads := func(i int, to func(k int) bool) bool {
		end := min(len(p.Words), i+listReach)
		for i++; i < end && goesWith(p, i, f.led[term]); i++ {
			if to(i) {
				return true
			}
		}
		return false
	}
	return to != "" && f.rivalled(p, s, term, func(i int) bool {
		return p.Words[i].Text == to && leads(i, func(k int) bool { return f.terms[term].standsAt(p, k) > 0 })
	}, func(i int) bool {
		return p.Words[i].Text == to && leads(i, func(k int) bool { return f.other(p, k) })
	})
}

// goesWith reports a word at i behind a preposition that belongs to what that leads to, of which there may be several: "in Ireland, Germany and
// in the US".
func goesWith(p *english.Text, i int, led string) bool {
	w := p.Words[i]
	and := func(i int) bool { return p.Words[i].Text == "and" || p.Words[i].Text == "or" }
	switch between := p.Source[p.Words[i-1].End:w.Start]; {
	case p.Sentence(i) != p.Sentence(i-1), between != ", " && p.Parted(i):
		return false
	case and(i):
		return !p.Clauses[w.Clause].Inner
	case between == ", " && articles[w.Text]:
		return w.Text == "the"
	}
	return nominal(p, i) || w.Capitals || articles[w.Text] || (w.Text == led || w.Text == "other") && and(i-1)
}

// rivalled reports a rival of a term in the phrase of the one that the fact has it beside, and no phrase in which it stands there itself.
func (f *Fact) rivalled(p *english.Text, s statement, term int, stands, rival func(i int) bool) (found bool) {
	beside := f.holder(term)
	for _, at := range s.spots {
		if at.term != beside {
			continue
		}
		x := p.PhraseOf(at.from)
		if k := x.Last; k < len(p.Words) && p.Sentence(k) == p.Sentence(x.First) && causal[p.Words[k].Text] {
			x.Last = p.PhraseOf(k).Last
		}
		for i := x.First; i < x.Last; i++ {
			if stands(i) {
				return false
			}
			found = found || rival(i)
		}
	}
	return found
}

// causal words begin a reason.
var causal = english.Set("because due owing thanks")

// holder is the term before an amount of the fact, to which it belongs.
func (f *Fact) holder(term int) int {
	for i := slices.Index(f.of, term) - 1; i >= 0; i-- {
		if t := f.of[i]; t != english.NoWord && f.terms[t].amount == nil {
			return t
		}
	}
	return english.NoWord
}
