package english

import (
	"slices"
	"strings"
)

// ticks and crosses are marks that affirm or deny what they stand beside.
const ticks, crosses = "☑✅✓✔", "❌✗✘🚫"

// supposeReach is the largest distance, in clauses, at which a condition is effective. headLines is the largest
// distance in lines of two rows of a table, because the rule below the head has no words.
const supposeReach, headLines = 8, 2

// carryOn passes denials, hedges and conditions on from each clause of a sentence to the next.
func carryOn(p *Text) {
	said := 0 // denials of a clause such as "we do not say that", for the clauses behind it
	for i := 1; i < len(p.Clauses); i++ {
		c, before := &p.Clauses[i], &p.Clauses[i-1]
		if c.Sentence != before.Sentence {
			said = 0
			continue
		}
		leads := func(w Word) bool { return w.Text == "that" || w.Is(isSaying) }
		if before.Negative() && slices.ContainsFunc(p.Words[before.First:before.Last], leads) {
			said = before.negations
		}
		carryDenial(p, c, before, said)
		before.Hedged = before.Hedged || p.Words[c.First].Text == "depending"
		c.Hedged = c.Hedged || before.Hedged && (before.Last-before.First <= 2 || c.Inner && !c.verb)
		c.Supposed = c.Supposed || c.Inner && before.Supposed
	}
}

// carryDenial corrects the denials of c and of the clause before it. said are the denials of a clause such as "we do
// not say that".
func carryDenial(p *Text, c, before *Clause, said int) {
	switch first := p.Words[c.First].Text; {
	case c.list && !c.verb && has(p, c, "or", "nor"), // "no logging, no alerts or backups"
		c.Inner && p.Words[before.Last-1].Text == "that": // "not true that no refund …"
		c.negations += before.negations
	case c.Inner && !c.verb && said > 0:
		c.negations += said
	case before.Negative() && excepting[first]: // "not valid without a receipt", "nobody except admins"
		c.negations = 0
	case c.Inner && before.verb && absent[first] && waivedBy(p, c.First) == NoWord: // "allowed nowhere", "read by nobody"
		before.negations++
	}
}

// denyListed denies the items of a list that a denial introduces: "We do not offer any of these:", "Not included: …",
// "Common myths:". The items follow on the same line or below it.
func denyListed(p *Text) {
	for i := 0; i < len(p.Clauses); i++ {
		below, denies := deniesList(p, i)
		for denies && i+1 < len(p.Clauses) && item(p, i+1, below) {
			i++
			p.Clauses[i].negations++
		}
	}
}

// deniesList reports whether the clause at i denies the list that it introduces, and whether the list is below it.
func deniesList(p *Text, i int) (below, denies bool) {
	c := p.Clauses[i]
	begins := i == 0 || p.Clauses[i-1].Sentence != c.Sentence
	untruth := begins && untrue(p, c) // "Common myths", "False"
	if c.Last == len(p.Words) || !untruth && (!c.Negative() || !announcesList(p, c)) {
		return false, false
	}
	colon, line, below := strings.Cut(between(p, c.Last), "\n")
	leads := strings.Contains(colon, ":") || untruth && below
	return below, leads && (!below || bulleted(p.Words[c.Last], line))
}

// untrue reports whether the clause c says only that something is not true.
func untrue(p *Text, c Clause) (found bool) {
	for i := c.First; i < c.Last; i++ {
		switch w := &p.Words[i]; {
		case untrueKeys[w.Text], truths[w.Text] && i > c.First && p.Words[i-1].Text == "not":
			found = true
		case w.Text == "not" && truths[textAt(p, i+1)]:
		case !w.IsNumber && !keyAdjectives[w.Text]:
			return false
		}
	}
	return found
}

// announcesList reports whether c, a clause with a denial, introduces a list of what it denies.
func announcesList(p *Text, c Clause) bool {
	return naming[p.Words[c.Last-1].Text] ||
		slices.ContainsFunc(p.Words[c.First:c.Last], func(w Word) bool { return pointing[w.Text] })
}

// item reports whether the clause at i is an item of a list. It is if it continues the sentence before it. In a list
// below its introduction, a clause on a line that begins with a mark or number is an item too.
func item(p *Text, i int, below bool) bool {
	c, before := p.Clauses[i], p.Clauses[i-1]
	if c.Sentence == before.Sentence || before.Last-before.First == 1 && p.Words[before.First].IsNumber {
		return true
	}
	_, line, ok := strings.Cut(between(p, c.First), "\n")
	return ok && below && bulleted(p.Words[c.First], line)
}

// denyColumns denies each cell of a table column whose head is a word for what is untrue.
func denyColumns(p *Text) {
	column, denied, line, head := 0, -1, int32(-headLines-1), false
	for _, m := range p.Marks {
		if m.Rune != '|' || m.At >= len(p.Words) {
			continue
		}
		if m.Line != line {
			if column, head = 0, m.Line > line+headLines; head {
				denied = -1
			}
			line = m.Line
		}
		column++
		w := &p.Words[m.At]
		switch c := &p.Clauses[w.Clause]; {
		case c.First != m.At || w.Line != m.Line:
		case head && untrueKeys[w.Text]:
			denied = column
		case !head && column == denied:
			c.negations++
		}
	}
}

// denyRows denies a table row if the row ends in a cross, or if one of its cells only says that the others are untrue.
// It skips a row that has a tick, or a cell that says only yes, no or "not included".
func denyRows(p *Text) {
	for k := 0; k < len(p.Marks); {
		from, line, bar, crossed, ticked := p.Marks[k].At, p.Marks[k].Line, false, false, false
		for ; k < len(p.Marks) && p.Marks[k].Line == line; k++ {
			m := p.Marks[k]
			bar = bar || m.Rune == '|'
			last := m.At == len(p.Words) || p.Words[m.At].Line != line
			crossed = crossed || last && strings.ContainsRune(crosses, m.Rune)
			ticked = ticked || strings.ContainsRune(ticks, m.Rune)
		}
		if from == len(p.Words) || p.Words[from].Line != line {
			from--
		}
		if bar && !ticked && from >= 0 && p.Words[from].Line == line {
			denyRow(p, int(p.Words[from].Clause), line, crossed)
		}
	}
}

// denyRow denies the clauses on the given line if denied is set, or if one of them only calls the others untrue. at is
// the index of one of these clauses. denyRow does nothing if a clause is only a "no", a "not …" or an affirmation.
func denyRow(p *Text, at int, line int32, denied bool) {
	for at > 0 && p.Words[p.Clauses[at-1].First].Line == line {
		at--
	}
	to := at
	for ; to < len(p.Clauses) && p.Words[p.Clauses[to].First].Line == line; to++ {
		c := p.Clauses[to]
		if declines(p, c) || c.Last-c.First == 1 && affirming[p.Words[c.First].Text] {
			return
		}
		denied = denied || untrue(p, c)
	}
	for i := at; i < to && denied; i++ {
		if c := &p.Clauses[i]; !untrue(p, *c) {
			c.negations++
		}
	}
}

// denyValues denies clauses that a value or a cross beside them denies: "Lifetime warranty: no", "✗ Warranty".
func denyValues(p *Text) {
	for i := 1; i < len(p.Clauses); i++ {
		c, before := p.Clauses[i], &p.Clauses[i-1]
		if c.Sentence == before.Sentence && declines(p, c) && strings.ContainsAny(between(p, c.First), ":|→") {
			before.negations++
		}
	}
	for _, m := range p.Marks {
		if strings.ContainsRune(crosses, m.Rune) && m.At < len(p.Words) && p.Words[m.At].Line == m.Line {
			if c := &p.Clauses[p.Words[m.At].Clause]; c.First == m.At && c.negations == 0 && !p.Words[m.At].Negative {
				c.negations = 1
			}
		}
	}
}

// declines reports whether the clause c is only "no", or only a "not" and a participle: "not included".
func declines(p *Text, c Clause) bool {
	first, last := p.Words[c.First].Text, p.Words[c.Last-1].Text
	return c.Last-c.First == 1 && first == "no" || c.Last-c.First == 2 && first == "not" &&
		strings.HasSuffix(last, "ed")
}

// markSupposed marks the clauses with "would" in the sentence of a condition, and that condition, as supposed: "if it
// were critical, a test would be needed", "had it been critical, …".
func markSupposed(p *Text) {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		w := p.Words[c.First].Text
		had := w == "had" && (i == 0 || p.Clauses[i-1].Sentence != c.Sentence)
		if !supposing[w] && !had {
			continue
		}
		for j := max(0, i-supposeReach); j < min(len(p.Clauses), i+supposeReach); j++ {
			if d := &p.Clauses[j]; d.Sentence == c.Sentence && has(p, d, "would") {
				d.Supposed, d.Reported, c.Supposed = true, true, true
			}
		}
	}
}
