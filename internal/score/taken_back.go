package score

import "strings"

// takesBack bounds in words how soon a statement is taken back.
const takesBack = 8

var (
	takeBacks  = set("actually sorry wait correction but however although though yet")
	backward   = set("this that which it there")
	claimNouns = set("claim statement assertion sentence idea notion belief assumption promise information answer")
	// Words between what is taken back and the word that does so.
	backAdverbs = set(`a an the just simply also clearly completely entirely plainly totally quite flatly obviously actually of course indeed in fact course
		strictly speaking absolutely however though still really even any`)
	complements = set("that to if whether")
	limits      = set("of for about")
)

// takenBack reports "but that is not true", "which is wrong", "False." and the like right behind a clause, in the same paragraph. A
// sentence that says of something else that it is wrong ("It is not true that …", "This policy is wrong") takes nothing back,
// nor does one that only limits the statement ("This is not true of sales").
func (p *prose) takenBack(at int32) bool {
	from := p.clauses[at].last
	if from == len(p.words) || p.newParagraph(from) {
		return false
	}
	i := from
	for p.within(i, from) && takeBacks[p.words[i].text] {
		i++
	}
	subject := ""
	if p.within(i, from) && backward[p.words[i].text] {
		subject = p.words[i].text
		if i++; p.within(i, from) && claimNouns[p.words[i].text] {
			i++
		}
	}
	not := false
	for end := i + takesBack; i < end && p.within(i, from); i++ {
		w := p.words[i]
		switch {
		case w.text == "not" || w.text == "no" || w.text == "never":
			if not = !not; !p.within(i+1, from) {
				return not && subject != "" && subject != "there" // "but it is not."
			}
		case facts[w.affirmed()]:
			return not != w.negative && p.saysNoMore(i+1, from, subject)
		case untruths[w.text] || w.text == "myth" || w.text == "misconception":
			return !not && p.saysNoMore(i+1, from, subject)
		case not && proofs[w.text]:
			return subject != "" && p.saysNoMore(i+1, from, "it")
		case !w.is(isAuxiliary) && !backAdverbs[w.text]:
			return false
		}
	}
	return false
}

// within reports a word at i in the sentence of the one at from.
func (p *prose) within(i, from int) bool {
	return i < len(p.words) && p.sentence(i) == p.sentence(from)
}

// saysNoMore reports that what begins at i gives the sentence no other matter than the statement before it. Without a subject,
// "Wrong.", nothing may follow.
func (p *prose) saysNoMore(i, from int, subject string) bool {
	if !p.within(i, from) {
		return true
	}
	w := p.words[i].text
	return subject != "" && !limits[w] && !(subject == "it" && complements[w])
}

// newParagraph reports an empty line before the word at i.
func (p *prose) newParagraph(i int) bool {
	_, rest, ok := strings.Cut(p.between(i), "\n")
	return ok && strings.Contains(rest, "\n")
}
