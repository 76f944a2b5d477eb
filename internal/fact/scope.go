package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// scope is of what a fact speaks: of all there are, or only of some.
type scope struct {
	all   []int // terms of which it speaks as of all: every employee
	whole bool  // it holds of all, or always
	limit bool  // it says itself that it holds only of some
}

var (
	universal = english.Set("all every each any everybody everyone both always daily")
	partial   = english.Set("some many most few several certain selected either neither one")
	almost    = english.Set("almost nearly virtually practically not")
	excepting = english.Set("except excluding unless")
	limiting  = []string{"only", "sole", "exclus"} // stems
	where     = english.Set("if when where unless once after before")
)

func scopeOf(p *english.Text, w wording) (s scope) {
	for i := range p.Words {
		if !universal[p.Words[i].Text] {
			s.limit = s.limit || excepting[p.Words[i].Text]
		} else if k := skip(p, i+1, articles); k < len(p.Words) && w.of[k] != english.NoWord && !p.Words[k].Is(english.IsSpan) {
			s.all, s.whole = append(s.all, w.of[k]), true
		} else {
			s.whole = s.whole || k < len(p.Words)
		}
		s.limit = s.limit || slices.Contains(limiting, p.Words[i].Stem)
	}
	return s
}

// narrowed reports a statement that holds only of a part of what the fact speaks of: "only in the garden flat", "for the first month only",
// "only new employees", "most plans" for all of them.
func (f *Fact) narrowed(p *english.Text, s statement) bool {
	if f.limited(p, s) || f.whole && !f.limit && f.exempts(p, s) {
		return true
	}
	return slices.ContainsFunc(f.all, func(term int) bool {
		some := false
		for _, at := range s.spots {
			if at.term == term {
				if !f.partOf(p, at.place) {
					return false
				}
				some = true
			}
		}
		return some
	})
}

// limited reports an "only" that limits the statement to something that the fact does not speak of.
func (f *Fact) limited(p *english.Text, s statement) bool {
	for _, stem := range limiting {
		for i := p.FirstOf(stem); i != english.NoWord && !f.limit; i = p.Next[i] {
			if f.limits(p, s, int(i)) {
				return true
			}
		}
	}
	return false
}

// exempts reports something that the sentence of the statement takes out: "every day except Sunday", "all plans but one".
func (f *Fact) exempts(p *english.Text, s statement) bool {
	from, to := s.spots[0].from, s.spots[len(s.spots)-1].to
	for to < len(p.Words) && p.Sentence(to) == p.Sentence(from) {
		to++
	}
	for i := from; i < to; i++ {
		w := p.Words[i].Text
		if excepting[w] || w == "but" && !p.Parted(i) && i > 0 && (universal[p.Words[i-1].Text] || i > 1 && universal[p.Words[i-2].Text]) {
			return true
		}
	}
	return false
}

// limits reports that the "only" at i limits the statement to something that the fact does not speak of.
func (f *Fact) limits(p *english.Text, s statement, i int) bool {
	c := p.Clauses[p.Words[i].Clause]
	within := func(at spot) bool { return at.from >= c.First && at.from < c.Last }
	if i > 0 && p.Words[i-1].Text == "not" || !slices.ContainsFunc(s.spots, within) {
		return false
	}
	other := func(k int) bool { return k >= 0 && k < len(p.Words) && !p.Words[k].Amount && f.other(p, k) }
	behind := func(w english.Word) bool { return articles[w.Text] || prepositions[w.Text] || where[w.Text] }
	k := i + 1
	for k < len(p.Words) && behind(p.Words[k]) && !p.Parted(k) {
		k++
	}
	if next := c.Last; next < len(p.Words) && p.Sentence(next) == c.Sentence && where[p.Words[next].Text] {
		return !f.timed // only paid if
	}
	led := slices.ContainsFunc(p.Words[i+1:k], func(w english.Word) bool { return !articles[w.Text] })
	return other(k) && !p.Parted(k) && (led || k+1 < len(p.Words) && !p.Parted(k+1) && f.has(p, place{k + 1, k + 2}, ^uint64(0))) ||
		border(p, i+1) && !p.Parted(i) && other(i-1)
}

// nearly reports a word at i before which another one takes something off it: almost all.
func nearly(p *english.Text, i int) bool { return i > 0 && almost[p.Words[i-1].Text] }

// partOf reports a place of which the text speaks as of a part of what there is: "new employees", "the premium plan", "most plans".
func (f *Fact) partOf(p *english.Text, at place) bool {
	k := at.from - 1
	if k < 0 || border(p, at.from) {
		return false
	}
	for k > max(0, at.from-aroundReach) && !border(p, k) && (p.Words[k].Text == "of" || p.Words[k].Text == "the" && p.Words[k-1].Text == "of") {
		k--
	}
	part := partial[p.Words[k].Text] || nominal(p, k) && f.other(p, k) && !p.Words[k].Past()
	if universal[p.Words[k].Text] {
		return nearly(p, k)
	}
	for ; part && k >= max(0, at.from-aroundReach) && p.Words[k].Clause == p.Words[at.from].Clause; k-- {
		if universal[p.Words[k].Text] {
			return nearly(p, k)
		}
	}
	return part
}
