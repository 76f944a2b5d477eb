package fact

import (
	"github.com/failproof/failproof/internal/english"
	"github.com/failproof/failproof/internal/literal"
)

// Claim is something that an answer must not state: text, or a regular expression between slashes. It is read only.
type Claim struct {
	wording
	meant english.Manner
}

// Claim compiles a forbidden claim. The error is a fault of the user's text.
func (s *Synonyms) Claim(text string) (*Claim, error) {
	w, p, err := s.wording(text, "state")
	if err != nil {
		return nil, err
	}
	c := &Claim{wording: w}
	if w.pattern == nil {
		c.meant = p.Manner()
	}
	return c, nil
}

// How many words with content may stand between the terms of a claim, for each term that follows the first.
const (
	wordsBetween  = 4 // in the claim's order
	wordsScramble = 1 // in any other
)

// wordsReach bounds in words, of content or not, how far the terms of a claim stand apart.
const wordsReach = 64

// Stated reports whether an answer states the claim: says it, without denying, asking, reporting or hedging it.
func (c *Claim) Stated(p *english.Text) bool {
	switch {
	case c.pattern != nil:
		for _, m := range c.pattern.find(p) {
			if from, to := p.WordsAt(m[0], m[1]); p.Asserts(from, to, p.MannerOf(from, to)) && !p.DeniesOutside(m[0], m[1]) {
				return true
			}
		}
		return false
	case len(c.terms) == 0:
		return c.literal(p, func(at int) bool { return p.Asserts(at, at+1, c.meant) && !p.Denies(at) })
	}
	return c.said(p)
}

// said looks for the terms of the claim close together, starting from each place of the first one.
func (c *Claim) said(p *english.Text) (found bool) {
	tried := 0
	c.terms[0].find(p, func(at place) bool {
		tried++
		found = c.saidFrom(p, at)
		return !found && tried < literal.MatchesTried
	})
	return found
}

// saidFrom reports whether the other terms stand near one place of the first, each with the denial that the claim has.
func (c *Claim) saidFrom(p *english.Text, start place) bool {
	if p.Denies(start.from) != c.terms[0].negative {
		return false
	}
	from, to := start.from, start.to
	for _, t := range c.terms[1:] {
		at, ok := c.after(p, t, start)
		if !ok {
			at, ok = c.before(p, t, start)
		}
		if !ok {
			return false
		}
		from, to = min(from, at.from), max(to, at.to)
	}
	return p.Asserts(from, to, c.meant)
}

func (c *Claim) after(p *english.Text, t term, start place) (place, bool) {
	sentence, skipped := p.Sentence(start.from), 0
	for i := start.to; i < min(len(p.Words), start.to+wordsReach) && skipped <= wordsBetween*(len(c.terms)-1) && p.Sentence(i) == sentence; i++ {
		if n := t.standsAt(p, i); n > 0 && p.Denies(i) == t.negative && p.Continues(start.from, i) {
			return place{i, i + n}, true
		}
		if p.Content(i) {
			skipped++
		}
	}
	return place{}, false
}

func (c *Claim) before(p *english.Text, t term, start place) (place, bool) {
	sentence, skipped := p.Sentence(start.from), 0
	for i := start.from - 1; i >= max(0, start.from-wordsReach) && skipped <= wordsScramble*(len(c.terms)-1) && p.Sentence(i) == sentence; i-- {
		if n := t.standsAt(p, i); n > 0 && p.Denies(i) == t.negative && p.Clauses[p.Words[i].Clause].Last > start.from {
			return place{i, i + n}, true
		}
		if p.Content(i) {
			skipped++
		}
	}
	return place{}, false
}
