package english

import "strings"

// bound returns the bound that a word sets for the amount after it: -1 for at most, 1 for at least, 0 for none.
func bound(word string) int8 {
	switch {
	case upward[word] || atLeast[word]:
		return 1
	case downward[word] || atMost[word]:
		return -1
	}
	return 0
}

// boundOf returns the bound of the amount a as bound does. a begins with the word at i.
func boundOf(p *Text, i int, a Amount) int8 {
	if w := textAt(p, a.LastWord+1); (w == "or" || w == "at") && !p.HasMarkBefore(a.LastWord+1) { // or more, at most
		if b := bound(textAt(p, a.LastWord+2)); b != 0 {
			return b
		}
	}
	j := i - 1
	if j >= 0 && money[p.Words[j].Text] {
		i, j = j, j-1
	}
	for j >= 0 && comparing[p.Words[j].Text] {
		j--
	}
	if j < 0 || p.HasMarkBefore(j+1) && !(j == i-1 && strings.Trim(between(p, i), " "+currencies) == "") {
		return 0
	}
	b := bound(p.Words[j].Text)
	if p.Words[j].Is(IsComparison) && boundNegated(p, j) {
		return -b
	}
	return b
}

// boundNegated reports whether the comparison at j is denied: "no later", "not be longer", "not bring more than".
func boundNegated(p *Text, j int) bool {
	for k := max(0, j-comparisonReach); k < j; k++ {
		if denials[p.Words[k].Text] && comparisonAfter(p, k) == j {
			return true
		}
	}
	return false
}
