package label

import (
	"github.com/failproof/failproof/internal/english"
)

// stands reports whether the words of core at i are a label and not a part of something else.
func (a *reading) stands(i int, core []string) bool {
	t, end := a.tokens, i+len(core)
	if t.word(end) && t[end].glued {
		return t.wordAt(end, "severity", "priority", "level") // not high-risk
	}
	w := core[0]
	switch {
	case len(core) > 1:
		return true
	case a.set.loud[w] && !t[i].loud:
		return t.framed(bare, i, end) != nil
	case len(w) > 1 && !short[w]:
		return t.find(otherSenses, i, none) == nil
	}
	return a.isAnswer(i, w)
}

// isAnswer reports whether w at i, a letter, a number or a word such as "yes", is an answer and not a word of a
// sentence.
func (a *reading) isAnswer(i int, w string) bool {
	t := a.tokens
	switch {
	case short[w]:
		c := t.framed(replies, i, i+1)
		return c.is(said) || c.is(listed) && t[i].upper || rightness(t, i+1) > 0
	case english.IsDigitAt(w, 0):
		c := t.framed(ratings, i, i+1)
		return c.is(said) || c.is(listed) && a.set.opens(t.text(i+3)) || !c.is(unsaid) && chosen(t, i)
	}
	c := t.framed(letters, i, i+1)
	return t[i].upper && (c.is(said) || c.is(listed) && a.set.lettered || !c.is(unsaid) && chosen(t, i))
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
