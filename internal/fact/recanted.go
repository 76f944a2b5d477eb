package fact

import (
	"math/bits"

	"github.com/failproof/failproof/internal/english"
)

// recanting are words of a sentence that takes back what was said before, beside what it takes back.
var recanting = english.Set("actually correction corrected update edit note important erratum wait no sorry longer anymore more fact")

// recanted reports a sentence behind a statement, wherever, that denies the same and says nothing else: "Correction: MFA is not required.", or one
// that begins with a word that takes back, and has another amount: "Correction: the limit is 5 GB." A claim is found where it is said at all.
func (f *Fact) recanted(p *english.Text, s statement) bool {
	if f.meant.Sure {
		return false
	}
	from := p.Sentence(s.spots[len(s.spots)-1].from)
	denied, said, other := map[int32]uint64{}, map[int32]uint64{}, map[int32]uint64{}
	put := func(at int, in map[int32]uint64, term int) {
		if n := p.Sentence(at); n > from && p.Standing(at, f.meant) == english.Said {
			in[n] |= 1 << term
		}
	}
	for i, t := range f.terms {
		for at := range t.find(p) {
			if p.Denies(at.from) == t.negative {
				put(at.from, said, i)
			} else if !t.either {
				put(at.from, denied, i)
			}
		}
		for k := range p.Words {
			if q := p.Words[k].Quantity; t.amount != nil && q != nil && t.amount.Rivals(*q) && f.corrects(p, k) {
				put(k, other, i)
			}
		}
	}
	for n, terms := range other {
		denied[n] |= terms | said[n]
	}
	under := p.PhraseOf(s.spots[0].from).Under
	for n, terms := range denied {
		if f.enough(bits.OnesCount64(terms)+f.only(p, n, under), bits.OnesCount64(f.light&^terms)) && terms&f.numbers == f.numbers {
			return true
		}
	}
	return false
}

// corrects reports a word in a sentence that begins with one that takes back.
func (f *Fact) corrects(p *english.Text, i int) bool {
	first, _ := p.SentenceWords(p.Sentence(i))
	return recanting[p.Words[first].Text]
}

// only is 0 for a sentence that says nothing but what the fact does, under the same line; 1 if it also has a pronoun for something of it, where it
// begins with a word that takes back; or less than any number of terms.
func (f *Fact) only(p *english.Text, sentence int32, under english.Lead) (pronouns int) {
	const none = -mostTerms
	first, last := p.SentenceWords(sentence)
	for i := first; i < last; i++ {
		w := &p.Words[i]
		switch {
		case p.Clauses[w.Clause].Supposed, f.other(p, i) && !recanting[w.Text] && !(w.Amount && f.corrects(p, i)), p.PhraseOf(i).Under != under:
			return none
		case f.corrects(p, i) && (w.Text == "it" || w.Text == "they" || w.Text == "this" || w.Text == "that"):
			pronouns = 1
		}
	}
	return pronouns
}
