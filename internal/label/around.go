package label

import (
	"github.com/failproof/failproof/internal/english"
)

// markDoubts records in each token the word that hedges the token's statement. A statement is a sentence, or a part of
// a sentence up to a semicolon. A hedge covers its whole statement. If a "but" follows the hedge, it covers only the
// part before the "but".
func markDoubts(t tokens) {
	begin, by := 0, none
	for i := range t {
		if i > 0 && (!t.sameSentence(i-1, i) || t.text(i-1) == ";" || by != none && t.is(i, contrasts) ||
			// behind the name of an option: "option (G). The …", where the parser ends no sentence
			t.text(i-1) == "." && t.text(i-2) == ")" && t[i].upper) {
			begin, by = i, none
		}
		if by == none && !t[i].struck && t.find(hedging, i, none) != nil {
			for by = i; begin < i; begin++ {
				t[begin].doubt = by
			}
		}
		t[i].doubt = by
	}
}

// around returns the mention of the label in tokens[at:end]. The mention records what the surrounding words say about
// the label.
func (a *reading) around(at, end int) mention {
	t, m := a.tokens, mention{at: at, start: at, end: end}
	stop := a.near(&m)
	if by := t[m.start].doubt; by != none && !saysLikewise(t, &m, by) {
		m.effects |= hedges
	}
	a.wide(&m, stop)
	a.after(&m)
	if m.has(classes) {
		m.effects &^= unsays
	}
	return m
}

// saysLikewise reports whether the hedging word t[doubt] does not hedge the label m. This is so if the word is part of
// the label, as in "Not enough information". It is also so if the label means the same as the word: "unknown: I can't
// tell".
func saysLikewise(t tokens, m *mention, doubt int) bool {
	return doubt >= m.start && doubt < m.end || t.is(doubt, ignorance) && t.has(m.start, m.end, ignorant)
}

// near walks back from the label m over denials and other constructions, and applies them to m. It returns the index of
// the token where it stopped.
func (a *reading) near(m *mention) int {
	t, j := a.tokens, m.at-1
	for ; j >= max(0, m.at-far) && t.sameClause(j, m.at); j-- {
		end, denial := j+1, a.denies(j)
		if t.is(j, seconds) && j > 0 && a.denies(j-1) && !t.is(j-1, instead) { // "fails to", "far from"
			j, denial = j-1, true
		}
		if denial {
			m.apply(denies)
		} else if found := t.find(before, j, m.at); found != nil {
			m.apply(found.effect)
		} else {
			break
		}
		if m.start == end && (denial || english.Auxiliary[t.text(j)] && m.start < m.at) {
			m.start = j
		}
	}
	return j
}

// apply adds the effects e of a construction to the mention m.
func (m *mention) apply(e effect) {
	if e&denies != 0 {
		m.denials++
	}
	m.effects |= e
}

// denies reports whether the word at i denies the words after it by itself, without another word.
func (a *reading) denies(i int) bool {
	t := a.tokens
	w := t.text(i)
	return w == "non" || t[i].denial && !english.Untruths[w] && !(a.set.opens(w) && t.wordAt(i+1, "or", "and", "to"))
}

// wide walks back from j to the beginning of the clause. It applies to m the constructions that govern the clause as a
// whole, and a denial that is no other label's.
func (a *reading) wide(m *mention, j int) {
	t := a.tokens
	for ; j >= max(0, m.at-far) && t.sameClause(j, m.at) && !m.has(stops); j-- {
		found := t.find(governs, j, m.at)
		switch {
		case found != nil:
			m.apply(found.effect)
		case m.denials > 0 || !t[j].denial || t[j].inner != t[m.at].inner:
		case t.is(j, verbDenials) || english.Auxiliary[t.text(j-1)]: // "fails to qualify as urgent"
			m.apply(denies | hedges)
		case j >= a.prior.end && !t.is(j, absences): // not "without MFA"
			m.apply(hedges)
		}
	}
}

// after applies to m the words that follow the label. A condition hedges the label, and ": false" denies it. In a
// question without a reply, the label is unsaid.
func (a *reading) after(m *mention) {
	t := a.tokens
	if reply, asks := replyTo(a, m); asks {
		if m.effects &^= unsays; reply == "" {
			m.effects |= unsays
		}
		if reply == "no" {
			m.denials++
		}
		return
	}
	judged(t, m)
	if conditioned(t, m.start) {
		m.effects |= hedges
	}
	for k := range sides.atLabel {
		if _, ok := surrounds(t, &sides.atLabel[k], m.start, m.end, m.start); ok {
			m.apply(sides.atLabel[k].effect)
		}
	}
}

// judged applies to m what the following words say about the label itself. "is wrong" denies the label. If
// the words say something else about the label, the label is hedged.
func judged(t tokens, m *mention) {
	end := m.end
	if t.text(m.start-1) == "," && t.text(end) == "," { // "the existing label, low, is wrong"
		end++
	}
	switch right := rightness(t, end); {
	case right == 0 && t.framed(subjects, m.start, m.end) != nil: // "low is the last word for it"
		m.effects |= hedges
	case right < 0:
		m.denials++
	}
}

// conditioned reports whether the sentence of the word at i begins with a condition in another clause.
func conditioned(t tokens, i int) bool {
	first := t.skipMarks(t.sentenceStart(i))
	return t.is(first, openings) && t[first].clause != t[i].clause && !t.wordAt(first+1, "you", "i", "we", "so")
}
