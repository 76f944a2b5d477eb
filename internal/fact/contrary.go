package fact

import (
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// contraries are the words of a fact that an answer could turn round: seven terms of ten may stand in "revenue decreased" too. Each is looked
// at only where the answer lacks it.
type contraries struct {
	turns []turn
	names []named
	acts  []act
	slots []slot   // its terms in their order, where two of them that change places turn it round
	rows  [][2]int // terms that follow on each other
	thans [][2]int // terms: what is compared, with what
	scope
	timed bool // something is before something else, or hangs on it
}

// turn is a word of a fact that has opposites, with the terms beside it; none is english.NoWord.
type turn struct {
	side
	term          int  // of the word itself
	before, after int  // terms
	directed      bool // it belongs to what stands behind it: must, before
}

// named is a term that is a proper name or an acronym, or part of one.
type named struct {
	term          int
	acronym       bool
	before, after int // terms beside it
}

// How far in words with content an opposite or another name stands from the words that it stands beside.
const (
	directReach = 2
	besideReach = 3
)

func contrariesOf(p *english.Text, w wording) (c contraries) {
	proper := properNames(p, w)
	c.rows, c.scope, c.slots = rowsOf(p, w), scopeOf(p, w), w.mirrorable(p)
	c.timed = slices.ContainsFunc(p.Words, func(w english.Word) bool { return timing[w.Text] })
	for i := range p.Words {
		before, after := w.beside(p, i, -1), w.beside(p, i, 1)
		for _, s := range against[p.Words[i].Stem] {
			duty := p.Words[i].Is(english.IsDuty) && p.Denies(i) // what one need not, one may
			if !duty && !p.Words[i].Amount && stands(p.Words, i, s.phrase) && (before != english.NoWord || after != english.NoWord) {
				directed := p.Words[i].Is(english.IsFunction | english.IsDuty)
				c.turns = append(c.turns, turn{s, w.of[i], before, after, directed})
			}
		}
		if one := w.of[p.Clauses[p.Words[i].Clause].First:i]; p.Words[i].Text == "than" && after != english.NoWord {
			if k := slices.IndexFunc(one, func(t int) bool { return t != english.NoWord }); k >= 0 {
				c.thans = append(c.thans, [2]int{one[k], after})
			}
		}
		if proper[i] {
			c.names = append(c.names, named{w.of[i], p.Words[i].Capitals, before, after})
		}
		if a, ok := w.act(p, i); ok {
			c.acts = append(c.acts, a)
		}
	}
	return c
}

var timing = english.Set("before until unless when if while once first without")

// beside is the next term in a direction, within the clause of the word at i if it has others; none if there is none.
func (w *wording) beside(p *english.Text, i, step int) int {
	c := p.Clauses[p.Words[i].Clause]
	alone := !slices.ContainsFunc(w.of[c.First:c.Last], func(t int) bool { return t != english.NoWord && t != w.of[i] })
	for j := i + step; j >= 0 && j < len(p.Words) && (alone || j >= c.First && j < c.Last); j += step {
		if t := w.of[j]; t != english.NoWord && t != w.of[i] {
			return t
		}
	}
	return english.NoWord
}

// properNames marks the words of a fact that are names: with a capital, but not because they begin a sentence.
func properNames(p *english.Text, w wording) []bool {
	upper := func(i int) bool {
		return i < len(p.Words) && p.Upper(i) && w.of[i] != english.NoWord && !p.Words[i].Amount && w.terms[w.of[i]].address == ""
	}
	proper := make([]bool, len(p.Words))
	for i := range p.Words {
		starts := i == 0 || p.Sentence(i) != p.Sentence(i-1)
		proper[i] = upper(i) && (!starts || p.Words[i].Capitals || upper(i+1))
	}
	return proper
}

var articles = english.Set("a an the any all their its his her our your to")

// skip returns the first word from i on that is none of a set, or one behind the text where a mark comes first.
func skip(p *english.Text, i int, words map[string]bool) int {
	for i < len(p.Words) && words[p.Words[i].Text] && !p.Parted(i) {
		i++
	}
	if i < len(p.Words) && p.Parted(i) {
		return len(p.Words)
	}
	return i
}

// contradicted reports an answer that says the opposite of a word of the fact where the fact has it, names another in its place, or excepts
// what the fact is about.
func (f *Fact) contradicted(p *english.Text, s statement) bool {
	seen := s.terms
	return slices.ContainsFunc(f.turns, func(t turn) bool { return !t.whole && f.turned(p, t) }) ||
		slices.ContainsFunc(f.names, func(n named) bool { return seen&(1<<n.term) == 0 && f.renamed(p, n, seen) }) ||
		slices.ContainsFunc(f.thans, func(t [2]int) bool { return f.than(p, t[0]) && !f.than(p, t[1]) }) || f.excepted(p, s) || f.narrowed(p, s)
}

// turnedClauses are the clauses of an answer that say something by the other word for it, denied: "isn't open" of what is closed; or by a bound
// from its other side, denied. There, what is denied is said, and what is said denied.
func (f *Fact) turnedClauses(p *english.Text) (turned map[int32]bool) {
	for i := range f.terms {
		for at := range f.others(p, i) {
			if turned == nil {
				turned = map[int32]bool{}
			}
			turned[p.Words[at.from].Clause] = true
		}
	}
	return turned
}

// others are the places that say the other of a term: another word, or a bound from its other side.
func (f *Fact) others(p *english.Text, i int) iter.Seq[place] {
	return func(yield func(place) bool) {
		if t := f.terms[i]; t.amount != nil && t.amount.Bounded() && !each(p, t.beyondAt, yield) {
			return
		}
		for _, t := range f.turns {
			if !t.whole || t.term != i {
				continue
			}
			for _, phrase := range t.other {
				for at := range occurrences(p, phrase) {
					if !yield(place{at, at + len(phrase)}) {
						return
					}
				}
			}
		}
	}
}

// than reports that the answer compares something with a term.
func (f *Fact) than(p *english.Text, term int) bool {
	for i := p.FirstOf("than"); i != english.NoWord; i = p.Next[i] {
		if k := skip(p, int(i)+1, articles); k < len(p.Words) && f.terms[term].standsAt(p, k) > 0 {
			return true
		}
	}
	return false
}

// turned reports that the answer says the opposite of a word among more of the fact's terms than it says the word itself.
func (f *Fact) turned(p *english.Text, t turn) bool {
	return f.most(p, t, t.other, true) > f.most(p, t, t.own, t.directed)
}

// most is how many of the fact's terms stand around one of some phrases in the place of the fact's word, at most; in any place if it need not fit.
func (f *Fact) most(p *english.Text, t turn, phrases [][]string, fits bool) (most int) {
	for _, phrase := range phrases {
		for at := range occurrences(p, phrase) {
			if f.affirmed(p, at) && (!fits || f.fits(p, place{at, at + len(phrase)}, t)) {
				most = max(most, f.around(p, at))
			}
		}
	}
	return most
}

// aroundReach bounds in words how much of a sentence is looked at around a word.
const aroundReach = 24

// around counts the fact's terms in the sentence around a word.
func (f *Fact) around(p *english.Text, at int) (n int) {
	for _, t := range f.terms {
		for j := max(0, at-aroundReach); j < min(len(p.Words), at+aroundReach); j++ {
			if p.Sentence(j) == p.Sentence(at) && t.standsAt(p, j) > 0 {
				n++
				break
			}
		}
	}
	return n
}

func (f *Fact) affirmed(p *english.Text, at int) bool {
	return !p.Denies(at) && p.Standing(at, f.meant) != english.Unsaid && !(at > 0 && p.Words[at-1].Text == "not")
}

// fits reports that beside a place stand the terms that stand beside the fact's word.
func (f *Fact) fits(p *english.Text, at place, t turn) bool {
	switch {
	case t.directed && t.after != english.NoWord:
		return f.near(p, at, t.after, directReach, 1)
	case t.directed:
		return f.near(p, at, t.before, directReach, -1)
	}
	return t.after == english.NoWord || f.near(p, at, t.after, besideReach, 1) || f.near(p, at, t.after, besideReach, -1)
}

// near reports a term among so many words with content in a direction, in the same clause.
func (f *Fact) near(p *english.Text, at place, term, reach, step int) bool {
	c, j := p.Clauses[p.Words[at.from].Clause], at.to
	if step < 0 {
		j = at.from - 1
	}
	for ; reach > 0 && j >= c.First && j < c.Last; j += step {
		if f.terms[term].standsAt(p, j) > 0 {
			return true
		}
		if p.Content(j) {
			reach--
		}
	}
	return false
}

// renamed reports another name where the fact has the one that the answer lacks: beside what the fact has beside it.
func (f *Fact) renamed(p *english.Text, n named, seen uint64) (found bool) {
	look := func(term, reach, step int) {
		if term == english.NoWord || found || seen&(1<<term) == 0 {
			return
		}
		for at := range f.terms[term].find(p) {
			found = found || f.affirmed(p, at.from) && f.otherName(p, at, n, reach, step)
		}
	}
	for _, step := range []int{-1, 1} {
		look(n.before, besideReach, step)
		look(n.after, besideReach, step)
	}
	return found
}

// otherName reports a name that the fact does not have within so many words of a place, in a direction, in the same clause. A capital that begins a
// sentence tells no name, unless something is its own: Globex's CEO.
func (f *Fact) otherName(p *english.Text, at place, n named, reach, step int) bool {
	c, j := p.Clauses[p.Words[at.from].Clause], at.to
	if step < 0 {
		j = at.from - 1
	}
	for ; reach > 0 && j >= c.First && j < c.Last; j, reach = j+step, reach-1 {
		w := p.Words[j]
		begins := j == c.First && !c.Inner && !strings.HasSuffix(p.Source[w.Start:w.End], "'s") && !strings.HasPrefix(p.Source[w.End:], "'s")
		if name := p.Source[w.Start:w.End]; strings.ToLower(name) != name && !begins && !w.Amount && w.Capitals == n.acronym && f.other(p, j) {
			return true
		}
	}
	return false
}

// excepted reports a term that the statement lacks and that is taken out right behind it, all orders except EU orders, tuition but not housing,
// or one that is denied and taken out of that.
func (f *Fact) excepted(p *english.Text, s statement) bool {
	for k, t := range f.terms {
		if s.terms&(1<<k) != 0 && !t.negative || t.either {
			continue
		}
		for at := range t.find(p) {
			if p.Denies(at.from) != t.negative && p.Excepts(p.Clauses[p.Words[at.from].Clause]) {
				return true
			}
		}
	}
	return false
}
