package score

import "strings"

// settle carries denials and hedges over the commas of a list.
func (p *prose) settle() {
	enumerated := make([]bool, len(p.clauses))
	for i := len(p.clauses) - 1; i > 0; i-- {
		c := p.clauses[i]
		enumerated[i] = c.list && !p.hasVerb(c) && (p.hasOr(c) || i+1 < len(p.clauses) && p.clauses[i+1].sentence == c.sentence && enumerated[i+1])
	}
	for i := 1; i < len(p.clauses); i++ {
		c, before := &p.clauses[i], p.clauses[i-1]
		if c.sentence != before.sentence {
			continue
		}
		switch {
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

// dangles reports a clause whose denial comes last and so reaches over what is put in: "must not, in any case, be shared".
func (p *prose) dangles(c clause) bool {
	w := p.words[c.last-1].text
	return c.negative() && (w == "not" || w == "never")
}

// lists carries a denial over the list that it leads into: "We do not offer any of these:" and its items.
func (p *prose) lists() {
	for i := 0; i < len(p.clauses); i++ {
		c := p.clauses[i]
		if c.last == len(p.words) || !c.negative() || !pointing[p.words[c.last-1].text] || !p.leads(c.last) {
			continue
		}
		for i+1 < len(p.clauses) && p.item(i+1) {
			i++
			p.clauses[i].negations++
		}
	}
}

// pointing are the last words of what leads into a list.
var pointing = set(`following these this those any none items points things claims ones not never offer offers cover covers include
	includes contain contains guarantee guarantees provide provides support supports promise promises say says state states mention`)

// leads reports a colon and a line with the mark of a list before the word at i.
func (p *prose) leads(i int) bool {
	between := p.text[p.words[i-1].end:p.words[i].start]
	colon, line, ok := strings.Cut(between, "\n")
	return ok && strings.Contains(colon, ":") && p.bulleted(p.words[i], line)
}

// item reports a clause of a list: its line begins with a mark, or it goes on with the sentence before.
func (p *prose) item(i int) bool {
	c := p.clauses[i]
	if c.sentence == p.clauses[i-1].sentence {
		return true
	}
	_, line, ok := strings.Cut(p.text[p.words[c.first-1].end:p.words[c.first].start], "\n")
	return ok && p.bulleted(p.words[c.first], line)
}

// bulleted reports a mark of a list between the beginning of a line and the word that follows; "1." is a word of its own.
func (p *prose) bulleted(w word, line string) bool {
	line = strings.TrimSpace(line)
	return w.digits || line != "" && strings.ContainsAny(line, "-*•–+")
}

// suppose takes what would be for not said where the sentence supposes something: "if it were critical, a test would be needed".
func (p *prose) suppose() {
	for i, c := range p.clauses {
		if !supposing[p.words[c.first].text] {
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
