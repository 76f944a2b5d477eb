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

// saidFrom reports whether the other terms stand near one place of the first, or near a word that goes on with its subject: "The warranty
// doesn't cover theft. It does cover damage."
func (c *Claim) saidFrom(p *english.Text, start place) bool {
	if c.owns(p, start) {
		return false
	}
	if c.follow(p, start, c.terms[1:]) {
		return true
	}
	rest := c.terms[1:]
	behind := func() bool { // its subject may go on
		return start.to < len(p.Words) && p.Sentence(start.to) == p.Sentence(start.from) && !p.Parted(start.to)
	}
	for len(rest) > 0 && behind() {
		n := rest[0].standsAt(p, start.to)
		if n == 0 {
			break
		}
		start.to, rest = start.to+n, rest[1:]
	}
	if len(rest) == 0 || len(rest)+1 < len(c.terms) && behind() && p.Content(start.to) {
		return false // what stands behind the first may as well be its verb
	}
	for i := range p.TakenUp(start.from, start.to) {
		if c.follow(p, place{i, i}, rest) {
			return true
		}
	}
	return false
}

// follow reports whether terms stand near a place of those before them, each with the denial that the claim has, and all of it is asserted. What
// stands alone before something put in is denied where the sentence goes on: "verbal contracts, in general, are never binding".
func (c *Claim) follow(p *english.Text, start place, terms []term) bool {
	alone := p.LeftAlone(start.from)
	if p.Denies(start.from) != c.terms[0].negative && !(alone && c.terms[0].negative) {
		return false
	}
	x := chain{start: start, last: p.Words[start.from].Clause, alone: alone}
	first, to, beyond := start.from, max(start.to, start.from+1), !alone
	clauses := []int32{x.last}
	for _, t := range terms {
		at, ok := c.after(p, t, x)
		if !ok {
			at, ok = c.before(p, t, x)
		}
		if !ok {
			return false
		}
		x.last = p.Words[at.from].Clause
		clauses = append(clauses, x.last)
		beyond = beyond || x.last != clauses[0]
		first, to = min(first, at.from), max(to, at.to)
	}
	return (beyond || p.Denies(start.from) == c.terms[0].negative) && p.AssertsClauses(first, to, clauses, c.meant)
}

// chain is what of a claim has been found: the place it is looked for from, the clause of the term found last, and whether the place stands
// alone before something put in.
type chain struct {
	start place
	last  int32
	alone bool
}

func (c *Claim) after(p *english.Text, t term, x chain) (place, bool) {
	from, skipped := x.start.from, 0
	sentence := p.Sentence(from)
	for i := x.start.to; i < min(len(p.Words), x.start.to+wordsReach) && skipped <= wordsBetween*(len(c.terms)-1) && p.Sentence(i) == sentence; i++ {
		if n := t.standsAt(p, i); n > 0 {
			same := x.alone && p.Words[i].Clause == p.Words[from].Clause
			if (same || p.Denies(i) == t.negative) && (p.Words[i].Clause == x.last || p.Continues(from, i)) {
				return place{i, i + n}, true
			}
		}
		if p.Content(i) {
			skipped++
		}
	}
	return place{}, false
}

func (c *Claim) before(p *english.Text, t term, x chain) (place, bool) {
	from, skipped := x.start.from, 0
	sentence := p.Sentence(from)
	for i := from - 1; i >= max(0, from-wordsReach) && p.Sentence(i) == sentence; i-- {
		same := p.Clauses[p.Words[i].Clause].Last > from
		if same && skipped > wordsScramble*(len(c.terms)-1) || skipped > wordsBetween*(len(c.terms)-1) {
			break
		}
		if n := t.standsAt(p, i); n > 0 && p.Denies(i) == t.negative && (same || p.LeadsInto(i, from)) {
			return place{i, i + n}, true
		}
		if p.Content(i) {
			skipped++
		}
	}
	return place{}, false
}
