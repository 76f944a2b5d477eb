package english

import "slices"

// Sentence is the number of the sentence in which a word stands.
func (p *Text) Sentence(i int) int32 { return p.Clauses[p.Words[i].Clause].Sentence }

// Content reports a word with a content of its own: neither a function word nor one that denies.
func (p *Text) Content(i int) bool {
	return p.Words[i].Class&(IsFunction|IsDenier) == 0
}

// Continues reports whether the word at i still speaks of what stands at from: it is in the same clause, or in a later
// one that has nothing of its own before it ("the refund, in any case, is guaranteed").
func (p *Text) Continues(from, i int) bool {
	c := p.Clauses[p.Words[i].Clause]
	if c.First <= from {
		return true
	}
	for k := c.First; k < i; k++ {
		if p.Content(k) || resuming[p.Words[k].Text] {
			return false
		}
	}
	return true
}

// Asserts reports whether the clauses of words[from:to] say what they hold: none is asked, supposed or reported, none
// hedges or speaks of a past unless that is meant, and what follows does not take it back.
func (p *Text) Asserts(from, to int, meant Manner) bool {
	return p.AssertsClauses(from, to, nil, meant)
}

// AssertsClauses is Asserts of words[from:to] of which only some clauses matter, nil for all: what is put in between may hedge.
func (p *Text) AssertsClauses(from, to int, clauses []int32, meant Manner) bool {
	if from >= to {
		return false
	}
	first, last := p.Words[from].Clause, p.Words[to-1].Clause
	for i := first; i <= last; i++ {
		c := &p.Clauses[i]
		matters := clauses == nil || slices.Contains(clauses, i)
		if first := p.Words[c.First].Text; !matters && (first == "as" || first == "unlike") {
			continue // as some say
		}
		if c.Open && !(meant.Supposed && c.Supposed && !c.Asked && !c.Reported && !c.quoted) {
			return false
		}
		if matters && (c.Hedged && !meant.Hedged || c.Past && !meant.Past) {
			return false
		}
	}
	return !p.takenBack(last)
}

// MannerOf returns how words[from:to] are meant.
func (p *Text) MannerOf(from, to int) Manner {
	is := func(c Class) bool {
		return slices.ContainsFunc(p.Words[from:to], func(w Word) bool { return w.Is(c) })
	}
	supposed := slices.ContainsFunc(p.Words[from:to], func(w Word) bool { return supposing[w.Text] || w.Text == "when" || w.Text == "once" })
	return Manner{is(IsHedge), is(isPast | isFormer), is(isFrom), supposed}
}

// DeniesOutside reports whether text[start:end] stands in a denial whose denying words are not its own.
func (p *Text) DeniesOutside(start, end int) bool {
	from, to := p.WordsAt(start, end)
	if from == to {
		return false
	}
	c := p.Clauses[p.Words[from].Clause]
	outside := c.negations
	for i := from; i < min(to, c.Last); i++ {
		if p.Words[i].Denial {
			outside--
		}
	}
	return outside%2 != 0
}

// StemAt is the stem of a word, "" behind the last one.
func (p *Text) StemAt(i int) string {
	if i >= len(p.Words) {
		return ""
	}
	return p.Words[i].Stem
}

// Hyphened reports that a hyphen joins the word at i to the one before.
func (p *Text) Hyphened(i int) bool {
	return i > 0 && i < len(p.Words) && p.Words[i-1].End+1 == p.Words[i].Start && p.Source[p.Words[i-1].End] == '-'
}

// Upper reports a word that begins with an ASCII capital.
func (p *Text) Upper(i int) bool {
	c := p.Source[p.Words[i].Start]
	return c >= 'A' && c <= 'Z'
}
