package label

import "github.com/failproof/failproof/internal/english"

// inLayout returns the stance of m by the layout of the text around it. It is unsaid if m is not asserted.
func (a *reading) inLayout(m *mention) stance {
	t := a.tokens
	switch {
	case !m.asserted:
		return unsaid
	case rightness(t, m.end) > 0: // "D is the better answer"
		m.cue = int(t[m.start].sentence.from)
		return settled
	case aloneInLine(t, m), isSentence(t, m), a.isLeading(m), isConcluding(t, m):
		if t.skipMarks(int(t[m.start].line.to)) == len(t) {
			return settled
		}
		return laidOut
	case hasKey(t, m):
		if a.asksFor(m) {
			return named
		}
		return keyedTo
	case boldAlone(t, m):
		m.cue = int(t[m.start].sentence.from)
		return stressed
	}
	return unsaid
}

// standsAlone reports whether the label m stands alone: after a key, on a line, in bold, or at the start of the answer.
// A short word such as "No" or "Yes" at the start does not count, because it may belong to the words after it.
func (a *reading) standsAlone(m *mention) bool {
	t := a.tokens
	return hasKey(t, m) || aloneInLine(t, m) || boldAlone(t, m) || a.isLeading(m) && (m.end > m.start+1 || !t.is(m.start, short))
}

// isSentence reports whether the label m is the only word of its sentence.
func isSentence(t tokens, m *mention) bool {
	s := t[m.start].sentence
	return t.skipMarks(int(s.from)) == m.start && t.skipMarks(m.end) >= int(s.to)
}

// aloneInLine reports whether the label m is a whole line. A number before the label does not count.
func aloneInLine(t tokens, m *mention) bool { return t.framed(lines, m.start, m.end).is(said) }

// isConcluding reports whether the label m makes up the last clause of the answer: "She is his dentist and the date is
// right: not spam.", "With three hosts infected, high."
func isConcluding(t tokens, m *mention) bool {
	return !m.has(hedges) && m.wordStance != former && m.wordStance != sureness &&
		t.framed(conclusions, m.start, m.end).is(said) && !hasKey(t, m)
}

// isLeading reports whether the label m begins the answer and no word follows it directly: "Compliant. The vendor …".
func (a *reading) isLeading(m *mention) bool {
	return a.tokens.skipMarks(0) == m.start && m.wordStance != reported && !a.tokens.word(m.end)
}

// hasKey reports whether the line or sentence of m is only a short key and the label: "Category: spam". A key does not
// count if it announces a former label, or what a label is for.
func hasKey(t tokens, m *mention) bool { return t.framed(keys, m.start, m.end).is(said) }

// asksFor reports whether the question has a word of the key before the label m. In "Severity: high", this word is
// severity.
func (a *reading) asksFor(m *mention) bool {
	t, question := a.tokens, a.question.StemWords()
	for i := m.start - 1; i >= t.sentenceStart(m.start); i-- {
		if t[i].word && !t.is(i, english.FunctionWords) && question.FirstOf(english.WordStem(t[i].text)) != english.NoWord {
			return true
		}
	}
	return false
}

// boldAlone reports whether the bold text around m consists of the label alone.
func boldAlone(t tokens, m *mention) bool {
	next := t.skipMarks(m.end)
	return t[m.end-1].bold && !(m.start > 0 && t[m.start-1].bold) && !(next < len(t) && t[next].bold)
}
