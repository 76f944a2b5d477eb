package english

import "strings"

var (
	atLeast = Set("least minimum min exceeds exceed over above exceeding")
	atMost  = Set("most maximum max within under below until limit cap limited capped restricted")
	lessers = Set("more later longer greater higher exceed exceeding beyond over above larger bigger older heavier")
	greater = Set("less fewer earlier shorter lower under below sooner smaller younger")
	// Before a date, a time or a span.
	toTime    = Set("by before until till through")
	fromTime  = Set("from after since starting")
	comparing = Set("than of a to") // between a comparison and its amount
	timeUnit  = Set("clock date second month")
	equating  = Set("is are was were be stands set at of to")
)

// boundOf reads what bounds the amount a, which begins with the word at i: -1 at most, 1 at least, 0 nothing.
func boundOf(p *Text, i int, a Amount) int8 {
	if a.bound != 0 {
		return a.bound
	}
	if b := boundAfter(p, a.Last+1); b != 0 {
		return b
	}
	if b := boundBefore(p, i); b != 0 {
		return b
	}
	if i > 0 && timeUnit[a.Unit] && !p.Parted(i) {
		switch w := p.Words[i-1].Text; {
		case toTime[w]:
			return -1
		case fromTime[w] && (w == "after" || a.Unit == clockUnit || a.Unit == dateUnit):
			return 1
		}
	}
	return boundNamed(p, i)
}

// namedReach bounds in words how far before an amount stands the word that names its bound.
const namedReach = 8

// boundNamed reads "the maximum size of a file is" before the word at i.
func boundNamed(p *Text, i int) (found int8) {
	if i == 0 || !equating[p.Words[i-1].Text] && !strings.Contains(p.between(i), ":") {
		return 0
	}
	for k := i - 1; k >= max(0, i-namedReach) && (k == i-1 || !p.Parted(k+1)); k-- {
		switch w := p.Words[k].Text; {
		case w == "minimum" || w == "min":
			return 1
		case w == "maximum" || w == "max":
			return -1
		case w == "limit" || w == "cap" || w == "capped" || w == "limited":
			found = -1
		}
	}
	return found
}

// boundBefore reads "at least", "no more than", "within" before the word at i.
func boundBefore(p *Text, i int) int8 {
	j := i - 1
	if j >= 0 && money[p.Words[j].Text] {
		i, j = j, j-1
	}
	for j >= 0 && comparing[p.Words[j].Text] {
		j--
	}
	if j < 0 || p.Parted(j+1) && !(j == i-1 && strings.Trim(p.between(i), " $€£¥") == "") {
		return 0
	}
	return compared(p.Words[j].Text, boundNegated(p, j))
}

// compared returns the bound that a word sets, or its denial.
func compared(w string, not bool) int8 {
	switch {
	case not && lessers[w]:
		return -1
	case not && greater[w]:
		return 1
	case lessers[w] && w != "exceed" || atLeast[w]:
		return 1
	case greater[w] || atMost[w] || w == "up":
		return -1
	}
	return 0
}

// negatorReach bounds in words how far before a comparison its denial stands.
const negatorReach = 3

// boundNegated reports a denial of the comparison at j: "no later", "not be longer", "not bring more than".
func boundNegated(p *Text, j int) bool {
	for k := j - 1; k >= max(0, j-negatorReach) && !p.Parted(k+1); k-- {
		switch w := &p.Words[k]; w.Text {
		case "not", "never":
			return true
		case "no":
			return k == j-1
		case "be", "is", "are", "any", "take", "last":
		default:
			if k < j-1 || !p.Content(k) || p.textAt(j+1) != "than" {
				return false
			}
		}
	}
	return false
}

// boundAfter reads "or more", "at most" and "minimum" behind an amount.
func boundAfter(p *Text, i int) int8 {
	if i < len(p.Words) && p.Parted(i) {
		return 0
	}
	switch w, next := p.textAt(i), p.textAt(i+1); {
	case w == "or" && lessers[next], w == "minimum", w == "at" && next == "least":
		return 1
	case w == "or" && greater[next], w == "maximum", w == "max", w == "at" && next == "most":
		return -1
	}
	return 0
}
