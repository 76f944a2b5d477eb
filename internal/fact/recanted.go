package fact

import (
	"math/bits"

	"github.com/failproof/failproof/internal/english"
)

// recanting are words of a sentence that takes back what was said before, beside what it takes back.
var recanting = english.Set("actually correction corrected update edit note important erratum wait no sorry longer anymore more fact")

// recanted reports a sentence behind a statement, wherever, that denies the same and says nothing else: "Correction: MFA is not required." A claim
// is found where it is said at all.
func (f *Fact) recanted(p *english.Text, s statement) bool {
	if f.meant.Sure {
		return false
	}
	from, denied := p.Sentence(s.spots[len(s.spots)-1].from), map[int32]uint64{}
	for i, t := range f.terms {
		t.find(p, func(at place) bool {
			if n := p.Sentence(at.from); n > from && !t.either && p.Denies(at.from) != t.negative && p.Standing(at.from, f.meant) == english.Said {
				denied[n] |= 1 << i
			}
			return true
		})
	}
	for n, terms := range denied {
		if f.enough(bits.OnesCount64(terms)+f.only(p, n, p.PhraseOf(s.spots[0].from).Under), bits.OnesCount64(f.light&^terms)) && terms&f.numbers == f.numbers {
			return true
		}
	}
	return false
}

// only is 0 for a sentence that says nothing but what the fact does, under the same line; 1 if it also has a pronoun for something of it, where it
// begins with a word that takes back; or less than any number of terms.
func (f *Fact) only(p *english.Text, sentence int32, under english.Lead) (pronouns int) {
	const none = -mostTerms
	first, last := p.SentenceWords(sentence)
	for i := first; i < last; i++ {
		w := &p.Words[i]
		switch {
		case p.Clauses[w.Clause].Supposed, f.other(p, i) && !recanting[w.Text], p.PhraseOf(i).Under != under:
			return none
		case recanting[p.Words[first].Text] && (w.Text == "it" || w.Text == "they" || w.Text == "this" || w.Text == "that"):
			pronouns = 1
		}
	}
	return pronouns
}
