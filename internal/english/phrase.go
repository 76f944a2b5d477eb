package english

import (
	"slices"
	"sort"
	"strings"
)

// Phrase is a part of a text between two borders. A border is a mark, a word that begins a clause, or an "and" after a
// whole statement.
type Phrase struct {
	First, Last    int // words, half open
	StartsSentence bool
	// continues the phrase before: by a pronoun or a preposition, as a condition or a reason, or after a colon
	Continues bool
	HasVerb   bool // has an auxiliary verb after its first word
	Aside     bool // begins a sentence that continues after this phrase: "As for merge sort, …"
	Lead      Lead // the line that introduces its line: a heading, the head of a table, or a line that ends in a colon
}

// Lead is the half-open range of words of the line that introduces the lines after it, such as a heading. It is empty
// if there is no such line.
type Lead struct{ First, Last int }

// statementWords is the least number of content words in a statement without a known verb. takesUpWords is the number
// of words at the beginning of a phrase in which a pronoun that refers to something before is searched for.
const (
	statementWords = 3
	takesUpWords   = 4
)

// Phrases returns the phrases of the text. It computes them once.
func (t *Text) Phrases() []Phrase {
	if t.phrases != nil || len(t.Words) == 0 {
		return t.phrases
	}
	t.phrases = make([]Phrase, 0, len(t.Clauses)+len(t.Words)/16+1)
	x, m := unfinished{}, 0
	for i := range t.Words {
		w := &t.Words[i]
		var e edge
		e, m = edgeAt(t, i, m)
		and := w.Text == "and" && (x.verb || x.content >= statementWords)
		apart := e > seamless || and || i > 0 && w.Clause != t.Words[i-1].Clause
		if i > x.first && apart && !(w.InAmount && w.Quantity == nil) {
			t.phrases = append(t.phrases, x.phrase(t, i))
			x = unfinished{first: i, at: e}
		}
		if weighs(t, i) {
			x.content++
		}
		x.verb = x.verb || acts(t, i)
	}
	t.phrases = append(t.phrases, x.phrase(t, len(t.Words)))
	leads(t)
	return t.phrases
}

// unfinished is a phrase whose end is not found yet. It has the phrase's first word, its number of content words, the
// border before it, and whether it has a verb.
type unfinished struct {
	first, content int
	at             edge
	verb           bool
}

// phrase returns the finished phrase. end is the index after its last word.
func (u unfinished) phrase(p *Text, end int) Phrase {
	x := Phrase{First: u.first, Last: end, StartsSentence: u.first == 0 ||
		p.SentenceOf(u.first) != p.SentenceOf(u.first-1)}
	i := u.first
	for i+1 < end && joining[p.Words[i].Text] {
		i++
	}
	x.Continues = !x.StartsSentence && u.joins(p, i, end) || takesUp(p, i, end)
	x.Aside = x.StartsSentence && end < len(p.Words) && p.SentenceOf(end) == p.SentenceOf(u.first)
	auxiliary := func(w Word) bool { return w.Is(isAuxiliary) }
	x.HasVerb = slices.ContainsFunc(p.Words[i+1:end], auxiliary)
	if n := len(p.phrases); n > 0 && !x.StartsSentence && !x.Continues {
		x.Continues = partial(p, p.phrases[n-1])
	}
	return x
}

// joins reports whether the phrase continues the phrase before it. It does if it begins with a preposition or a
// conjunction, follows a colon, ends a list, or is too short for a statement. i is the index of its first word that is
// not a joining word such as "and".
func (u unfinished) joins(p *Text, i, last int) bool {
	ands := func(w Word) bool { return w.Text == "and" || w.Text == "or" }
	listed := u.at == comma && u.content < statementWords && slices.ContainsFunc(p.Words[u.first:last], ands)
	slight := !u.verb && (u.content < statementWords-1 || u.at == seamless && i == u.first || listed)
	w := p.Words[i].Text
	return subordinate[w] || adjunct[w] || slight || strings.Contains(between(p, u.first), ":")
}

// takesUp reports whether words[from:to] begin with a pronoun that refers to something before them.
func takesUp(p *Text, from, to int) bool {
	for k := from; k < min(to, from+takesUpWords); k++ {
		w := p.Words[k].Text
		if anaphora[w] && (k == from || k+1 == to || w == "it" || w == "them") {
			return true
		}
	}
	return false
}

// partial reports whether phrase x is no statement. Such a phrase has no known verb and few content words.
func partial(p *Text, x Phrase) bool {
	content := 0
	for i := x.First; i < x.Last; i++ {
		if acts(p, i) {
			return false
		}
		if weighs(p, i) {
			content++
		}
	}
	return content < statementWords
}

// acts reports whether the word at i is an auxiliary verb. The month May is not one.
func acts(p *Text, i int) bool { return p.Words[i].Is(isAuxiliary) && !p.Words[i].InAmount }

// weighs reports whether the word at i has content, and is not inside an amount.
func weighs(p *Text, i int) bool {
	w := &p.Words[i]
	return p.IsContent(i) && (!w.InAmount || w.Quantity != nil)
}

// leads finds, for each line, the line that introduces it: a heading, the head of a table, or a line that ends in a
// colon.
func leads(p *Text) {
	var lead Lead
	heading, table := false, false
	for i := 0; i < len(p.phrases); {
		to := i + 1
		for to < len(p.phrases) && p.Words[p.phrases[to].First].Line == p.Words[p.phrases[i].First].Line {
			to++
		}
		first, last := p.phrases[i].First, p.phrases[to-1].Last
		before := between(p, first)
		before = strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) // the marks before the first word
		behind, _, _ := strings.Cut(between(p, last), "\n")
		row := strings.Contains(before, "|")
		title := strings.HasPrefix(before, "#") || strings.HasPrefix(before, "**")
		item := !row && !title && bulleted(p.Words[first], before)
		switch {
		case title, strings.Trim(behind, "* ") == ":" && !item, row && !table:
			lead, heading = Lead{first, last}, title
		case item, row, heading:
			for k := i; k < to; k++ {
				p.phrases[k].Lead = lead
			}
		default:
			lead = Lead{}
		}
		table = row
		i = to
	}
}

// PhraseOf returns the phrase that contains the word at i.
func (t *Text) PhraseOf(i int) Phrase {
	all := t.Phrases()
	return all[sort.Search(len(all), func(k int) bool { return all[k].Last > i })]
}
