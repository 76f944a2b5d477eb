package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// contraries holds what an answer could reverse in a fact.
type contraries struct {
	turns []turn
	names []int  // terms that are proper names or acronyms
	slots []slot // the fact's terms in order; nil if exchanging two of them may keep the meaning
	all   []int  // terms after a word such as "every": every employee
	whole bool   // the fact has a word such as "all" or "always"
	limit bool   // the fact has a limit of its own, such as "only" or "except"
	so    bool   // the fact says that something is so or was done, not that something must, may or will be done
	past  []bool // for each term, whether it is a verb in the past tense
}

// turn is a word of a fact that has opposites.
type turn struct {
	side
	term     int  // of the word itself
	after    int  // the term after it, or english.NoWord
	directed bool // the word governs the term after it, as "must" and "before" do
}

// besideReach is the largest distance, in words or in content words, at which one word counts as beside another.
// aroundReach is the number of words that are searched around a word.
const (
	besideReach = 3
	aroundReach = 24
)

var (
	articles  = english.Set("a an the any all their its his her our your to")
	universal = english.Set("all every each any everybody everyone both always daily")
	partial   = english.Set("some many most few several certain selected either neither one")
	almost    = english.Set("almost nearly virtually practically not")
	excepting = english.Set("except excluding unless")
	limiting  = []string{"only", "sole", "exclus"} // stems
)

// contrary returns what an answer could reverse in the words of a fact.
func contrary(f *frame) (c contraries) {
	p := f.text
	c.slots, c.past = exchangeable(f), make([]bool, len(f.terms))
	maybe := false
	for i := range p.Words {
		w, after := &p.Words[i], termBeside(f, i, 1)
		if after != english.NoWord || termBeside(f, i, -1) != english.NoWord {
			c.turns = addTurns(f, c.turns, turn{term: f.of[i], after: after}, i)
		}
		if properName(f, i) {
			c.names = append(c.names, f.of[i])
		}
		maybe = maybe || w.Is(english.IsDuty|english.IsHedge) || modals[w.Text]
		if w.Past() && f.of[i] != english.NoWord && (i == 0 || !present[p.Words[i-1].Text]) {
			c.past[f.of[i]], c.so = true, true
		}
		c.so = c.so || being[w.Text]
		c.limit = c.limit || slices.Contains(limiting, w.Stem) || excepting[w.Text]
		speaksOfAll(f, &c, i)
	}
	c.so = c.so && !maybe
	return c
}

// speaksOfAll looks for a word such as "every" at i. If there is one, speaksOfAll records in c that the fact holds of
// all things of a kind, and which term follows the word.
func speaksOfAll(f *frame, c *contraries, i int) {
	k := skip(f.text, i+1, articles)
	if !universal[f.text.Words[i].Text] || k == len(f.of) {
		return
	}
	c.whole = true
	if f.of[k] != english.NoWord && !f.text.Words[k].Is(english.IsSpan) {
		c.all = append(c.all, f.of[k])
	}
}

// addTurns appends one turn to turns for each opposite of the fact's word at i. Each is a copy of t, which has the
// terms of that word and after it. A denied duty has no opposite, because what need not be done may still be done.
func addTurns(f *frame, turns []turn, t turn, i int) []turn {
	w := &f.text.Words[i]
	for _, s := range against[w.Stem] {
		if !(w.Is(english.IsDuty) && f.text.Denies(i)) && stands(f.text.Words, i, s.phrase) {
			t.side, t.directed = s, w.Is(english.IsFunction|english.IsDuty)
			turns = append(turns, t)
		}
	}
	return turns
}

// termBeside returns the nearest other term after the word at i if step is 1, or before that word if step is -1. It
// searches only the word's clause if that clause has another term. It returns english.NoWord if it finds none.
func termBeside(f *frame, i, step int) int {
	c := f.text.Clauses[f.text.Words[i].Clause]
	another := func(t int) bool { return t != english.NoWord && t != f.of[i] }
	alone := !slices.ContainsFunc(f.of[c.First:c.Last], another)
	for j := i + step; j >= 0 && j < len(f.of) && (alone || j >= c.First && j < c.Last); j += step {
		if another(f.of[j]) {
			return f.of[j]
		}
	}
	return english.NoWord
}

// properName reports whether the fact's word at i is a name: a term with a capital. At the beginning of a sentence,
// the word must be all capitals, or the next word must be capitalized too.
func properName(f *frame, i int) bool {
	p := f.text
	upper := func(i int) bool {
		return i < len(p.Words) && p.Upper(i) && f.of[i] != english.NoWord
	}
	starts := i == 0 || p.Sentence(i) != p.Sentence(i-1)
	return upper(i) && (!starts || p.Words[i].Capitals || upper(i+1))
}

// skip returns the index of the first word at or after i that is not in the set. It returns len(p.Words) if there is no
// such word, or if a punctuation mark comes before that word.
func skip(p *english.Text, i int, set map[string]bool) int {
	for i < len(p.Words) && set[p.Words[i].Text] && !p.Parted(i) {
		i++
	}
	if i < len(p.Words) && p.Parted(i) {
		return len(p.Words)
	}
	return i
}
