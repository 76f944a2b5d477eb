package score

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// Shares of terms that have to stand in an answer, and what is counted as reached despite rounding.
const (
	factShare     = 0.7 // of a key fact
	sentenceShare = 0.6 // of a sentence of the expected answer
)

// Fact is something that an answer should say: text, or a regular expression between slashes. It is read only.
type Fact struct {
	wording
	read  *english.Text // its own text, which an answer may rest on
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

// covered reports whether an answer says the fact: it does not deny it, every amount is there, and enough of the other
// terms.
func (f *Fact) covered(p *english.Text) bool {
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
	return float64(found) >= f.share*float64(len(f.terms))-Tolerance
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
