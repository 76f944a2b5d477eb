package english

import (
	"slices"
	"strings"
)

// settle carries denials and hedges over the commas of a list.
func (p *Text) settle() {
	enumerated := make([]bool, len(p.Clauses))
	for i := len(p.Clauses) - 1; i > 0; i-- {
		c := p.Clauses[i]
		enumerated[i] = c.list && !c.verb && (p.has(c, "or") || p.has(c, "nor") || i+1 < len(p.Clauses) && p.Clauses[i+1].Sentence == c.Sentence && enumerated[i+1])
	}
	under := 0 // what is said "that" passes on to the clauses of what is said
	for i := 1; i < len(p.Clauses); i++ {
		c, before := &p.Clauses[i], p.Clauses[i-1]
		if c.Sentence != before.Sentence {
			under = 0
			continue
		}
		says := func(w Word) bool { return w.Text == "that" || w.Is(isSaying) }
		if before.Negative() && slices.ContainsFunc(p.Words[before.First:before.Last], says) {
			under = before.negations
		}
		switch {
		case c.Inner && p.Words[before.Last-1].Text == "that": // "not true that no refund is guaranteed"
			c.negations += before.negations
		case c.Inner && !c.verb && under > 0:
			c.negations += under
		case enumerated[i]:
			c.negations += before.negations
		case before.Negative() && (!c.list && (p.Words[c.First].Text == "without" || p.Words[c.First].Text == "free") || excepting[p.Words[c.First].Text] && !(c.verb && before.verb)):
			c.negations = 0 // "not valid without a receipt", "nobody except admins"
		}
		if before := &p.Clauses[i-1]; c.Inner && absent[p.Words[c.First].Text] && !p.waives(c.First) && before.verb {
			before.negations++ // "allowed nowhere", "read by nobody"
		}
		c.Hedged = c.Hedged || before.Hedged && before.Last-before.First <= 2
		c.Supposed = c.Supposed || c.Inner && before.Supposed
		if c.Inner && !c.verb { // "it may have no side effects"
			c.Hedged, c.Reported = c.Hedged || before.Hedged, c.Reported || before.Reported
			c.quoted = c.quoted || before.quoted
		}
		if first := p.Words[c.First].Text; first == "depending" || first == "subject" {
			p.Clauses[i-1].Hedged = true
		}
	}
}

var absent = Set("nowhere nobody nothing none")

var excepting = Set("except excluding")

// lists carries a denial over the list that it leads into: "We do not offer any of these:" and its items, "Not included: …",
// "Common myths:", and what stands on one line behind such a key.
func (p *Text) lists() {
	for i := 0; i < len(p.Clauses); i++ {
		c := p.Clauses[i]
		if c.Last == len(p.Words) {
			continue
		}
		untruth := p.untruths(i)
		if !untruth && (!c.Negative() || !p.points(c)) {
			continue
		}
		colon, line, below := strings.Cut(p.between(c.Last), "\n")
		if !strings.Contains(colon, ":") && !(untruth && below) || below && !p.bulleted(p.Words[c.Last], line) {
			continue
		}
		for i+1 < len(p.Clauses) && p.item(i+1, below) {
			i++
			p.Clauses[i].negations++
		}
	}
}

// headLines bounds in lines how far below one row the next one of a table stands: the rule below its head has no words.
const headLines = 2

// columns carries a denial down the column of a table whose head is a word for what is not true.
func (p *Text) columns() {
	column, untrue, line, head := 0, -1, int32(-headLines-1), false
	for _, m := range p.Marks {
		if m.Rune != '|' || m.At >= len(p.Words) {
			continue
		}
		if m.Line != line {
			if column, head = 0, m.Line > line+headLines; head {
				untrue = -1
			}
			line = m.Line
		}
		column++
		w := &p.Words[m.At]
		switch c := &p.Clauses[w.Clause]; {
		case c.First != m.At || w.Line != m.Line:
		case head && untrueKeys[w.Text]:
			untrue = column
		case !head && column == untrue:
			c.negations++
		}
	}
}

// untruths reports a sentence that begins with nothing but a word for what is not true: "Common myths", "False".
func (p *Text) untruths(at int) (found bool) {
	c := p.Clauses[at]
	if at > 0 && p.Clauses[at-1].Sentence == c.Sentence || c.Last-c.First > longestKey {
		return false
	}
	return p.untrue(c)
}

// untrue reports a clause that says nothing but that something is not true.
func (p *Text) untrue(c Clause) (found bool) {
	for i := c.First; i < c.Last; i++ {
		switch w := &p.Words[i]; {
		case untrueKeys[w.Text], Truths[w.Text] && i > c.First && p.Words[i-1].Text == "not":
			found = true
		case w.Text == "not" && Truths[p.textAt(i+1)]:
		case !w.Digits && !keyAdjectives[w.Text]:
			return false
		}
	}
	return found
}

// rows carries a denial over a row of a table that ends in a cross, or has a cell which says nothing but that it is not
// true; not where a tick or another cell says the contrary.
func (p *Text) rows() {
	for k := 0; k < len(p.Marks); {
		from, line, row, crossed, ticked := p.Marks[k].At, p.Marks[k].Line, false, false, false
		for ; k < len(p.Marks) && p.Marks[k].Line == line; k++ {
			m := p.Marks[k]
			row = row || m.Rune == '|'
			last := m.At == len(p.Words) || p.Words[m.At].Line != line
			crossed = crossed || last && m.Rune >= firstCross && crosses[m.Rune]
			ticked = ticked || m.Rune >= firstTick && ticks[m.Rune]
		}
		if from == len(p.Words) || p.Words[from].Line != line {
			from--
		}
		if row && !ticked && from >= 0 && p.Words[from].Line == line {
			p.row(int(p.Words[from].Clause), line, crossed)
		}
	}
}

// row denies the clauses of a line, one of which is at a place, if it is denied or one of them says that the others are
// not true.
func (p *Text) row(at int, line int32, denied bool) {
	for at > 0 && p.Words[p.Clauses[at-1].First].Line == line {
		at--
	}
	to := at
	for ; to < len(p.Clauses) && p.Words[p.Clauses[to].First].Line == line; to++ {
		c := p.Clauses[to]
		if p.declines(c) || c.Last-c.First == 1 && affirming[p.Words[c.First].Text] {
			return
		}
		denied = denied || p.untrue(c)
	}
	for i := at; i < to && denied; i++ {
		if c := &p.Clauses[i]; !p.untrue(*c) {
			c.negations++
		}
	}
}

var affirming = Set("yes true fact correct right accurate")

// firstTick is the least of ticks.
const firstTick = '☑'

var ticks = map[rune]bool{'☑': true, '✅': true, '✓': true, '✔': true}

// longestKey bounds in words what names a list.
const longestKey = 4

var (
	untrueKeys    = Set("myth myths misconception misconceptions falsehood falsehoods fiction rumour rumor rumours rumors hoax false untrue wrong incorrect")
	keyAdjectives = Set("the a some common popular frequent widespread typical top other claim statement answer belief claims statements answers beliefs")
)

var (
	pointing = Set("following these this those any none items points things claims what")
	// Words right before a colon behind which stands what is denied.
	naming = Set(`not never offer offers cover covers include includes contain contains guarantee guarantees provide provides support
		supports promise promises say says state states mention included offered covered supported guaranteed provided promised excluded`)
	grounded = Set("reason reasons because why due")
)

// points reports a clause that denies what is listed behind it, and not for what is listed.
func (p *Text) points(c Clause) bool {
	found := naming[p.Words[c.Last-1].Text]
	for _, w := range p.Words[c.First:c.Last] {
		if grounded[w.Text] {
			return false
		}
		found = found || pointing[w.Text]
	}
	return found
}

// item reports a clause of a list: it goes on with the sentence before, or its line begins with a mark or number, in a list below.
func (p *Text) item(i int, below bool) bool {
	c, before := p.Clauses[i], p.Clauses[i-1]
	if c.Sentence == before.Sentence || before.Last-before.First == 1 && p.Words[before.First].Digits {
		return true
	}
	_, line, ok := strings.Cut(p.between(c.First), "\n")
	return ok && below && p.bulleted(p.Words[c.First], line)
}

// bulleted reports a mark of a list between the beginning of a line and the word that follows; "1." is a word of its own, and bold
// letters are no mark.
func (p *Text) bulleted(w Word, line string) bool {
	line = strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
	return w.Digits || line != "" && strings.ContainsAny(line, "-*•–+")
}

// values reads "Lifetime warranty: no" and a cross before a line as denials of what they stand beside.
func (p *Text) values() {
	for i := 1; i < len(p.Clauses); i++ {
		c := p.Clauses[i]
		before := &p.Clauses[i-1]
		if c.Sentence == before.Sentence && p.declines(c) && strings.ContainsAny(p.between(c.First), ":|→") {
			before.negations++
		}
	}
	for _, m := range p.Marks {
		if m.Rune >= firstCross && crosses[m.Rune] && m.At < len(p.Words) && p.Words[m.At].Line == m.Line {
			if c := &p.Clauses[p.Words[m.At].Clause]; c.First == m.At && c.negations == 0 && !p.Words[m.At].Negative {
				c.negations = 1
			}
		}
	}
}

// firstCross is the least of crosses.
const firstCross = '✗'

var crosses = map[rune]bool{'❌': true, '✗': true, '✘': true, '🚫': true}

// declines reports a clause that is nothing but "no" or "not included".
func (p *Text) declines(c Clause) bool {
	switch c.Last - c.First {
	case 1:
		return p.Words[c.First].Text == "no"
	case 2:
		return p.Words[c.First].Text == "not" && strings.HasSuffix(p.Words[c.First+1].Text, "ed")
	}
	return false
}

// suppose takes what would be for not said where the sentence supposes something: "if it were critical, a test would be needed", "had it been
// critical, a test would have been needed". What would have been has not been.
func (p *Text) suppose() {
	for i := range p.Clauses {
		c := &p.Clauses[i]
		w := p.Words[c.First].Text
		inverted := w == "had" && (i == 0 || p.Clauses[i-1].Sentence != c.Sentence)
		if !supposing[w] && !inverted {
			continue
		}
		imagined := false
		for _, step := range []int{-1, 1} {
			for j := i + step; j >= 0 && j < len(p.Clauses) && j-i < supposeReach && i-j < supposeReach && p.Clauses[j].Sentence == c.Sentence; j += step {
				if d := &p.Clauses[j]; p.has(*d, "would") {
					imagined, d.Supposed, d.Reported = true, true, d.Reported || p.has(*c, "had")
				}
			}
		}
		if inverted && imagined {
			c.Supposed = true
		}
	}
}

var supposing = Set("if unless suppose supposing assuming")

// supposeReach bounds in clauses how far a condition reaches.
const supposeReach = 8

func (p *Text) has(c Clause, text string) bool {
	return slices.ContainsFunc(p.Words[c.First:c.Last], func(w Word) bool { return w.Text == text })
}

var (
	charging = Set("charge charges charged cost costs fee fees pay")
	extras   = Set("a extra additional further separate any have need to be")
)

// waives reports a denial at i, of a charge, that says no more than that something is free: "no extra charge", "not charged for", "costs nothing".
func (p *Text) waives(i int) bool {
	k := i + 1
	for extras[p.textAt(k)] {
		k++
	}
	next := p.textAt(k + 1)
	switch p.Words[i].Text {
	case "no", "without":
		return charging[p.textAt(k)] && !p.Parted(k)
	case "not":
		return charging[p.textAt(k)] && (next == "for" || next == "anything" || next == "extra")
	case "nothing":
		return i > 0 && charging[p.Words[i-1].Text] && !p.Parted(i)
	}
	return false
}

// waived reports the charge at i of such a denial, and that of "free of charge".
func (p *Text) waived(i int) bool {
	k := i - 1
	for k > 0 && extras[p.Words[k].Text] {
		k--
	}
	return k >= 0 && p.waives(k) || i > 1 && p.Words[i-1].Text == "of" && p.Words[i-2].Text == "free" || p.textAt(i+1) == "nothing" && p.waives(i+1)
}

// frees reports a "free" at i that denies what it is free of: "free of errors", "free from nuts".
func (p *Text) frees(i int) bool {
	next := p.textAt(i + 1)
	return p.Words[i].Is(isFreeing) && (next == "of" || next == "from") && !p.Parted(i+1) && !charging[p.textAt(i+2)] && i+2 < len(p.Words) && p.Content(i+2) && !p.Words[i+2].Amount
}

// suffixed reports a "free" at i that a hyphen joins to what it denies: "sugar-free".
func (p *Text) suffixed(i int) bool {
	return i > 0 && p.Words[i].Is(isFreeing) && p.Words[i].Glued && p.Content(i-1)
}
