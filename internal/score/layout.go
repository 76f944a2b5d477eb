package score

// laidOut returns the last verdict that the layout shows: a label in bold, on a line of its own, after a key, or at the
// very beginning.
func (r *reading) laidOut() (last verdict, ok bool) {
	bold := r.boldVerdicts()
	for i, m := range r.mentions {
		if !m.asserted {
			continue
		}
		if bold[i] || r.aloneInLine(m) || r.keyed(m) || r.leading(m) {
			last, ok = settle(r.mentions[i:i+1]), true
		}
	}
	return last, ok
}

// ending reports whether v stands in the last line that has a word.
func (r *reading) ending(v verdict) bool {
	for i := len(r.tokens) - 1; i >= 0; i-- {
		if r.tokens[i].word {
			return r.tokens[i].line == r.tokens[v.at].line
		}
	}
	return false
}

// leading reports a label that opens the answer and is followed by a mark: "Compliant. The vendor …".
func (r *reading) leading(m mention) bool {
	if r.skipMarks(0) != m.start {
		return false
	}
	return m.end >= len(r.tokens) || !r.tokens[m.end].word || r.tokens[m.end].sent != r.tokens[m.start].sent || pronoun[r.tokens[m.end].text]
}

// keyWords is the most words of a key in "Risk level: high".
const keyWords = 4

// keyed reports a label that fills a line or a sentence together with a short key.
func (r *reading) keyed(m mention) bool {
	if m.end < len(r.tokens) && r.tokens[m.end].word && r.tokens[m.end].sent == r.tokens[m.start].sent {
		return false
	}
	i := m.start - 1
	if i < 0 || !separators[r.tokens[i].text] {
		return false
	}
	key := 0
	for i--; i >= 0 && r.tokens[i].sent == r.tokens[m.start].sent; i-- {
		if r.tokens[i].word {
			if key++; key > keyWords || notFinal[r.tokens[i].text] {
				return false
			}
		}
	}
	return key > 0
}

// boldVerdicts marks the mentions that are in bold as a verdict is. A bold label in front of a colon is one too, unless
// several labels stand so, as in a list of definitions.
func (r *reading) boldVerdicts() []bool {
	out := make([]bool, len(r.mentions))
	defined, several := none, false
	for i, m := range r.mentions {
		if out[i] = r.tokens[m.end-1].bold && r.boldAlone(m); out[i] && r.defines(m) {
			several = several || defined != none && defined != m.label
			defined = m.label
		}
	}
	for i, m := range r.mentions {
		out[i] = out[i] && !(several && r.defines(m))
	}
	return out
}

// boldAlone reports that the bold text around m is the label, or a sentence that says it.
func (r *reading) boldAlone(m mention) bool {
	from, to := m.start, m.end
	for from > max(0, m.start-verdictReach) && r.tokens[from-1].bold {
		from--
	}
	for to < min(len(r.tokens), m.end+verdictReach) && r.tokens[to].bold {
		to++
	}
	says, others := false, false
	for i := from; i < to; i++ {
		outside := i < m.start || i >= m.end
		others = others || outside && r.tokens[i].word
		says = says || r.wordAt(i, "is", "are", "does", "do")
	}
	return says || !others
}

func (r *reading) defines(m mention) bool {
	return m.end+1 < len(r.tokens) && r.tokens[m.end].text == ":" && r.tokens[m.end+1].word
}
