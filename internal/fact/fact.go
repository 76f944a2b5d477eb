// Package fact tells whether an answer says what it should and what it must not: key facts that it covers, forbidden claims that it states, and
// obligations, clause numbers and names of rules that none of its sources has. In go facts and claims, compiled once, and a text that has
// been read, out come yes, no, and what was found. It knows no metric, no label and no suite. English.
package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Shares of terms that have to stand in an answer, and what a share may lack for rounding.
const (
	factShare     = 0.7 // of a key fact
	sentenceShare = 0.6 // of a sentence of the expected answer
	tolerance     = 1e-9
)

// Fact is something that an answer should say: text, or a regular expression between slashes. It is read only.
type Fact struct {
	wording
	Text  *english.Text // what it says itself, which an answer may rest on
	share float64
	open  bool // it supposes or reports by itself
	meant english.Manner
	contraries
}

// Fact compiles a key fact. The error is a fault of the user's text.
func (s *Synonyms) Fact(text string) (*Fact, error) {
	w, read, err := s.wording(text, "contain")
	if err != nil {
		return nil, err
	}
	f := &Fact{wording: w, Text: read, share: factShare}
	if w.pattern == nil {
		f.meant, f.contraries = read.Manner(), contrariesOf(read, w)
		f.open = slices.ContainsFunc(read.Clauses, func(c english.Clause) bool { return c.Open })
	}
	return f, nil
}

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
		if f, err := s.Fact(oneLine(p.Source[start:end])); err == nil && len(f.terms) > 0 {
			f.share = sentenceShare
			out = append(out, f)
		}
		from = to
	}
	return out
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Covered reports whether an answer says the fact: it does not deny it, every amount is there, and enough of the other
// terms; none stands turned round, and something of it is more than supposed.
func (f *Fact) Covered(p *english.Text) bool {
	switch {
	case f.pattern != nil:
		return f.matched(p)
	case len(f.terms) == 0:
		return f.literal(p, func(at int) bool { return f.standing(p, at) != english.Unsaid })
	}
	spots, ok := f.spots(p)
	return ok && f.firm(spots) && f.together(p, spots)
}

// firm reports places that are enough of the fact, one of them of what it denies denied, and that are more than supposed: either all numbers and
// enough of the rest, or some term that is never supposed.
func (f *Fact) firm(spots []spot) bool {
	found, firm, light, sure, never := 0, 0, 0, true, false
	denied, wanted := false, false
	for i, t := range f.terms {
		said, supposed := false, false
		for _, s := range spots {
			if s.term == i {
				said, supposed, denied = said || !s.supposed, supposed || s.supposed, denied || t.negative && s.denied
			}
		}
		wanted = wanted || t.negative
		never = never || said && !supposed
		switch {
		case said:
			found, firm = found+1, firm+1
		case supposed:
			found, sure = found+1, sure && !t.number
		case t.light:
			light++
		}
	}
	return (denied || !wanted) && f.enough(found, light) && (never || sure && f.enough(firm, light))
}

// enough reports that so many terms found are the share of a fact, but for the light ones that are missing.
func (f *Fact) enough(found, light int) bool {
	return found > 0 && float64(found) >= f.share*float64(len(f.terms)-light)-tolerance
}

// places finds the places of a term; where there is none, those of the words that stand for it and its neighbours.
func (f *Fact) places(p *english.Text, t term, yield func(place) bool) {
	stood := false
	t.find(p, func(at place) bool {
		stood = true
		return yield(at)
	})
	if !stood {
		t.findWhole(p, yield)
	}
}

// standing is how the answer stands to a word of the fact. A fact that supposes or reports by itself may stand so.
func (f *Fact) standing(p *english.Text, at int) english.Standing {
	s := p.Standing(at, f.meant)
	if f.open && !p.Clauses[p.Words[at].Clause].Asked {
		return english.Said
	}
	return s
}

// matched reports a match of the pattern that the answer says, and that no word outside of it denies.
func (f *Fact) matched(p *english.Text) bool {
	return slices.ContainsFunc(f.pattern.find(p), func(m []int) bool {
		from, to := p.WordsAt(m[0], m[1])
		return !p.DeniesOutside(m[0], m[1]) && (from == to || p.Standing(from, p.MannerOf(from, to)) != english.Unsaid)
	})
}
