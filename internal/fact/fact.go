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
	found, firm, light, denied, wantDenied := 0, 0, 0, false, false
	sure := true // sure: every number is more than supposed
	for _, t := range f.terms {
		s := f.look(p, t)
		switch {
		case s.said:
			firm++
		case s.supposed:
			sure = sure && !t.number
		case t.number:
			return false
		case t.light:
			light++
		}
		if s.said || s.supposed {
			found++
		}
		denied, wantDenied = denied || s.denied, wantDenied || t.negative
	}
	switch {
	case wantDenied && !denied, !f.enough(found, light):
		return false
	case !(sure && f.enough(firm, light)) && !slices.ContainsFunc(f.terms, func(t term) bool { return f.look(p, t).said && !f.onlySupposed(p, t) }):
		return false
	}
	return f.together(p)
}

// enough reports that so many terms found are the share of a fact, but for the light ones that are missing.
func (f *Fact) enough(found, light int) bool {
	return found > 0 && float64(found) >= f.share*float64(len(f.terms)-light)-tolerance
}

// sight is how a term stands in an answer: where it is said and not denied, where that is supposed, and whether in a denial.
type sight struct{ said, supposed, denied bool }

// look finds how a term stands. One that the fact itself denies may stand in a denial or out of it: "passwords: never share them"
// denies what "never share passwords" does.
func (f *Fact) look(p *english.Text, t term) (s sight) {
	f.places(p, t, func(at place) bool {
		standing, denied := f.standing(p, at.from), p.Denies(at.from)
		if standing == english.Unsaid || denied && !t.negative && !p.Resumed(at.from) {
			return true
		}
		s.said = s.said || standing == english.Said
		s.supposed = s.supposed || standing == english.Supposed
		s.denied = s.denied || denied && t.negative
		return !s.said || t.negative && !s.denied
	})
	return s
}

// onlySupposed reports a term that stands in a condition, wherever else it stands.
func (f *Fact) onlySupposed(p *english.Text, t term) (found bool) {
	f.places(p, t, func(at place) bool {
		found = f.standing(p, at.from) == english.Supposed
		return !found
	})
	return found
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
