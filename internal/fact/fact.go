// Package fact compares an answer with what it should say and what it must not: key facts that it covers, forbidden
// claims that it states, and obligations, clause numbers and names of rules that none of its sources has. Facts and
// claims are compiled once and tried on texts that have been read. It knows no metric, no label and no suite. English.
package fact

import (
	"errors"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Shares of terms that an answer must have, and what a share may lack for rounding.
const (
	claimShare    = 1   // of a forbidden claim
	factShare     = 0.7 // of a key fact
	sentenceShare = 0.6 // of a sentence of the expected answer
	tolerance     = 1e-9
)

// Outcome is how an answer stands to a fact or a claim.
type Outcome uint8

// Reading is what an answer says of a fact or a claim.
type Reading struct {
	Outcome  Outcome
	Sentence string // the sentence that contradicts it, "" where it is too long to be quoted
}

// mostQuoted bounds in bytes a sentence that is quoted. A longer one is left out, as a cut could leave half a secret that
// nobody knows for one.
const mostQuoted = 300

const (
	NotFound     Outcome = iota // nothing that can be matched says it or its opposite
	Contradicted                // its terms stand there denied, with an opposite or with a rival amount
	Said
)

// Fact is something that an answer should say: text, or a regular expression between slashes. It is read only.
type Fact struct {
	Text    *english.Text // the fact's own text, which an answer may rest on
	source  string
	pattern *pattern // nil for text
	terms   []*term
	of      []int // of each word of the text, its term, or english.NoWord
	share   float64
	meant   english.Manner // in which its words may stand in the answer
	sets
	contraries
}

// Claim is something that an answer must not state: text, or a regular expression between slashes. It is read only.
type Claim struct{ *Fact }

// Fact compiles a key fact. The error is a fault of the user's text.
func (s *Synonyms) Fact(text string) (*Fact, error) {
	return s.compile(text, "contain", factShare, english.Manner{Quoted: true}) // answers rest on what they quote
}

// Claim compiles a forbidden claim. The error is a fault of the user's text.
func (s *Synonyms) Claim(text string) (*Claim, error) {
	f, err := s.compile(text, "state", claimShare, english.Manner{Sure: true})
	return &Claim{f}, err
}

// compile compiles a text or a pattern; do is the verb of the error for a text without words.
func (s *Synonyms) compile(text, do string, share float64, meant english.Manner) (*Fact, error) {
	f := &Fact{source: text, Text: english.Read(text), share: share, meant: meant}
	if n := len(text); n > 2 && text[0] == '/' && text[n-1] == '/' {
		var err error
		f.pattern, err = compile(text[1 : n-1])
		return f, err
	}
	if len(f.Text.Words) == 0 {
		return f, errors.New("no word in it that an answer could " + do)
	}
	own := f.Text.MannerOf(0, len(f.Text.Words))
	own.Quoted, own.Sure = meant.Quoted, meant.Sure
	f.meant = own
	f.terms, f.of = s.terms(f.Text)
	f.sets = setsOf(f.terms)
	f.contraries = f.contrary()
	return f, nil
}

// longestSentence bounds in bytes what is read of a sentence.
const longestSentence = 1000

// Sentences returns a fact for each sentence of an expected answer that says something.
func (s *Synonyms) Sentences(text string) []*Fact {
	p := english.Read(text)
	var out []*Fact
	for first := 0; first < len(p.Words); {
		_, last := p.SentenceWords(p.Sentence(first))
		start := int(p.Words[first].Start)
		end := min(int(p.Words[last-1].End), start+longestSentence)
		f, err := s.Fact(oneLine(strings.ToValidUTF8(p.Source[start:end], "")))
		if err == nil && len(f.terms) > 0 {
			f.share = sentenceShare
			out = append(out, f)
		}
		first = last
	}
	return out
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// String returns the text as it was written.
func (f *Fact) String() string { return f.source }

// Covered reports whether an answer says the fact.
func (f *Fact) Covered(p *english.Text) bool { return f.Read(p).Outcome == Said }

// Stated reports whether an answer states the claim, without denying, asking or hedging it. It also reports an answer
// that is too long for the claim's pattern: nobody knows that it does not state it.
func (c *Claim) Stated(p *english.Text) bool { return c.Read(p).Outcome == Said || c.TooCostly(p) }

// Read returns how an answer stands to the fact. Its own words in a row come first, and no other rule overrules them.
// Otherwise one statement needs every amount and enough of the other terms, denied as the fact denies them, one of them
// more than supposed, and no check may find it contradicted.
func (f *Fact) Read(p *english.Text) Reading {
	switch {
	case f.pattern != nil && f.matched(p), f.pattern == nil && f.verbatim(p):
		return Reading{Outcome: Said}
	case len(f.terms) == 0:
		return Reading{}
	}
	return f.stated(p)
}

// TooCostly reports a fact whose pattern would take too long in an answer of that length. It is not covered.
func (f *Fact) TooCostly(p *english.Text) bool { return f.pattern != nil && f.pattern.tooCostly(p) }

const (
	wordsBeside    = 8 // words of a fact that take as long as everything but looking for its words
	stepsOfPattern = 8 // steps of a pattern that take as long as comparing two words
)

// Work returns about what it takes to look for the fact in an answer, in steps of 100 ns at most.
func (f *Fact) Work(p *english.Text) int {
	switch {
	case f.pattern != nil && f.pattern.mayMatch(p):
		return f.pattern.re.Steps(p.Source) / stepsOfPattern
	case f.pattern != nil:
		return 0
	}
	return (len(f.Text.Words) + wordsBeside) * len(p.Words)
}

// Addressed reports a fact with the address of a page or a mailbox, or a pattern that may look for one.
func (f *Fact) Addressed() bool {
	if f.pattern != nil {
		return strings.ContainsAny(f.source[1:len(f.source)-1], "/@") || strings.Contains(f.source, `\.`) ||
			strings.Contains(f.source, "www")
	}
	return slices.ContainsFunc(f.terms, func(t *term) bool { return t.address != "" })
}

// matched reports a match of the pattern that the answer says, and that no word outside of it denies.
func (f *Fact) matched(p *english.Text) bool {
	return slices.ContainsFunc(f.pattern.find(p), func(m []int) bool {
		from, to := p.WordsAt(m[0], m[1])
		meant := p.MannerOf(from, to)
		meant.Quoted, meant.Sure = f.meant.Quoted, f.meant.Sure
		for i := from; i < to; i++ {
			s := p.Standing(i, meant)
			if s == english.Unsaid || s == english.Supposed && f.meant.Sure {
				return false
			}
		}
		return from == to || !p.DeniesOutside(from, from, to)
	})
}
