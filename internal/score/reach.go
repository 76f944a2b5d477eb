package score

import "strings"

// settle carries denials and hedges over the commas of a list.
func (p *prose) settle() {
	enumerated := make([]bool, len(p.clauses))
	for i := len(p.clauses) - 1; i > 0; i-- {
		c := p.clauses[i]
		enumerated[i] = c.list && !p.hasVerb(c) && (p.hasOr(c) || i+1 < len(p.clauses) && p.clauses[i+1].sentence == c.sentence && enumerated[i+1])
	}
	over := 0 // what a denial that dangled leaves for the clause behind what was put in
	for i := 1; i < len(p.clauses); i++ {
		c, before := &p.clauses[i], p.clauses[i-1]
		if c.sentence != before.sentence {
			over = 0
			continue
		}
		c.negations += over
		over = 0
		switch {
		case p.dangles(before) && c.apart && p.putIn(i):
			over = before.negations
		case p.words[before.last-1].is(isAuxiliary) && c.apart && p.putIn(i): // "MFA is, strictly speaking, not required"
			p.clauses[i-1].negations += p.clauses[i+1].negations
		case enumerated[i], c.list && p.dangles(before):
			c.negations += before.negations
		case !c.list && before.negative() && p.words[c.first].text == "without":
			c.negations = 0 // "not valid without a receipt"
		}
		c.hedged = c.hedged || before.hedged && before.last-before.first <= 2
		if first := p.words[c.first].text; first == "depending" || first == "subject" {
			p.clauses[i-1].hedged = true
		}
	}
}

func (p *prose) hasVerb(c clause) bool {
	for _, w := range p.words[c.first:c.last] {
		if w.is(isAuxiliary) {
			return true
		}
	}
	return p.words[c.first].is(isResuming)
}

func (p *prose) hasOr(c clause) bool {
	for _, w := range p.words[c.first:c.last] {
		if w.text == "or" || w.text == "nor" {
			return true
		}
	}
	return false
}

// putIn reports a clause that is only put in: the sentence goes on behind a mark, "not, as some say, guaranteed".
func (p *prose) putIn(i int) bool {
	return i+1 < len(p.clauses) && p.clauses[i+1].apart && p.clauses[i+1].sentence == p.clauses[i].sentence
}

// dangles reports a clause whose denial comes last and so reaches over what is put in: "must not, in any case, be shared".
func (p *prose) dangles(c clause) bool {
	w := p.words[c.last-1].text
	return c.negative() && (w == "not" || w == "never")
}

// lists carries a denial over the list that it leads into: "We do not offer any of these:" and its items, "Not included: …".
func (p *prose) lists() {
	for i := 0; i < len(p.clauses); i++ {
		c := p.clauses[i]
		if c.last == len(p.words) || !c.negative() || !p.points(c) {
			continue
		}
		colon, line, below := strings.Cut(p.between(c.last), "\n")
		if !strings.Contains(colon, ":") || below && !p.bulleted(p.words[c.last], line) {
			continue
		}
		for i+1 < len(p.clauses) && p.item(i+1) {
			i++
			p.clauses[i].negations++
		}
	}
}

var (
	pointing = set("following these this those any none items points things claims what")
	// Words right before a colon behind which stands what is denied.
	naming = set(`not never offer offers cover covers include includes contain contains guarantee guarantees provide provides support
		supports promise promises say says state states mention included offered covered supported guaranteed provided promised excluded`)
	grounded = set("reason reasons because why due")
)

// points reports a clause that denies what is listed behind it, and not for what is listed.
func (p *prose) points(c clause) bool {
	found := naming[p.words[c.last-1].text]
	for _, w := range p.words[c.first:c.last] {
		if grounded[w.text] {
			return false
		}
		found = found || pointing[w.text]
	}
	return found
}

// between is the text before the word at i, from the end of the one before it.
func (p *prose) between(i int) string { return p.text[p.words[i-1].end:p.words[i].start] }

// item reports a clause of a list: it goes on with the sentence before, or its line begins with a mark or number.
func (p *prose) item(i int) bool {
	c, before := p.clauses[i], p.clauses[i-1]
	if c.sentence == before.sentence || before.last-before.first == 1 && p.words[before.first].digits {
		return true
	}
	_, line, ok := strings.Cut(p.between(c.first), "\n")
	return ok && p.bulleted(p.words[c.first], line)
}

// bulleted reports a mark of a list between the beginning of a line and the word that follows; "1." is a word of its own.
func (p *prose) bulleted(w word, line string) bool {
	line = strings.TrimSpace(line)
	return w.digits || line != "" && strings.ContainsAny(line, "-*•–+")
}

// values reads "Lifetime warranty: no" and a cross before a line as denials of what they stand beside.
func (p *prose) values() {
	for i := 1; i < len(p.clauses); i++ {
		c := p.clauses[i]
		before := &p.clauses[i-1]
		if c.sentence == before.sentence && p.declines(c) && strings.ContainsAny(p.between(c.first), ":|") {
			before.negations++
		}
	}
	for _, m := range p.marks {
		if m.r >= firstCross && crosses[m.r] && m.at < len(p.words) {
			if c := &p.clauses[p.words[m.at].clause]; c.first == m.at && c.negations == 0 && !p.words[m.at].negative {
				c.negations = 1
			}
		}
	}
}

// firstCross is the least of crosses.
const firstCross = '✗'

var crosses = map[rune]bool{'❌': true, '✗': true, '✘': true, '🚫': true}

// declines reports a clause that is nothing but "no" or "not included".
func (p *prose) declines(c clause) bool {
	switch c.last - c.first {
	case 1:
		return p.words[c.first].text == "no"
	case 2:
		return p.words[c.first].text == "not" && strings.HasSuffix(p.words[c.first+1].text, "ed")
	}
	return false
}

// suppose takes what would be for not said where the sentence supposes something: "if it were critical, a test would be needed".
func (p *prose) suppose() {
	for i, c := range p.clauses {
		if w := p.words[c.first]; !w.is(isOpening) && w.text != "unless" || !supposing[w.text] {
			continue
		}
		for _, step := range []int{-1, 1} {
			for j := i + step; j >= 0 && j < len(p.clauses) && j-i < supposeReach && i-j < supposeReach && p.clauses[j].sentence == c.sentence; j += step {
				p.clauses[j].open = p.clauses[j].open || p.has(p.clauses[j], "would")
			}
		}
	}
}

var supposing = set("if unless suppose supposing assuming")

// supposeReach bounds in clauses how far a condition reaches.
const supposeReach = 8

func (p *prose) has(c clause, text string) bool {
	for _, w := range p.words[c.first:c.last] {
		if w.text == text {
			return true
		}
	}
	return false
}
