package fact

import (
	"errors"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// frame is a fact or a claim taken apart: its terms, their order, and what would contradict them.
type frame struct {
	text       *english.Text
	source     string
	pattern    *literal.Pattern // nil for text; ignores letter case
	terms      []*term
	termOf     []int // the index of the term of each word in text, or english.NoWord
	strictness strictness
	uses       english.Uses // how the answer may state the fact's words

	optional, required, negative termSet
	reversals
	extent
}

// compile compiles text, which is plain or a pattern between slashes. For a text without words, it returns an error
// with the given verb, such as "contain".
func (s *Synonyms) compile(text, verb string, b strictness) (*frame, error) {
	f := &frame{source: text, text: english.Parse(text), strictness: b, uses: b.uses}
	if n := len(text); n > 2 && text[0] == '/' && text[n-1] == '/' {
		var err error
		f.pattern, err = literal.Compile(text[1:n-1], "(?i)"+english.Tidy(text[1:n-1]))
		return f, err
	}
	if len(f.text.Words) == 0 {
		return f, errors.New("no word in it that an answer could " + verb)
	}
	f.uses = english.UsesOf(f.text, 0, len(f.text.Words))
	f.uses.Quoted, f.uses.Sure = b.uses.Quoted, b.uses.Sure
	f.terms, f.termOf = s.terms(f.text)
	f.optional = setOf(f.terms, func(t *term) bool { return t.optional })
	f.required = setOf(f.terms, func(t *term) bool { return t.required })
	f.negative = setOf(f.terms, func(t *term) bool { return t.negative })
	f.reversals, f.extent = newReversals(f), newExtent(f)
	return f, nil
}

// match returns whether an answer says or contradicts the frame. An answer says the frame if it has the frame's own
// words in a row, or matches its pattern. Otherwise the answer needs a statement that has every amount, enough of the
// other terms, and the frame's denial. The statement must not be entirely hypothetical, and no check may find that it
// contradicts the frame.
func (f *frame) match(p *english.Text) MatchResult {
	switch {
	case f.pattern != nil:
		return matchPattern(f, p)
	case isVerbatim(f, p):
		return MatchResult{Outcome: Said}
	case len(f.terms) == 0:
		return MatchResult{}
	}
	return newReading(f, p).match()
}

// String returns the fact or claim as it was written.
func (f *frame) String() string { return f.source }

// TooCostly reports whether looking for the pattern in this answer would take too long. Then a fact is not covered, and
// a claim counts as stated.
func (f *frame) TooCostly(p *english.Text) bool {
	return f.pattern != nil && f.pattern.TooCostly(p.Source)
}

const (
	fixedWordCost = 8 // fixed cost per word of the answer, counted in words of a fact
	stepsPerUnit  = 8 // steps of a pattern that cost as much as comparing two words
)

// Cost returns roughly the cost of looking for the fact or claim in an answer, in steps of at most 100 ns.
func (f *frame) Cost(p *english.Text) int {
	if f.pattern != nil {
		return f.pattern.Steps(p.Source) / stepsPerUnit
	}
	return (len(f.text.Words) + fixedWordCost) * len(p.Words)
}

// matchPattern returns whether the answer states a match of the pattern, or denies the only ones. A match that is
// denied by a word outside of it, asked or supposed does not count.
func matchPattern(f *frame, p *english.Text) (result MatchResult) {
	for _, m := range f.pattern.Matches(p.Source) {
		from, to := p.WordsAt(m[0], m[1])
		switch {
		case !isMeant(f, p, from, to):
		case from == to || !p.DeniesOutside(from, from, to):
			return MatchResult{Outcome: Said}
		case result.Outcome == NotFound:
			result = contradiction(p, from, to-1)
		}
	}
	return result
}

// isMeant reports whether an answer that has words[from:to] means them, as far as a fact or a claim needs.
func isMeant(f *frame, p *english.Text, from, to int) bool {
	meant := english.UsesOf(p, from, to)
	meant.Quoted, meant.Sure = f.strictness.uses.Quoted, f.strictness.uses.Sure
	for i := from; i < to; i++ {
		s := p.FactualityOf(i, meant)
		if s == english.Unsaid || s == english.Supposed && f.strictness.uses.Sure {
			return false
		}
	}
	return true
}
