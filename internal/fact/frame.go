package fact

import (
	"errors"
	"slices"

	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// frame is a fact or a claim taken apart: its terms, their order, and what would contradict them.
type frame struct {
	text    *english.Text
	source  string
	pattern *literal.Pattern // nil for text; ignores letter case
	terms   []*term
	of      []int // the index of the term of each word in text, or english.NoWord
	bias    bias
	meant   english.Manner // how the answer may state the fact's words
	sets
	contraries
}

// frame compiles text, which is plain or a pattern between slashes. For a text without words, it returns an error with
// the verb do, such as "contain".
func (s *Synonyms) frame(text, do string, b bias) (*frame, error) {
	f := &frame{source: text, text: english.Read(text), bias: b, meant: b.manner}
	if n := len(text); n > 2 && text[0] == '/' && text[n-1] == '/' {
		var err error
		f.pattern, err = literal.Compile(text[1:n-1], "(?i)"+english.Tidy(text[1:n-1]))
		return f, err
	}
	if len(f.text.Words) == 0 {
		return f, errors.New("no word in it that an answer could " + do)
	}
	f.meant = english.MannerOf(f.text, 0, len(f.text.Words))
	f.meant.Quoted, f.meant.Sure = b.manner.Quoted, b.manner.Sure
	f.terms, f.of = s.terms(f.text)
	f.sets = setsOf(f.terms)
	f.contraries = contrary(f)
	return f, nil
}

// read returns whether an answer says or contradicts the frame. An answer says the frame if it has the frame's own
// words in a row, or matches its pattern. Otherwise the answer needs a statement that has every amount, enough of the
// other terms, and the frame's denial. The statement must not be entirely hypothetical, and no check may find that it
// contradicts the frame.
func (f *frame) read(p *english.Text) Reading {
	switch {
	case f.pattern != nil && matched(f, p), f.pattern == nil && verbatim(f, p):
		return Reading{Outcome: Said}
	case len(f.terms) == 0:
		return Reading{}
	}
	return f.stated(p)
}

// tooCostly reports whether the answer is so long that matching the frame's pattern would take too long.
func tooCostly(f *frame, p *english.Text) bool {
	return f.pattern != nil && f.pattern.TooCostly(p.Source)
}

const (
	wordsBeside    = 8 // fixed cost per word of the answer, counted in words of a fact
	stepsOfPattern = 8 // steps of a pattern that cost as much as comparing two words
)

// work returns roughly the cost of looking for a frame in an answer, in steps of at most 100 ns.
func work(f *frame, p *english.Text) int {
	if f.pattern != nil {
		return f.pattern.Steps(p.Source) / stepsOfPattern
	}
	return (len(f.text.Words) + wordsBeside) * len(p.Words)
}

// matched reports whether the answer states a match of the pattern. A match does not count if a word outside of the
// match denies it.
func matched(f *frame, p *english.Text) bool {
	return slices.ContainsFunc(f.pattern.Matches(p.Source), func(m []int) bool {
		from, to := p.WordsAt(m[0], m[1])
		meant := english.MannerOf(p, from, to)
		meant.Quoted, meant.Sure = f.bias.manner.Quoted, f.bias.manner.Sure
		for i := from; i < to; i++ {
			s := p.Standing(i, meant)
			if s == english.Unsaid || s == english.Supposed && f.bias.manner.Sure {
				return false
			}
		}
		return from == to || !p.DeniesOutside(from, from, to)
	})
}
