package english

import (
	"slices"
	"strings"
)

// Factuality is a text's attitude to the statement that some of its words make: said, only supposed, or unsaid.
type Factuality uint8

const (
	Said     Factuality = iota
	Supposed            // if, whether
	Unsaid              // asked, reported, crossed out, taken back, or said of a past that has ended
)

// Uses specifies which uses of a phrase count as a plain statement: hedged, past, supposed or quoted uses.
type Uses struct {
	Hedged, Past, Supposed bool
	Quoted                 bool // the words of somebody else count
	Sure                   bool // a hedged or supposed use does not count, unless Hedged or Supposed is set
}

// UsesOf returns which uses words[from:to] show by themselves: hedged, past or supposed.
func UsesOf(p *Text, from, to int) (m Uses) {
	for _, w := range p.Words[from:to] {
		m.Hedged = m.Hedged || w.Is(IsHedge)
		m.Past = m.Past || w.Is(isPast|isFormer)
		m.Supposed = m.Supposed || supposing[w.Text] || w.Text == "when" || w.Text == "once"
	}
	return m
}

// FactualityOf returns the text's attitude to the word at i. Uses that meant allows count as said. If meant.Sure is
// set, a hedged word counts as supposed, and a supposed word as unsaid.
func (t *Text) FactualityOf(i int, meant Uses) Factuality {
	at := t.Words[i].Clause
	c := &t.Clauses[at]
	supposed := c.Supposed && !meant.Supposed
	quoted := c.quoted && !meant.Quoted || t.Words[i].Struck && !(c.quoted && meant.Quoted)
	// the old value of a change: raised from 5 GB to 10 GB, up from 5 GB
	old := i > 1 && t.Words[i-1].Text == "from" && changes[t.Words[i-2].Text]
	switch {
	case c.Asked, c.Reported, quoted, supposed && meant.Sure, c.Past && !meant.Past, old, isRetracted(t, at):
		return Unsaid
	case supposed, c.Hedged && meant.Sure && !meant.Hedged:
		return Supposed
	}
	return Said
}

// markQuestions marks the sentences that end in a question mark. If the reply is yes, the question counts as a
// statement. If the reply is no, the question counts as denied.
func markQuestions(p *Text) {
	for _, m := range p.Marks {
		if m.Rune != '?' || m.At == 0 {
			continue
		}
		at := p.Words[m.At-1].Clause
		sentence := p.Clauses[at].Sentence
		if p.Replies == nil {
			p.Replies = map[int32]string{}
		}
		answer := reply(p, p.Clauses[at].Last)
		p.Replies[sentence] = answer
		first, _ := p.SentenceWords(sentence)
		open := asking[p.Words[first].Text] // the question presumes what it says
		for names := answer == "" && onlyNames(p, at); !names && at >= 0 && p.Clauses[at].Sentence == sentence; at-- {
			c := &p.Clauses[at]
			c.Asked = answer == "" && !open
			if answer == "no" {
				c.negations++
			}
		}
	}
}

// onlyNames reports whether a question only names a subject, as in "Refunds? They are automatic." Such a question is
// one clause without a verb. at is the index of its last clause.
func onlyNames(p *Text, at int32) bool {
	c := p.Clauses[at]
	return (at == 0 || p.Clauses[at-1].Sentence != c.Sentence) && c.Last < len(p.Words) &&
		partial(p, Phrase{First: c.First, Last: c.Last}) &&
		!slices.ContainsFunc(p.Words[c.First:c.Last], func(w Word) bool { return w.IsPastForm() })
}

// replyWords is the number of words within which a reply such as "Unfortunately not." must end.
const replyWords = 3

// reply returns "yes" or "no" if a reply begins at the word with the index at: yes, no, or a denial such as
// "Unfortunately not." Otherwise it returns "".
func reply(p *Text, at int) string {
	for i := at; i < min(at+replyWords, len(p.Words)); i++ {
		w := p.Words[i].Text
		if i == at && (w == "yes" || w == "no") {
			return w
		}
		if w == "not" && (!within(p, i+1, i) || textAt(p, i+1) == "at" && textAt(p, i+2) == "all") {
			return "no"
		}
	}
	return ""
}

// endsPast reports whether the word at i, such as until or formerly, says that something is over. The word "used" says
// so in "used to", but not in "it is used to encrypt data" or "keys used to encrypt data are kept".
func endsPast(p *Text, i, to int) bool {
	behind := p.Words[min(i+3, to):min(i+statementReach, to)]
	return p.Words[i].Text != "used" || i > 0 && textAt(p, i+1) == "to" && !p.Words[i-1].Is(isAuxiliary) &&
		!slices.ContainsFunc(behind, func(w Word) bool { return w.Is(isAuxiliary) })
}

// markPast marks the clauses about a past that is over: "was 5 GB until 2022", "Previously, it was 5 GB", "used to be 5
// GB".
func markPast(p *Text) {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		led := i > 0 && c.list && p.Clauses[i-1].former
		used := c.former && (has(p, c, "used") || onceOnly[p.Words[c.First].Text])
		c.Past = used || c.was && (c.former || led)
	}
}

// voiceReach is the number of words before a word such as "says" in which its speaker is searched for. Quoted words
// without a verb are speech if there are at least quotedWords; fewer are a name.
const voiceReach, quotedWords = 8, 4

// ownVoice reports whether the speaker before the word at i is the answer's writer or a source, or the speaking is
// denied. from is the index of the first word to look at.
func ownVoice(p *Text, from, i int) bool {
	return slices.ContainsFunc(p.Words[max(from, i-voiceReach):i],
		func(w Word) bool { return voices[w.Text] || w.IsDenial })
}

// quotations returns the ranges of text between quotation marks or backticks, half open and without the marks. A
// quotation ends within its paragraph. An apostrophe is no quotation mark, and neither is a mark after a backslash, as
// in JSON.
func quotations(text string) (out [][2]int) {
	var open ['`' + 1]int // by mark, where a quotation begins; 0: none is open
	for i := 0; i < len(text); i++ {
		next := strings.IndexAny(text[i:], "\"'`\\\n")
		if next < 0 {
			break
		}
		i += next
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '\n':
			if strings.HasPrefix(text[i:], "\n\n") {
				clear(open[:])
			}
		case open[c] == 0 && (c != '\'' || IsWordRuneAt(text, i+1) && !IsWordRuneBefore(text, i)):
			open[c] = i + 1
		case open[c] > 0 && (c != '\'' || text[i-1] != ' ' && !IsWordRuneAt(text, i+1)):
			out, open[c] = append(out, [2]int{open[c], i}), 0
		}
	}
	return out
}

// markQuoted marks the words that are quoted as somebody's words (The policy says: “…”) or only mentioned (The sentence
// “…” is wrong).
func markQuoted(p *Text) {
	for _, q := range quotations(p.Source) {
		from, to := p.WordsAt(q[0], q[1])
		spoken := from > 0 && from < len(p.Words) && speaks[p.Words[from-1].Text]
		verb := func(w Word) bool { return w.Is(isAuxiliary) || w.IsPastForm() }
		name := to-from < quotedWords && (to-from <= 2 || !slices.ContainsFunc(p.Words[from:to], verb))
		if name || !spoken && !within(p, to, to-1) &&
			(from == 0 || !within(p, from-1, from) || strings.Contains(between(p, from), ":")) {
			continue // it is not speech, or its sentence has no other words
		}
		for i := from; i < to; i++ {
			p.Words[i].Struck = true
			p.Clauses[p.Words[i].Clause].quoted = true
		}
	}
}

// markOthersViews marks what others say ("According to a forum, …") and what holds only for others ("Unlike our
// competitors, where returns are free, …"). It also marks a view that the sentence contradicts ("Your colleague says
// that …, but …").
func markOthersViews(p *Text) {
	for i := range p.Clauses {
		c, before := &p.Clauses[i], &p.Clauses[max(0, i-1)]
		w, led := p.Words[c.First].Text, p.Words[before.First].Text
		c.Reported = c.Reported || w == "unlike"
		if i > 0 && c.Sentence == before.Sentence {
			c.quoted = c.quoted || led == "according" && !ownVoice(p, before.First, before.Last)
			c.Reported = c.Reported || led == "unlike" && relatives[w]
		}
		against := adversative[w] || w == "in" && adversative[textAt(p, c.First+1)]
		if i > 0 && against && !newParagraph(p, c.First) {
			contradict(p, i)
		}
	}
}

// contradict marks the views of somebody right before the clause at i as views that may be wrong.
func contradict(p *Text, i int) {
	for k := i - 1; k >= max(0, i-supposeReach) && p.Clauses[k].Sentence >= p.Clauses[i].Sentence-1; k-- {
		if b := &p.Clauses[k]; b.quoted && !p.Words[b.First].Struck {
			b.Reported = true
		}
	}
}

// newParagraph reports whether an empty line precedes the word at i.
func newParagraph(p *Text, i int) bool {
	_, rest, ok := strings.Cut(between(p, i), "\n")
	return ok && strings.Contains(rest, "\n")
}
