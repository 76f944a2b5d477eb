// Package fact tells whether an answer says what it should and what it must not: key facts that it covers, forbidden claims that it states, and
// obligations, clause numbers and names of rules that none of its sources has. In go facts and claims, compiled once, and a text that has
// been read, out come yes, no, and what was found. It knows no metric, no label and no suite. English.
package fact

import (
	"iter"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Shares of terms that have to stand in an answer, and what a share may lack for rounding.
const (
	claimShare    = 1   // of a forbidden claim
	factShare     = 0.7 // of a key fact
	sentenceShare = 0.6 // of a sentence of the expected answer
	tolerance     = 1e-9
)

// Fact is something that an answer should say: text, or a regular expression between slashes. It is read only.
type Fact struct {
	wording
	Text  *english.Text // what it says itself, which an answer may rest on
	share float64
	meant english.Manner // in which its words may stand in the answer
	contraries
}

// Fact compiles a key fact. The error is a fault of the user's text.
func (s *Synonyms) Fact(text string) (*Fact, error) {
	f, err := s.said(text, "contain", factShare)
	f.meant.Quoted = true // answers rest on what they quote
	return f, err
}

// Claim is something that an answer must not state: text, or a regular expression between slashes. It is read only.
type Claim struct{ *Fact }

// Claim compiles a forbidden claim. The error is a fault of the user's text.
func (s *Synonyms) Claim(text string) (*Claim, error) {
	f, err := s.said(text, "state", claimShare)
	f.meant.Sure = true
	return &Claim{f}, err
}

// Stated reports whether an answer states the claim: all of it, without denying, asking, reporting or hedging it. Of an answer that is too long
// for its pattern nobody knows that it does not.
func (c *Claim) Stated(p *english.Text) bool { return c.Covered(p) || c.TooCostly(p) }

// said compiles what an answer could say.
func (s *Synonyms) said(text, do string, share float64) (*Fact, error) {
	w, read, err := s.wording(text, do)
	f := &Fact{wording: w, Text: read, share: share}
	if err == nil && w.pattern == nil {
		f.meant, f.contraries = read.Manner(), contrariesOf(read, w)
	}
	return f, err
}

// longestSentence is what is read of a sentence, in bytes: more than mostTerms take.
const longestSentence = 1000

// Sentences makes a fact of each sentence of an expected answer that says something.
func (s *Synonyms) Sentences(text string) []*Fact {
	p := english.Read(text)
	var out []*Fact
	for from := 0; from < len(p.Clauses); {
		to := from
		for to < len(p.Clauses) && p.Clauses[to].Sentence == p.Clauses[from].Sentence {
			to++
		}
		start, end := p.Words[p.Clauses[from].First].Start, p.Words[p.Clauses[to-1].Last-1].End
		sentence := strings.ToValidUTF8(p.Source[start:min(end, start+longestSentence)], "")
		if f, err := s.Fact(oneLine(sentence)); err == nil && len(f.terms) > 0 {
			f.share = sentenceShare
			out = append(out, f)
		}
		from = to
	}
	return out
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Covered reports whether an answer says the fact: one statement has every amount and enough of the other terms, denied as the fact denies
// them, none stands turned round, and something of it is more than supposed.
func (f *Fact) Covered(p *english.Text) bool {
	switch {
	case f.pattern != nil:
		return f.matched(p)
	case f.verbatim(p):
		return true
	case len(f.terms) == 0:
		return false
	}
	spots, ok := f.spots(p)
	return ok && f.together(p, spots)
}

// TooCostly reports a fact whose pattern would take too long in an answer of that length. It is not covered.
func (f *Fact) TooCostly(p *english.Text) bool { return f.pattern != nil && f.pattern.tooCostly(p) }

// Work is about what it takes to look for the fact in an answer, in steps of 100 ns at most.
func (f *Fact) Work(p *english.Text) int {
	switch {
	case f.pattern != nil && f.pattern.mayMatch(p):
		return f.pattern.re.Steps(p.Source) / stepsOfPattern
	case f.pattern != nil:
		return 0
	}
	return (len(f.Text.Words) + wordsBeside) * len(p.Words)
}

const (
	wordsBeside    = 8 // of a fact take as long as all that is done beside looking for its words
	stepsOfPattern = 8 // of a pattern take as long as comparing two words
)

// Addressed reports a fact with the address of a page or a mailbox, or a pattern that may look for one.
func (f *Fact) Addressed() bool {
	if f.pattern != nil {
		return strings.ContainsAny(f.source[1:len(f.source)-1], "/@") || strings.Contains(f.source, `\.`) || strings.Contains(f.source, "www")
	}
	return slices.ContainsFunc(f.terms, func(t *term) bool { return t.address != "" })
}

// enough reports that so many terms found are the share of a fact, but for the light ones that are missing.
func (f *Fact) enough(found, light int) bool {
	return found > 0 && float64(found) >= f.share*float64(len(f.terms)-light)-tolerance
}

// places are those of a term; where there is none, those of the words that stand for it and its neighbours; and those of its other.
func (f *Fact) places(p *english.Text, i int) iter.Seq[place] {
	return func(yield func(place) bool) {
		t, stood := f.terms[i], false
		for at := range t.find(p) {
			if stood = true; !yield(at) {
				return
			}
		}
		if stood || t.findWhole(p, yield) && (t.bounds == nil || each(p, t.boundAt, yield)) {
			f.others(p, i)(yield)
		}
	}
}

// matched reports a match of the pattern that the answer says, and that no word outside of it denies.
func (f *Fact) matched(p *english.Text) bool {
	return slices.ContainsFunc(f.pattern.find(p), func(m []int) bool {
		from, to := p.WordsAt(m[0], m[1])
		meant := p.MannerOf(from, to)
		meant.Quoted, meant.Sure = f.meant.Quoted, f.meant.Sure
		denied := from < to && p.DeniesOutside(from, from, to)
		for ; from < to && f.counts(p.Standing(from, meant)); from++ {
		}
		return from == to && !denied
	})
}

// counts reports a standing in which words without a statement around them say the fact.
func (f *Fact) counts(s english.Standing) bool {
	return s == english.Said || s == english.Supposed && !f.meant.Sure
}
