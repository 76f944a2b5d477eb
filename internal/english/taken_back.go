package english

import "strings"

// takesBack bounds in words how soon a statement is taken back.
const takesBack = 8

var (
	takeBacks  = Set("actually sorry wait correction oops apologies but however although though yet")
	backward   = Set("this that which it there")
	claimNouns = Set("claim statement assertion sentence idea notion belief assumption promise information answer")
	// Words between what is taken back and the word that does so.
	backAdverbs = Set(`a an the just simply also clearly completely entirely plainly totally quite flatly obviously actually of course indeed in fact course
		strictly speaking absolutely however though still really even any`)
	complements = Set("that to if whether")
	limits      = Set("of for about")
	slips       = Set("mistake error typo mistaken")
	// Whole clauses that take back what stands before them.
	retractions = [][]string{{"correction"}, {"scratch", "that"}, {"strike", "that"}, {"just", "kidding"}, {"i", "misspoke"}, {"i", "take", "that", "back"},
		{"i", "stand", "corrected"}, {"disregard", "that"}, {"ignore", "that"}, {"let", "me", "correct", "that"}, {"let", "me", "correct", "myself"}}
)

// backReach bounds in clauses how far behind a clause its sentence may go on before it is taken back.
const backReach = 4

// takenBack reports "but that is not true", "which is wrong", "False.", "Scratch that:" and the like right behind a clause or behind its
// sentence, in the same paragraph, unless that is taken back in turn: "That was a mistake. (It was not.)" A sentence that says of
// something else that it is wrong ("It is not true that …", "This policy is wrong") takes nothing back, nor does one that only limits
// the statement ("This is not true of sales").
func (p *Text) takenBack(at int32) bool {
	for last := at; int(last) < len(p.Clauses) && last <= at+backReach && p.Clauses[last].Sentence == p.Clauses[at].Sentence; last++ {
		ends := int(last)+1 == len(p.Clauses) || p.Clauses[last+1].Sentence != p.Clauses[at].Sentence
		if last > at && !ends || !p.takesBack(p.Clauses[last].Last) {
			continue
		}
		end := p.sentenceEnd(p.Clauses[last].Last)
		return !p.takesBack(end)
	}
	return false
}

// sentenceEnd is the word behind the sentence of the one at i, or some words further on if it is long.
func (p *Text) sentenceEnd(i int) int {
	end := i + 1
	for end < i+longestRetraction && p.within(end, i) {
		end++
	}
	return end
}

// longestRetraction bounds in words a sentence that takes something back and may itself be taken back.
const longestRetraction = 24

// takesBack reports that what begins at from takes back what stands before it.
func (p *Text) takesBack(from int) bool {
	if from >= len(p.Words) || p.newParagraph(from) {
		return false
	}
	i := from
	for p.within(i, from) && (takeBacks[p.Words[i].Text] || p.Words[i].Text == "no" && (takeBacks[p.textAt(i+1)] || backward[p.textAt(i+1)])) {
		if p.retracts(i) {
			return true
		}
		i++
	}
	if p.retracts(i) {
		return true
	}
	subject, first := "", i
	switch w := p.textAt(i); {
	case !p.within(i, from):
	case w == "i":
		subject, i = w, i+1
	case backward[w]:
		subject, i = w, i+1
		if p.within(i, from) && claimNouns[p.Words[i].Text] {
			i++
		}
	}
	not, verb := false, false
	for end := i + takesBack; i < end && p.within(i, from); i++ {
		w := p.Words[i]
		untrue := Untruths[w.Text] || w.Text == "myth" || w.Text == "misconception" || slips[w.Text] && verb && i > first && !p.Hyphened(i+1)
		switch {
		case subject == "i":
			if untrue || !w.Is(isAuxiliary) && !backAdverbs[w.Text] || w.Text == "not" {
				return untrue && p.saysNoMore(i+1, from, subject)
			}
		case w.Text == "not" || w.Text == "no" || w.Text == "never":
			if not = !not; !p.within(i+1, from) {
				return not && subject != "" && subject != "there" // "but it is not."
			}
		case Truths[w.affirmed()]:
			return not != w.Negative && p.saysNoMore(i+1, from, subject)
		case untrue:
			return !not && p.saysNoMore(i+1, from, subject)
		case not && Proofs[w.Text]:
			return subject != "" && p.saysNoMore(i+1, from, "it")
		case !w.Is(isAuxiliary) && !backAdverbs[w.Text]:
			return false
		}
		verb = verb || w.Is(isAuxiliary)
	}
	return false
}

// retracts reports a retraction at i, behind which a mark stands or the text ends.
func (p *Text) retracts(i int) bool {
	for _, phrase := range retractions {
		k := 0
		for k < len(phrase) && p.textAt(i+k) == phrase[k] && (k == 0 || !p.Parted(i+k)) {
			k++
		}
		if k == len(phrase) && (p.Parted(i+k) || k > 1 && p.textAt(i+k) == "about") {
			return true
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
	if subject == "i" { // "I was wrong about that"
		return w == "about" && backward[p.textAt(i+1)] || p.Parted(i)
	}
	return subject != "" && !limits[w] && !(subject == "it" && complements[w])
}

// newParagraph reports an empty line before the word at i.
func (p *Text) newParagraph(i int) bool {
	_, rest, ok := strings.Cut(p.between(i), "\n")
	return ok && strings.Contains(rest, "\n")
}
