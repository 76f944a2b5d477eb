package english

import "strings"

// takesBack bounds in words how soon a statement is taken back.
const takesBack = 8

var (
	takeBacks  = Set("actually sorry wait correction but however although though yet")
	backward   = Set("this that which it there")
	claimNouns = Set("claim statement assertion sentence idea notion belief assumption promise information answer")
	// Words between what is taken back and the word that does so.
	backAdverbs = Set(`a an the just simply also clearly completely entirely plainly totally quite flatly obviously actually of course indeed in fact course
		strictly speaking absolutely however though still really even any`)
	complements = Set("that to if whether")
	limits      = Set("of for about")
)

// takenBack reports "but that is not true", "which is wrong", "False." and the like right behind a clause, in the same paragraph. A
// sentence that says of something else that it is wrong ("It is not true that …", "This policy is wrong") takes nothing back,
// nor does one that only limits the statement ("This is not true of sales").
func (p *Text) takenBack(at int32) bool {
	from := p.Clauses[at].Last
	if from == len(p.Words) || p.newParagraph(from) {
		return false
	}
	i := from
	for p.within(i, from) && takeBacks[p.Words[i].Text] {
		i++
	}
	subject := ""
	if p.within(i, from) && backward[p.Words[i].Text] {
		subject = p.Words[i].Text
		if i++; p.within(i, from) && claimNouns[p.Words[i].Text] {
			i++
		}
	}
	not := false
	for end := i + takesBack; i < end && p.within(i, from); i++ {
		w := p.Words[i]
		switch {
		case w.Text == "not" || w.Text == "no" || w.Text == "never":
			if not = !not; !p.within(i+1, from) {
				return not && subject != "" && subject != "there" // "but it is not."
			}
		case Truths[w.affirmed()]:
			return not != w.Negative && p.saysNoMore(i+1, from, subject)
		case Untruths[w.Text] || w.Text == "myth" || w.Text == "misconception":
			return !not && p.saysNoMore(i+1, from, subject)
		case not && Proofs[w.Text]:
			return subject != "" && p.saysNoMore(i+1, from, "it")
		case !w.Is(isAuxiliary) && !backAdverbs[w.Text]:
			return false
		}
	}
	return false
}

// within reports a word at i in the sentence of the one at from.
func (p *Text) within(i, from int) bool {
	return i < len(p.Words) && p.Sentence(i) == p.Sentence(from)
}

// saysNoMore reports that what begins at i gives the sentence no other matter than the statement before it. Without a subject,
// "Wrong.", nothing may follow.
func (p *Text) saysNoMore(i, from int, subject string) bool {
	if !p.within(i, from) {
		return true
	}
	w := p.Words[i].Text
	return subject != "" && !limits[w] && !(subject == "it" && complements[w])
}

// newParagraph reports an empty line before the word at i.
func (p *Text) newParagraph(i int) bool {
	_, rest, ok := strings.Cut(p.between(i), "\n")
	return ok && strings.Contains(rest, "\n")
}
