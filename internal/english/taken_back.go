package english

import (
	"slices"
	"strings"
)

// backReach is the largest number of clauses between a clause and the end of its sentence, if the next sentence takes
// the clause back. judgementWords limits the words that are read as a judgement. longestRetraction limits the words of
// a sentence that takes a statement back and may be taken back by the next sentence.
const backReach, judgementWords, longestRetraction = 4, 8, 24

// isRetracted reports whether a clause is taken back: "but that is not true", "which is wrong", "False.", "Scratch
// that:". at is the index of the clause. The retraction follows the clause directly, or follows its sentence in the
// same paragraph. It does not count if the next sentence takes it back: "That was a mistake. (It was not.)" A sentence
// about something else ("This policy is wrong") takes nothing back. Nor does a sentence that only limits the statement
// ("This is not true of sales").
func isRetracted(p *Text, at int32) bool {
	sentence := p.Clauses[at].Sentence
	for last := at; int(last) < len(p.Clauses) && last <= at+backReach && p.Clauses[last].Sentence == sentence; last++ {
		ends := int(last)+1 == len(p.Clauses) || p.Clauses[last+1].Sentence != sentence
		if last != at && !ends {
			continue
		}
		from := p.Clauses[last].Last
		if judges, refutes := judgementAt(p, from); judges && refutes {
			next := from + 1
			for next < from+longestRetraction && within(p, next, from) {
				next++
			}
			judges, _ = judgementAt(p, next)
			return !judges
		}
	}
	return false
}

// maxBacking is the largest number of words such as "wait" in a row that are read.
const maxBacking = 32

// judgementAt reports whether the sentence or clause at start judges the statement before it, and whether it then calls
// that statement wrong or right.
func judgementAt(p *Text, start int) (judges, refutes bool) {
	if start >= len(p.Words) || newParagraph(p, start) {
		return false, false
	}
	i := start
	for backs := p.Words[start].Is(isBacking); backs && i < start+maxBacking; i++ {
		if retracts(p, i) {
			return true, true
		}
		if !within(p, i, start) || !takesBackAt(p, i) {
			break
		}
	}
	if admitsMistake(p, start, i) {
		return true, true
	}
	subject := ""
	if w := textAt(p, i); p.Words[start].Is(isBacking) && within(p, i, start) && (speakers[w] || demonstratives[w] || w == "i") {
		subject = w
		if i++; within(p, i, start) && claimNouns[p.Words[i].Text] {
			i++
		}
	}
	return judgesOf(p, subject, i, start)
}

// takesBackAt reports whether the word at i takes back what stands before: "oops", "no" before "that is wrong".
func takesBackAt(p *Text, i int) bool {
	w, next := p.Words[i].Text, textAt(p, i+1)
	return takeBacks[w] || w == "no" && (demonstratives[next] || next == "i")
}

// admitsMistake reports whether a sentence says that somebody was mistaken: "Oops, I misread it", "Sorry, that was …",
// "She got that wrong". The sentence begins at start. i is the index of its first word after words such as "oops".
func admitsMistake(p *Text, start, i int) bool {
	who, verb, what := textAt(p, i), textAt(p, i+1), textAt(p, i+2)
	if (verb == "had" || verb == "got") && demonstratives[what] && textAt(p, i+3) == "wrong" && (who == "i" || speakers[who]) {
		return true
	}
	regret := slices.ContainsFunc(p.Words[start:i], func(w Word) bool { return regrets[w.Text] })
	return i > start && who == "i" && misdone[verb] || regret && verb == "was"
}

// judgesOf returns the judgement, as judgementAt does, that the words from i on make about subject, such as "that".
// subject is "" if the sentence has none. The sentence begins at start.
func judgesOf(p *Text, subject string, i, start int) (judges, refutes bool) {
	not, verb := false, false
	for end := judgingEnd(p, i, start); i < end; i++ {
		w := &p.Words[i]
		about := saysNoMore(p, i+1, start, subject)
		switch {
		case mistaken[w.Text], slips[w.Text] && verb && subject != "":
			return about, !not
		case denials[w.Text]:
			if not = !not; !within(p, i+1, start) || strings.ContainsAny(between(p, i+1), ":;") {
				return not && subject != "", true
			}
		case truths[w.affirmed()], w.Text == "so" && !within(p, i+1, start):
			return about, not != w.Negative
		case not && proofs[w.Text]:
			return subject != "" && saysNoMore(p, i+1, start, "it"), true
		}
		verb = verb || w.Is(isAuxiliary)
	}
	return false, false
}

// judgingEnd returns the end of the words from i on that can judge a statement. The sentence begins at start.
func judgingEnd(p *Text, i, start int) int {
	end := i
	for end < i+judgementWords && within(p, end, start) && p.Words[end].Is(isJudging|isAuxiliary|isNegation) {
		end++
	}
	return end
}

// retracts reports whether a retraction, such as "scratch that", begins at i and is followed by a mark or the end of
// the text.
func retracts(p *Text, i int) bool {
	return slices.ContainsFunc(retractions, func(phrase []string) bool {
		k := 0
		for k < len(phrase) && textAt(p, i+k) == phrase[k] &&
			(k == 0 || !p.HasMarkBefore(i+k) || strings.HasPrefix(between(p, i+k), ",")) {
			k++
		}
		return k == len(phrase) && p.HasMarkBefore(i+k)
	})
}

// saysNoMore reports whether the words from i on leave a judgement as it is. A judgement without a subject, such as
// "Wrong.", must end the sentence. The sentence begins at start.
func saysNoMore(p *Text, i, start int, subject string) bool {
	if !within(p, i, start) {
		return true
	}
	w := p.Words[i].Text
	if subject == "i" { // "I was wrong about that"
		return w == "about" && demonstratives[textAt(p, i+1)] || p.HasMarkBefore(i)
	}
	return subject != "" && !limits[w] && !(subject == "it" && complements[w])
}
