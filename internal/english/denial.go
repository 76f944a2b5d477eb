package english

import "strings"

// addsDenial reports whether the word at i adds a denial to the clause that begins at start. It also sets the word's
// fields IsDenial and Negative.
func addsDenial(p *Text, start, i int) bool {
	w := &p.Words[i]
	if w.Negative && i > start && p.Words[i-1].Is(isAuxiliary) {
		w.Negative, w.IsDenial = false, true // "MFA is optional" denies as "is not required" does
	}
	w.IsDenial = w.IsDenial || w.Is(IsDenier) && negates(p, i)
	freed, suffixed := frees(p, i), i > 0 && w.Text == "free" && w.Hyphenated && p.IsContent(i-1)
	if freed || suffixed {
		w.Class |= IsFunction // it denies, and says nothing by itself
	}
	if suffixed { // sugar-free
		p.Words[i-1].Negative = !p.Words[i-1].Negative
	}
	waived := waivedBy(p, i)
	if waived != NoWord {
		p.Words[waived].Class |= isWaived
	}
	return freed || w.IsDenial && waived == NoWord
}

// denialBegins reports whether the word at i is a denial of only what follows it: "MFA with no exceptions", "an app,
// not SMS". verb is true if the clause has an auxiliary before i.
func denialBegins(p *Text, i int, verb bool) bool {
	switch p.Words[i].Text {
	case "not":
		return !verb
	case "no":
		return textAt(p, i+1) != "longer"
	}
	return p.Words[i].Is(isForward) || frees(p, i)
}

// negates reports whether the word at i denies its clause.
func negates(p *Text, i int) bool {
	w, next := p.Words[i].Text, joinedAt(p, i+1)
	before := ""
	if i > 0 {
		before = p.Words[i-1].Text
	}
	switch {
	case denials[w]:
		return !idle(p, i, before, next)
	case w == "against":
		return advising[before]
	case denyingWith[w] != "":
		return next == denyingWith[w] && !stressing[before]
	case ceasing[w]:
		return strings.HasSuffix(next, "ing")
	case Untruths[w] || w == "myth" || w == "misconception":
		return calledUntrue(p, i, next)
	}
	return denying[w] && !p.Words[i].Negative
}

// idle reports whether the "not", "no" or "never" at i denies nothing: or not, not only, no later than. before and next
// are the words around it.
func idle(p *Text, i int, before, next string) bool {
	orNot := before == "or" && (i+1 == len(p.Words) || p.HasMarkBefore(i+1))
	noMore := next == "be" && textAt(p, i+2) == "more" // could not be more positive
	return orNot || notOnly[next] || stressed[next] || noMore || comparesNext(p, i)
}

// calledUntrue reports whether the word at i, such as "false" or "myth", is said of something: "false that", "is
// wrong", "a myth". next is the word after it.
func calledUntrue(p *Text, i int, next string) bool {
	if next == "that" || next == "to" || next == "is" && textAt(p, i+2) == "that" {
		return true
	}
	return i > 0 && p.MarkBefore(i) == 0 && (p.Words[i-1].Is(isAuxiliary) || p.Words[i-1].Text == "a")
}

// comparesNext reports whether the denial at i only reverses a comparison of amounts: "no later than", "must not exceed
// 14 days".
func comparesNext(p *Text, i int) bool {
	j := comparisonAfter(p, i)
	if j == NoWord {
		return false
	}
	behind := textAt(p, j+1)
	longer := p.Words[j].Text == "longer" && p.Words[j-1].Text == "no"
	return behind == "than" || j+1 < len(p.Words) && p.Words[j+1].InAmount && !longer
}

// comparisonReach is the largest distance, in words, between a denial and a comparison that it reverses.
const comparisonReach = 2

// comparisonAfter returns the index of the comparison that a denial at i reverses, such as "more" in "not bring more
// than". It returns NoWord if there is none.
func comparisonAfter(p *Text, i int) int {
	for j := i + 1; j <= i+comparisonReach && !p.HasMarkBefore(j); j++ {
		if p.Words[j].Is(IsComparison) {
			return j
		}
	}
	return NoWord
}

// waivedBy returns the index of the charge that the word at i denies: "no extra charge", "not charged for", "costs
// nothing", "free of charge". Such a denial only says that something is free. waivedBy returns NoWord if there is none.
func waivedBy(p *Text, i int) int {
	k := i + 1
	for p.Words[i].Is(IsDenier) && extras[textAt(p, k)] {
		k++
	}
	denies, next := false, textAt(p, k+1)
	switch p.Words[i].Text {
	case "no", "without":
		denies = true
	case "not":
		denies = next == "for" || next == "anything" || next == "extra"
	case "nothing":
		k, denies = i-1, i > 0
	case "free":
		k, denies = i+2, textAt(p, i+1) == "of"
	}
	if denies && charging[textAt(p, k)] {
		return k
	}
	return NoWord
}

// frees reports whether the word at i is a "free" that denies the words after it: "free of errors", "free from nuts".
func frees(p *Text, i int) bool {
	if p.Words[i].Text != "free" || i+2 >= len(p.Words) || p.HasMarkBefore(i+1) {
		return false
	}
	next, freed := p.Words[i+1].Text, &p.Words[i+2]
	return (next == "of" || next == "from") && p.IsContent(i+2) && !charging[freed.Text] && !freed.InAmount
}

// DeniesOutside reports whether words of its clause outside words[from:to] deny the word at i.
func (t *Text) DeniesOutside(i, from, to int) bool {
	c := t.Clauses[t.Words[i].Clause]
	outside := c.negations
	for k := max(from, c.First); k < min(to, c.Last); k++ {
		if t.Words[k].IsDenial {
			outside--
		}
	}
	return outside%2 != 0
}

// IsResumed reports whether the word at i stands before the denial of its clause, and a later clause takes it up as its
// subject. Such words are the refund of "A refund isn't instant; it takes five days" and the limit of "The limit isn't
// 10 but 5".
func IsResumed(p *Text, i int) bool {
	at := int(p.Words[i].Clause)
	c := p.Clauses[at]
	if i > c.First+longestSubject { // so that a long clause costs little
		return false
	}
	denial := i
	for denial < c.Last && !p.Words[denial].IsDenial {
		denial++
	}
	if denial == c.Last {
		return false
	}
	for _, next := range p.Clauses[at+1 : min(len(p.Clauses), at+1+resumeReach)] {
		w := p.Words[next.First].Text
		if w == "it" || w == "they" || w == "but" && !next.verb {
			return true
		}
	}
	return false
}

// resumeReach is the number of clauses after a denial in which its subject may be taken up. longestSubject is the
// largest number of words of a clause before such a subject.
const resumeReach, longestSubject = 3, 8

// bulleted reports whether a line begins as a list item does. line is the text before its first word w. A number such
// as "1." is itself a word, and bold type is no mark of an item.
func bulleted(w Word, line string) bool {
	line = strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
	return w.IsNumber || line != "" && strings.ContainsAny(line, "-*•–+")
}
