// Package fact finds in an English answer the key facts that the answer covers and the forbidden claims that it states.
// It also finds obligations, clause numbers and names of rules that the answer's sources lack. Facts and claims are
// compiled once and matched against parsed texts. The package knows no metric, label or suite.
package fact

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// Outcome tells whether an answer says, contradicts or omits a fact or a claim.
type Outcome uint8

// MatchResult is the outcome of matching a fact or a claim against an answer.
type MatchResult struct {
	Outcome  Outcome
	Sentence string // the sentence that contradicts the fact or claim, or "" if it is too long to be quoted
}

// maxQuotedBytes is the length in bytes of the longest sentence that is quoted. A longer one is left out, because a
// truncated secret would not be recognized as one.
const maxQuotedBytes = 300

const (
	NotFound     Outcome = iota // no match: the answer neither says nor contradicts the fact
	Contradicted                // the answer has the fact's terms, but denied, with an opposite or with a rival amount
	Said
)

// Fact is a statement that an answer should make: text, or a regular expression between slashes. It is read only.
type Fact struct{ *frame }

// Claim is a statement that an answer must not make: text, or a regular expression between slashes. It is read only.
type Claim struct{ *frame }

// strictness is how strictly a fact or a claim is matched. It decides which mistake is preferred in doubt.
type strictness struct {
	minShare float64      // the least share of the terms that a statement needs
	uses     english.Uses // what counts besides plain statements
	strict   bool         // an ambiguous or narrower statement does not count
}

// factStrictness and claimStrictness are for facts and for claims. In doubt, a fact counts as not covered, and a claim
// counts as stated. A quotation may cover a fact. A claim needs all of its terms. If an answer has them, only an
// explicit denial keeps it from stating the claim.
var (
	factStrictness  = strictness{minShare: 0.7, uses: english.Uses{Quoted: true}, strict: true}
	claimStrictness = strictness{minShare: 1, uses: english.Uses{Sure: true}}
)

// sentenceShare is the share of its terms that an answer needs to cover a sentence of the expected answer.
const sentenceShare = 0.6

// Fact compiles a key fact. It returns an error if the text has no words or is an invalid regular expression.
func (s *Synonyms) Fact(text string) (*Fact, error) {
	f, err := s.compile(text, "contain", factStrictness)
	return &Fact{f}, err
}

// Claim compiles a forbidden claim. It returns an error if the text has no words or is an invalid regular expression.
func (s *Synonyms) Claim(text string) (*Claim, error) {
	f, err := s.compile(text, "state", claimStrictness)
	return &Claim{f}, err
}

// maxSentenceBytes is the largest number of bytes of a sentence that Sentences reads.
const maxSentenceBytes = 1000

// Sentences returns a fact for each sentence of text, an expected answer. It leaves out sentences without a term.
func (s *Synonyms) Sentences(text string) []*Fact {
	p := english.Parse(text)
	var out []*Fact
	for first := 0; first < len(p.Words); {
		_, last := p.SentenceWords(p.SentenceOf(first))
		start := int(p.Words[first].Start)
		end := min(int(p.Words[last-1].End), start+maxSentenceBytes)
		f, err := s.Fact(oneLine(strings.ToValidUTF8(p.Source[start:end], "")))
		if err == nil && len(f.terms) > 0 {
			f.strictness.minShare = sentenceShare
			out = append(out, f)
		}
		first = last
	}
	return out
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Text returns the fact's text as parsed English.
func (f *Fact) Text() *english.Text { return f.text }

// IsPattern reports whether the fact is a regular expression.
func (f *Fact) IsPattern() bool { return f.pattern != nil }

// Match returns whether an answer says, contradicts or omits the fact.
func (f *Fact) Match(p *english.Text) MatchResult { return f.match(p) }

// StatedIn reports whether an answer states the claim without denying, asking or hedging it. It also reports true for
// an answer that is too long to be searched for the claim's pattern.
func (c *Claim) StatedIn(p *english.Text) bool {
	return c.match(p).Outcome == Said || c.TooCostly(p)
}

// HasAddress reports whether the fact holds the address of a page or mailbox, or is a pattern that may match one.
func (f *Fact) HasAddress() bool {
	if f.pattern != nil {
		return strings.ContainsAny(f.source[1:len(f.source)-1], "/@") || strings.Contains(f.source, `\.`) ||
			strings.Contains(f.source, "www")
	}
	return slices.ContainsFunc(f.terms, func(t *term) bool { return t.address != "" })
}
