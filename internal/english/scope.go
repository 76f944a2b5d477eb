package english

import (
	"slices"
	"sort"
)

// Sentence is the number of the sentence in which a word stands.
func (p *Text) Sentence(i int) int32 { return p.Clauses[p.Words[i].Clause].Sentence }

// SentenceWords are the words of a sentence, half open.
func (p *Text) SentenceWords(sentence int32) (first, last int) {
	from := sort.Search(len(p.Clauses), func(i int) bool { return p.Clauses[i].Sentence >= sentence })
	to := sort.Search(len(p.Clauses), func(i int) bool { return p.Clauses[i].Sentence > sentence })
	return p.Clauses[from].First, p.Clauses[to-1].Last
}

// between is the text before the word at i, from the end of the one before it; behind the last word, all that is left.
func (p *Text) between(i int) string {
	start, end := 0, len(p.Source)
	if i > 0 {
		start = int(p.Words[i-1].End)
	}
	if i < len(p.Words) {
		end = int(p.Words[i].Start)
	}
	return p.Source[start:end]
}

// Content reports a word with a content of its own: neither a function word nor one that denies.
func (p *Text) Content(i int) bool {
	return p.Words[i].Class&(IsFunction|IsDenier) == 0
}

// MannerOf returns how words[from:to] are meant.
func (p *Text) MannerOf(from, to int) Manner {
	is := func(c Class) bool {
		return slices.ContainsFunc(p.Words[from:to], func(w Word) bool { return w.Is(c) })
	}
	supposed := slices.ContainsFunc(p.Words[from:to], func(w Word) bool { return supposing[w.Text] || w.Text == "when" || w.Text == "once" })
	return Manner{Hedged: is(IsHedge), Past: is(isPast | isFormer), From: is(isFrom), Supposed: supposed}
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

// Hyphened reports that a hyphen joins the word at i to the one before.
func (p *Text) Hyphened(i int) bool {
	return i > 0 && i < len(p.Words) && p.Words[i-1].End+1 == p.Words[i].Start && p.Source[p.Words[i-1].End] == '-'
}

// Upper reports a word that begins with an ASCII capital.
func (p *Text) Upper(i int) bool {
	c := p.Source[p.Words[i].Start]
	return c >= 'A' && c <= 'Z'
}
