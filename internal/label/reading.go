package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// text is the word or mark at a place, "" outside of the answer.
func (r *reading) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].text
}

func (r *reading) skipMarks(i int) int {
	for i < len(r.tokens) && !r.tokens[i].word {
		i++
	}
	return i
}

// sentenceEnd returns the end of the sentence that the first word from i on belongs to.
func (r *reading) sentenceEnd(i int) int {
	if i = r.skipMarks(i); i < len(r.tokens) {
		return min(int(r.tokens[i].sentence.to), i+verdictReach)
	}
	return i
}

// within returns the mentions between two places.
func (r *reading) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.end - 1 - at })
	for i := first; i < len(r.mentions) && r.mentions[i].end <= to; i++ {
		out = append(out, &r.mentions[i])
	}
	return out
}

// said drops what a verdict mentions without saying it.
func (r *reading) said(ms []*mention) []*mention {
	ms = slices.DeleteFunc(ms, func(m *mention) bool { return !m.asserted })
	if left := slices.DeleteFunc(slices.Clone(ms), func(m *mention) bool { return m.words == imagined || m.words == former || m.words == granted }); len(left) > 0 {
		return left
	}
	return ms
}

func (r *reading) inSubordinate(m *mention) bool {
	first := r.clauseStart(m.start)
	w := r.tokens[first].text
	return subordinate[w] && !(prepositions[w] && !r.wordAt(first+1, "that") && r.verbBetween(first, m.start)) // "with the patch it is low"
}

var prepositions = english.Set("with despite given due owing considering except")

// clauseStart finds the first word of the clause that i is in; one far away is not looked for.
func (r *reading) clauseStart(i int) int { return r.clauseFrom(i, verdictReach) }

func (r *reading) clauseFrom(i, reach int) int { return max(int(r.tokens[i].clause.from), i-reach, 0) }

func (r *reading) sentenceFrom(i, reach int) int {
	return max(int(r.tokens[i].sentence.from), i-reach, 0)
}

var (
	subordinate = english.Set("given due owing considering although though while whereas because since unless even with despite except")
)
