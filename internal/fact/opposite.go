package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// antonyms is a phrase of the table in words.txt with its synonyms and its opposites.
type antonyms struct {
	phrase              []string
	synonyms, opposites [][]string
	complementary       bool // the denial of a synonym means the opposites: not open is closed
}

// antonymsByStem maps a stem to the phrases of the table that begin with it. A phrase is listed once for each of its
// rows.
var antonymsByStem = func() map[string][]antonyms {
	m := map[string][]antonyms{}
	put := func(own, other [][]string, whole bool) {
		for _, phrase := range own {
			m[phrase[0]] = append(m[phrase[0]], antonyms{phrase, own, other, whole})
		}
	}
	for row := range strings.SplitSeq(lists.Text("antonyms"), ",") {
		at := strings.IndexAny(row, "|=>")
		if at < 0 {
			all := phrases(row)
			for i := range all {
				put(all[i:i+1], slices.Delete(slices.Clone(all), i, i+1), false)
			}
			continue
		}
		one, other, whole := phrases(row[:at]), phrases(row[at+1:]), row[at] == '='
		put(one, other, whole)
		if row[at] != '>' {
			put(other, one, whole)
		}
	}
	return m
}()

// reversals holds what an answer could reverse in a fact.
type reversals struct {
	opposables []opposable
	slots      []slot // the fact's terms in order; nil if exchanging two of them may keep the meaning
	// the fact says that something is so or was done, not that something must, may or will be done
	isActual bool
	inPast   []bool // for each term, whether it is a verb in the past tense
}

// opposable is a word of a fact that has opposites.
type opposable struct {
	antonyms
	term     int  // of the word itself
	after    int  // the term after it, or english.NoWord
	directed bool // the word governs the term after it, as "must" and "before" do
}

// newReversals returns what an answer could reverse in the words of a fact.
func newReversals(f *frame) (c reversals) {
	p := f.text
	c.slots, c.inPast = exchangeableSlots(f), make([]bool, len(f.terms))
	for i := range p.Words {
		w, t, after := &p.Words[i], f.termOf[i], nearestTerm(f, i, 1)
		if after != english.NoWord || nearestTerm(f, i, -1) != english.NoWord {
			c.opposables = append(c.opposables, opposablesAt(f, i, after)...)
		}
		if w.IsPastForm() && t != english.NoWord && (i == 0 || !presentVerbs[p.Words[i-1].Text]) {
			c.inPast[t], c.isActual = true, true
		}
		c.isActual = c.isActual || beForms[w.Text]
	}
	c.isActual = c.isActual && !slices.ContainsFunc(p.Words,
		func(w english.Word) bool { return w.Is(english.IsDuty|english.IsHedge) || isModal(w) })
	return c
}

// opposablesAt returns the word at i of a fact with each of its rows of opposites. after is the term after the word. A
// denied duty has no opposite, because what need not be done may still be done.
func opposablesAt(f *frame, i, after int) (out []opposable) {
	w := &f.text.Words[i]
	for _, s := range antonymsByStem[w.Stem] {
		if !(w.Is(english.IsDuty) && f.text.Denies(i)) && hasStemsAt(f.text.Words, i, s.phrase) {
			out = append(out, opposable{s, f.termOf[i], after, w.Is(english.IsFunction | english.IsDuty)})
		}
	}
	return out
}

// nearestTerm returns the nearest other term after the word at i if step is 1, or before that word if step is -1. It
// returns english.NoWord if there is none.
func nearestTerm(f *frame, i, step int) int {
	for j := i + step; j >= 0 && j < len(f.termOf); j += step {
		if t := f.termOf[j]; t != english.NoWord && t != f.termOf[i] {
			return t
		}
	}
	return english.NoWord
}

// hasOpposite reports whether the answer contradicts a word of the fact. It does if the word's opposite is near more of
// the fact's terms than the word itself is.
func hasOpposite(r *reading, _ statement) bool {
	return slices.ContainsFunc(r.opposables, func(t opposable) bool {
		return !t.complementary && maxNearbyTerms(r, t, t.opposites, true) > maxNearbyTerms(r, t, t.synonyms, t.directed)
	})
}

// maxNearbyTerms returns the largest number of the fact's terms that the answer has near a single occurrence of one of
// the phrases, in the same sentence. If fitting is set, an occurrence counts only if it has the same term after it as
// the fact's word. A word that governs nothing may have that term before it.
func maxNearbyTerms(r *reading, t opposable, phrases [][]string, fitting bool) (most int) {
	for _, at := range placesOfPhrases(r.p, phrases) {
		c := r.p.Clauses[r.p.Words[at.from].Clause]
		near := r.termsIn(at.to, min(c.Last, at.to+nearbyReach))
		if !t.directed {
			near |= r.termsIn(max(c.First, at.from-nearbyReach), at.from)
		}
		if isAffirmed(r, at.from) && (!fitting || t.after == english.NoWord || near.has(t.after)) {
			first, last := r.p.SentenceWords(c.Sentence)
			most = max(most, r.termsIn(max(first, at.from-nearbyReach), min(last, at.from+nearbyReach)).size())
		}
	}
	return most
}

func isAffirmed(r *reading, at int) bool {
	return !r.p.Denies(at) && r.p.FactualityOf(at, r.uses) != english.Unsaid && !(at > 0 && r.p.Words[at-1].Text == "not")
}
