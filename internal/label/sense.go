package label

import (
	"github.com/failproof/failproof/internal/english"
)

// stands reports whether the words of core at i are a label and not a part of something else.
func (a *parsedAnswer) stands(i int, core []string) bool {
	t, end := a.tokens, i+len(core)
	if t.word(end) && t[end].glued {
		return t.wordAt(end, "severity", "priority", "level") // not high-risk
	}
	w, number := core[0], english.IsDigitAt(core[0], 0)
	switch {
	case len(core) > 1:
		return true
	case a.set.loud[w] && !t[i].loud:
		return t.framed(bare, i, end) != nil
	case short[w]:
		return isReply(t, i)
	case len(w) > 1:
		return t.find(otherSenses, i, none) == nil
	case number:
		return t.framed(scaleEnds, i, end) == nil && (a.rated(i) || isAnswer(t, i))
	}
	return t[i].upper && t.framed(formulas, i, end) == nil && (isAnswer(t, i) || a.set.lettered && inProse(t, i))
}

// isReply reports whether a word such as "yes" or "no" at i is an answer.
func isReply(t tokens, i int) bool {
	return t[i].quoted || t.framed(byItself, i, i+1) != nil || rightness(t, i+1) > 0 ||
		t[i].upper && t.word(i-1) && t.sameSentence(i-1, i)
}

// isAnswer reports whether the letter or number at i is the answer, and not a word of a sentence.
func isAnswer(t tokens, i int) bool {
	return t[i].quoted || t.framed(letterByItself, i, i+1) != nil || chosen(t, i)
}

// rated reports whether the number at i is a rating. The 3 of "pain 3 out of 10" is not.
func (a *parsedAnswer) rated(i int) bool {
	c := a.tokens.framed(ratings, i, i+1)
	return c != nil && (c.stance == said || a.set.opens(a.tokens.text(i+3)))
}

// inProse reports whether the letter at i stands in a row of words: "C and Java".
func inProse(t tokens, i int) bool {
	return t.wordAt(i+1, "and", "or") || (t.word(i-1) || t.is(i-1, joiners)) && t.sameSentence(i-1, i)
}

// chosen reports whether the letter or number at i is an option that the answer chooses or rejects: "option B is
// correct", "I'd go with B.", "A is wrong".
func chosen(t tokens, i int) bool {
	return (t[i].text < "a" || t[i].upper) &&
		(rightness(t, i+1) != 0 || t.framed(optionTaken, i, i+1) != nil)
}

// rightness returns 1 if "is correct", "is the best answer" or the like stands at i, and -1 for "is wrong" or "is not
// the answer". It returns 0 for anything else, including "cannot be ruled out".
func rightness(t tokens, i int) int {
	if t.wordAt(i, "and", "or") && len(t.text(i+1)) == 1 { // "both A and B are correct"
		i += 2
	}
	return t.framed(predicates, i, i).choice()
}
