package english

import "slices"

// ask opens the sentences that end in a question mark. A yes behind one says what it asks, a no denies it.
func (p *Text) ask() {
	for _, m := range p.Marks {
		if m.Rune != '?' || m.At == 0 || m.At > len(p.Words) {
			continue
		}
		at := p.Words[m.At-1].Clause
		sentence := p.Clauses[at].Sentence
		if p.Replies == nil {
			p.Replies = map[int32]string{}
		}
		answer := p.reply(p.Clauses[at].Last)
		p.Replies[sentence] = answer
		if answer == "" && p.names(at) {
			continue
		}
		presumes := answer == "" && p.presumes(at)
		for ; at >= 0 && p.Clauses[at].Sentence == sentence; at-- {
			c := &p.Clauses[at]
			c.Asked, c.Presumed = answer == "" && !presumes, presumes
			if answer == "no" {
				c.negations++
			}
		}
	}
}

// presumes reports a question for who, what, when and the like, of which the rest is so.
func (p *Text) presumes(at int32) bool {
	for at > 0 && p.Clauses[at-1].Sentence == p.Clauses[at].Sentence {
		at--
	}
	first := p.Clauses[at].First
	return asking[p.Words[first].Text] && p.textAt(first+1) != "if"
}

var asking = Set("who what when where which how why")

// names reports a question of one clause without a verb, which only names what the pronoun behind it takes up: "Refunds? They are automatic."
func (p *Text) names(at int32) bool {
	c := p.Clauses[at]
	return (at == 0 || p.Clauses[at-1].Sentence != c.Sentence) && c.Last < len(p.Words) &&
		p.partial(Phrase{First: c.First, Last: c.Last}) && !slices.ContainsFunc(p.Words[c.First:c.Last], func(w Word) bool { return w.Past() })
}

// Asks reports a sentence that ends in a question mark.
func (p *Text) Asks(sentence int32) bool {
	_, ok := p.Replies[sentence]
	return ok
}

// replyWords bounds in words a reply that does not begin with yes or no.
const replyWords = 3

// reply returns the yes or no that begins at a word, "no" for "Unfortunately not.", else "".
func (p *Text) reply(at int) string {
	for i := at; i < min(at+replyWords, len(p.Words)); i++ {
		w := p.Words[i].Text
		if i == at && (w == "yes" || w == "no") {
			return w
		}
		if w == "not" && (!p.within(i+1, i) || p.textAt(i+1) == "at" && p.textAt(i+2) == "all") {
			return "no"
		}
	}
	return ""
}
