package english

import (
	"sort"
	"strings"
)

// Phrase is a part of a text between two borders: a mark, the word that begins a clause, or an "and" behind a whole statement. What stands in
// it is said together; it may go on with what the one before it speaks of.
type Phrase struct {
	First, Last int  // words, half open
	Starts      bool // it begins a sentence
	Joins       bool // it goes on with the one before: by a pronoun or a preposition, as a condition or a reason, behind a colon
	TakesUp     bool // it does so by a pronoun
	Own         bool // it seems to have a subject of its own
	Aside       bool // it begins a sentence that goes on behind it, or in which the writer speaks of himself: "As for merge sort, I …"
	Leads       bool // it begins a sentence from which a comma parts it, or says nothing: "There is …"
	Row         bool // of a table
	Under       Lead // what its line stands under, a heading, the head of a table, or a line that ends in a colon
}

// Lead is the words of a line under which others stand, half open; empty for none.
type Lead struct{ First, Last int }

var (
	subordinate = Set("if when whenever once because since as so until till unless where which who whom whose that than after before given due provided providing")
	adjunct     = Set("in on at by for with from to within during under over through per via about of into like despite without instead upon among according thanks")
	anaphora    = Set("it its their they them this that these those he she him both")
	joining     = Set("and or but then also so too however though yet therefore thus moreover furthermore additionally instead still afterwards")
	determiners = Set("a an the your our my their its his her this that these those every each all any no")
)

// Bounds of what makes a phrase a statement of its own, and of where a pronoun takes up what went before.
const (
	statementWords = 3 // words with content, where no verb is known
	takesUpWords   = 4
)

// Phrases returns the phrases of the text, cut once.
func (p *Text) Phrases() []Phrase {
	if p.phrases != nil || len(p.Words) == 0 {
		return p.phrases
	}
	p.phrases = make([]Phrase, 0, len(p.Clauses)+len(p.Words)/16+1)
	content, verb, m := 0, false, 0
	var e edge
	first, at := 0, seamless
	for i := range p.Words {
		w := &p.Words[i]
		e, m = p.edge(i, m)
		if i > first && !(w.Amount && w.Quantity == nil) && (e > seamless || w.Clause != p.Words[i-1].Clause || (w.Text == "and" || w.Text == "or") && (verb || content >= statementWords)) {
			p.phrase(first, i, at, content, verb)
			first, at, content, verb = i, e, 0, false
		}
		if p.weighs(i) {
			content++
		}
		verb = verb || p.acts(i)
	}
	p.phrase(first, len(p.Words), at, content, verb)
	p.lead()
	return p.phrases
}

// phrase appends the words between two borders, with what tells whether they go on.
func (p *Text) phrase(first, last int, at edge, content int, verb bool) {
	x := Phrase{First: first, Last: last, Starts: first == 0 || p.Sentence(first) != p.Sentence(first-1)}
	i := first
	for i < last && joining[p.Words[i].Text] {
		i++
	}
	if i == last {
		i = first
	}
	w := p.Words[i].Text
	x.Joins = !x.Starts && (subordinate[w] || adjunct[w] || !verb && (content < statementWords-1 || at == seamless && i == first) || strings.Contains(p.between(first), ":") || at == comma && p.members(first, last))
	for k := i; k < min(last, i+takesUpWords) && !x.TakesUp; k++ {
		x.TakesUp = anaphora[p.Words[k].Text] && !(k+1 < last && k > i && p.Content(k+1) && p.Words[k].Text != "it" && p.Words[k].Text != "them")
	}
	x.Joins = x.Joins || x.TakesUp
	x.Aside = x.Starts && last < len(p.Words) && p.Sentence(last) == p.Sentence(first)
	x.Leads = x.Starts && content == 0 || x.Aside && strings.HasPrefix(p.between(last), ",")
	for k := i; k < last; k++ {
		x.Aside = x.Aside || p.Words[k].Text == "i"
	}
	x.Own = determiners[w]
	for k := i + 1; k < last && !x.Own; k++ {
		x.Own = p.Words[k].Is(isAuxiliary) && p.Content(i)
	}
	if n := len(p.phrases); n > 0 && !x.Starts && !x.Joins {
		before := p.phrases[n-1]
		x.Joins = p.partial(before) || before.Starts && (subordinate[p.Words[before.First].Text] || adjunct[p.Words[before.First].Text])
	}
	p.phrases = append(p.phrases, x)
}

// members reports words that only end a list: "fires and floods", "fires, or the floods".
func (p *Text) members(from, to int) bool {
	nouns, ands := 0, 0
	for i := from; i < to; i++ {
		switch w := &p.Words[i]; {
		case w.Text == "and" || w.Text == "or":
			ands++
		case p.Content(i) && !w.Past() && !w.Amount:
			nouns++
		case !determiners[w.Text]:
			return false
		}
	}
	return ands == 1 && nouns == 2
}

// partial reports a phrase that is no statement: it has no verb that is known, and few words with content.
func (p *Text) partial(x Phrase) bool {
	content := 0
	for i := x.First; i < x.Last; i++ {
		if p.acts(i) {
			return false
		}
		if p.weighs(i) {
			content++
		}
	}
	return content < statementWords
}

// acts reports an auxiliary; the May of a date is none.
func (p *Text) acts(i int) bool { return p.Words[i].Is(isAuxiliary) && !p.Words[i].Amount }

// weighs reports a word with content, or the first of an amount.
func (p *Text) weighs(i int) bool {
	w := &p.Words[i]
	return p.Content(i) && (!w.Amount || w.Quantity != nil)
}

// lead finds what each line of phrases stands under.
func (p *Text) lead() {
	var lead Lead
	heading, table := false, false
	for i := 0; i < len(p.phrases); {
		to := i + 1
		for to < len(p.phrases) && p.Words[p.phrases[to].First].Line == p.Words[p.phrases[i].First].Line {
			to++
		}
		first, last := p.phrases[i].First, p.phrases[to-1].Last
		before, behind := p.lineBefore(first), p.lineBehind(last)
		row := strings.Contains(before, "|") || strings.Contains(behind, "|")
		item := !row && !strings.HasPrefix(before, "**") && p.bulleted(p.Words[first], before)
		title := strings.HasPrefix(before, "#") || strings.HasPrefix(before, "**") && strings.HasSuffix(strings.TrimRight(behind, ": "), "**")
		switch {
		case title, strings.HasSuffix(strings.TrimRight(behind, "* "), ":") && !item, row && !table:
			lead, heading = Lead{first, last}, title
		case item, row, heading:
			for k := i; k < to; k++ {
				p.phrases[k].Under, p.phrases[k].Row = lead, row
			}
		default:
			lead = Lead{}
		}
		table = row
		i = to
	}
}

// lineBefore is what stands on the line before the word that begins it.
func (p *Text) lineBefore(i int) string {
	text := p.between(i)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// Column is how many bars of a table stand before a word on its line.
func (p *Text) Column(i int) int {
	line := p.Source[:p.Words[i].Start]
	return strings.Count(line[strings.LastIndexByte(line, '\n')+1:], "|")
}

// lineBehind is what stands on the line behind the last word of it.
func (p *Text) lineBehind(last int) string {
	text, _, _ := strings.Cut(p.between(last), "\n")
	return strings.TrimSpace(text)
}

// PhraseOf is the phrase in which a word stands.
func (p *Text) PhraseOf(i int) Phrase {
	all := p.Phrases()
	return all[sort.Search(len(all), func(k int) bool { return all[k].Last > i })]
}
