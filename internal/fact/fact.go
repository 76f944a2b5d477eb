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
}

// Fact compiles a key fact. The error is a fault of the user's text.
func (s *Synonyms) Fact(text string) (*Fact, error) {
	w, read, err := s.wording(text, "contain")
	if err != nil {
		return nil, err
	}
	return &Fact{w, read, factShare}, nil
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
// terms.
func (f *Fact) Covered(p *english.Text) bool {
	switch {
	case f.pattern != nil:
		return f.matched(p)
	case len(f.terms) == 0:
		return f.literal(p, func(int) bool { return true })
	}
	found, denied, wantDenied := 0, false, false
	for _, t := range f.terms {
		seen, inDenial := f.look(p, t)
		switch {
		case seen:
			found++
		case t.number:
			return false
		}
		denied, wantDenied = denied || inDenial, wantDenied || t.negative
	}
	if wantDenied && !denied {
		return false
	}
	return float64(found) >= f.share*float64(len(f.terms))-tolerance
}

// look reports whether a term stands in the answer where it is not denied, and whether it stands in a denial. A term
// that the fact itself denies may stand in either: "passwords: never share them" denies what "never share passwords" does.
func (f *Fact) look(p *english.Text, t term) (seen, inDenial bool) {
	stood := false
	at := func(at place) bool {
		stood = true
		switch denied := p.Denies(at.from); {
		case p.Clauses[p.Words[at.from].Clause].Asked:
		case !denied:
			seen = true
		case t.negative:
			seen, inDenial = true, true
		}
		return !seen || t.negative && !inDenial
	}
	if t.find(p, at); !stood {
		t.findWhole(p, at)
	}
	return seen, inDenial
}

// matched reports a match of the pattern that is not denied by a word outside of it.
func (f *Fact) matched(p *english.Text) bool {
	return slices.ContainsFunc(f.pattern.find(p), func(m []int) bool { return !p.DeniesOutside(m[0], m[1]) })
}
