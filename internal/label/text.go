package label

import (
	"slices"
)

// tokens are the words and marks of a text in order. The methods accept an index outside of the text, where there is
// neither word nor mark.
type tokens []token

// far is how many tokens before or behind a label are read.
const far = 60

// text returns the word or mark at i, or "" if i is outside of the text.
func (t tokens) text(i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i].text
}

func (t tokens) word(i int) bool { return i >= 0 && i < len(t) && t[i].word }

// is reports whether the word or mark at i is in a list.
func (t tokens) is(i int, words map[string]bool) bool { return words[t.text(i)] }

func (t tokens) wordAt(i int, any ...string) bool {
	return t.word(i) && slices.Contains(any, t[i].text)
}

func (t tokens) skipMarks(i int) int {
	for i < len(t) && !t[i].word {
		i++
	}
	return i
}

// has reports whether a word or mark in t[from:to] is in a list.
func (t tokens) has(from, to int, words map[string]bool) bool {
	return from < to && slices.ContainsFunc(t[from:to], func(w token) bool { return words[w.text] })
}

// sentenceEnd returns the end of the sentence that contains the first word from i on.
func (t tokens) sentenceEnd(i int) int {
	if i = t.skipMarks(i); i < len(t) {
		return min(int(t[i].sentence.to), i+far)
	}
	return i
}

// sentenceStart returns the index of the first token of the sentence of the token at i.
func (t tokens) sentenceStart(i int) int { return max(int(t[i].sentence.from), i-far) }

// clauseStart returns the index of the first word of the clause of the token at i.
func (t tokens) clauseStart(i int) int { return max(int(t[i].clause), i-far) }

// sameClause reports whether the word at j is in the clause of the token at i and not crossed out.
func (t tokens) sameClause(j, i int) bool {
	return j >= 0 && t[j].word && !t[j].struck && t[j].clause == t[i].clause
}

// sameSentence reports whether the tokens at i and j are in one sentence.
func (t tokens) sameSentence(i, j int) bool {
	return i >= 0 && j >= 0 && i < len(t) && j < len(t) && t[i].sentence == t[j].sentence
}
