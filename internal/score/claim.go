package score

import "errors"

// Claim is something that an answer must not state: text, or a regular expression between slashes. It is read only.
type Claim struct {
	source  string
	pattern *pattern // nil for text
	terms   []term
	words   []string // stems in a row, where the text has no term
	hedged  bool     // the claim itself has a word that hedges
}

// Claim compiles a forbidden claim. The error is a fault of the user's text.
func (s *Synonyms) Claim(text string) (*Claim, error) {
	c := &Claim{source: text}
	if source, ok := between(text); ok {
		re, err := compile(source)
		c.pattern = re
		return c, err
	}
	p := readProse(text)
	if len(p.words) == 0 {
		return nil, errors.New("no word in it that an answer could state")
	}
	for _, clause := range p.clauses {
		c.hedged = c.hedged || clause.hedged
	}
	c.terms = s.terms(p)
	if len(c.terms) == 0 {
		c.words = stemsOf(p.words)
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

// stated reports whether an answer states the claim: says it, without denying, asking, reporting or hedging it.
func (c *Claim) stated(p *prose) bool {
	switch {
	case c.pattern != nil:
		for _, m := range c.pattern.find(p) {
			if from, to := p.at(m[0], m[1]); p.asserts(from, to, c.hedged || p.hedges(from, to)) && !p.deniesOutside(m[0], m[1]) {
				return true
			}
		}
		return false
	case len(c.terms) == 0:
		return c.literal(p)
	}
	return c.said(p)
}

func (c *Claim) literal(p *prose) bool {
	for i := p.firstOf(c.words[0]); i != none; i = p.next[i] {
		if at := int(i); stands(p.words, at, c.words) && p.asserts(at, at+1, c.hedged) && !p.denies(at) {
			return true
		}
	}
	return false
}

// said looks for the terms of the claim close together, starting from each place of the first one.
func (c *Claim) said(p *prose) (found bool) {
	tried := 0
	c.terms[0].find(p, func(at place) bool {
		tried++
		found = c.saidFrom(p, at)
		return !found && tried < matchesTried
	})
	return found
}

// saidFrom reports whether the other terms stand near one place of the first, each with the denial that the claim has.
func (c *Claim) saidFrom(p *prose, start place) bool {
	if p.denies(start.from) != c.terms[0].negative {
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
	return p.asserts(from, to, c.hedged)
}

func (c *Claim) after(p *prose, t term, start place) (place, bool) {
	sentence, skipped := p.sentence(start.from), 0
	for i := start.to; i < min(len(p.words), start.to+wordsReach) && skipped <= wordsBetween*(len(c.terms)-1) && p.sentence(i) == sentence; i++ {
		if n := t.standsAt(p, i); n > 0 && p.denies(i) == t.negative && p.continues(start.from, i) {
			return place{i, i + n}, true
		}
		if p.content(i) {
			skipped++
		}
	}
	return place{}, false
}

func (c *Claim) before(p *prose, t term, start place) (place, bool) {
	sentence, skipped := p.sentence(start.from), 0
	for i := start.from - 1; i >= max(0, start.from-wordsReach) && skipped <= wordsScramble*(len(c.terms)-1) && p.sentence(i) == sentence; i-- {
		if n := t.standsAt(p, i); n > 0 && p.denies(i) == t.negative && p.clauses[p.words[i].clause].last > start.from {
			return place{i, i + n}, true
		}
		if p.content(i) {
			skipped++
		}
	}
	return place{}, false
}

func (p *prose) sentence(i int) int32 { return p.clauses[p.words[i].clause].sentence }

func (p *prose) content(i int) bool {
	return p.words[i].class&(isFunction|isDenier) == 0
}

// continues reports whether the word at i still speaks of what stands at from: it is in the same clause, or in a later
// one that has nothing of its own before it ("the refund, in any case, is guaranteed").
func (p *prose) continues(from, i int) bool {
	c := p.clauses[p.words[i].clause]
	if c.first <= from {
		return true
	}
	for k := c.first; k < i; k++ {
		if p.content(k) || resuming[p.words[k].text] {
			return false
		}
	}
	return true
}

// asserts reports whether the clauses of words[from:to] say what they hold: none is asked, supposed or reported, none
// hedges unless that is allowed, and what follows does not take it back.
func (p *prose) asserts(from, to int, hedged bool) bool {
	if from >= to {
		return false
	}
	first, last := p.words[from].clause, p.words[to-1].clause
	for _, c := range p.clauses[first : last+1] {
		if c.open || c.hedged && !hedged {
			return false
		}
	}
	return !p.takenBack(last)
}

// hedges reports a word that hedges among words[from:to].
func (p *prose) hedges(from, to int) bool {
	for _, w := range p.words[from:to] {
		if w.is(isHedge) {
			return true
		}
	}
	return false
}
