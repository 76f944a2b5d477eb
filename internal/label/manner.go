package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// nearWords bounds how far a negation reaches back over words that carry none themselves, wideWords over any words.
const nearWords, wideWords = 12, 16

// doubts finds the word that hedges each statement: from its beginning to its end, or to a "but" behind the word. A statement is a
// sentence, or a part of it up to a semicolon.
func (r *reading) doubts() {
	begin, by := 0, none
	for i := range r.tokens {
		t := &r.tokens[i]
		t.tried = tried[t.text]
		if i > 0 && (t.sentence != r.tokens[i-1].sentence || r.tokens[i-1].text == ";" || r.startsAnew(i) || by != none && contrasts[t.text]) {
			begin, by = i, none
		}
		if by == none && t.tried&inHedging != 0 && t.word && !t.struck && r.find(hedging, i, none) != nil && !r.nameAt(i) {
			for by = i; begin < i; begin++ {
				r.tokens[begin].doubt = by
			}
		}
		t.doubt = by
	}
}

// startsAnew reports a word behind the full stop of an option's name, which ends no sentence: "option (G). The answer …"
func (r *reading) startsAnew(i int) bool {
	return r.text(i-1) == "." && r.text(i-2) == ")" && r.tokens[i].upper
}

// nameAt reports a label of several words at a place, or behind the denial there: "Not enough information".
func (r *reading) nameAt(i int) bool {
	return slices.ContainsFunc(r.set.cores, func(core []string) bool {
		if r.tokens[i].denial {
			i++
		}
		_, ok := r.matches(min(i, len(r.tokens)-1), r.set.lemma(r.text(i)), core)
		return ok && len(core) > 1
	})
}

// around reads what stands around a label.
func (r *reading) around(at, end int) mention {
	m := mention{at: at, start: at, end: end}
	stop := r.near(&m)
	if by := r.tokens[m.start].doubt; by != none && !r.saysLikewise(&m, by) {
		m.how |= hedges
	}
	r.wide(&m, stop)
	if m.denials == 0 && !m.is(unsays) && (r.deniedBefore(&m) || r.back(notions, at, r.clauseFrom(at, wideWords)) != nil) {
		m.how |= hedges
	}
	r.after(&m)
	if m.is(classes) {
		m.how &^= unsays
	}
	return m
}

// saysLikewise reports a doubt that a label's own words are, as of Not enough information, or that says the same: "unknown: I can't tell".
func (r *reading) saysLikewise(m *mention, doubt int) bool {
	if doubt >= m.start && doubt < m.end {
		return true
	}
	if r.find(ignorance, doubt, none) == nil {
		return false
	}
	for i := m.start; i < m.end; i++ {
		if r.find(ignorant, i, none) != nil {
			return true
		}
	}
	return false
}

// near walks back from a label over denials and the words that may stand between, and returns where it stopped.
func (r *reading) near(m *mention) int {
	touching := true
	j := m.at - 1
	for ; j >= max(0, m.at-nearWords) && r.sameClause(j, m.at); j-- {
		w := r.tokens[j].text
		if j > 0 && seconds[w] && r.single(j-1) { // "fails to", "far from", "rather than"
			m.denials++
			if r.wordAt(j-1, "opposed", "rather", "instead") {
				m.how |= ousts
			}
			touching = false
			j--
			continue
		}
		found := r.find(before, j, m.at)
		if r.single(j) {
			m.denials++
		} else if found == nil {
			break
		} else {
			r.apply(m, found.effect)
		}
		if touching = touching && (r.single(j) || english.Auxiliary[w] && m.start < m.at); touching {
			m.start = j
		}
	}
	return j
}

// apply adds what a construction comes to.
func (r *reading) apply(m *mention, e effect) {
	if e&chooses != 0 && len(r.set.labels) > 2 || e&signs != 0 && r.symbolic(m.at) {
		e &^= unsays
	}
	if e&mainly != 0 && len(r.set.labels) > 2 && !r.set.graded() {
		e &^= hedges
	}
	if e&completes != 0 && !m.is(completes) {
		m.within = m.denials
	}
	if e&denies != 0 {
		m.denials++
	}
	m.how |= e
}

// graded reports a label that is another one in part, as Partially compliant is.
func (s *Set) graded() bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return degree[l.core[0]] })
}

func (r *reading) sameClause(j, start int) bool {
	return j >= 0 && r.tokens[j].word && !r.tokens[j].struck && r.tokens[j].clause == r.tokens[start].clause
}

// single reports a word that denies what follows it, alone.
func (r *reading) single(i int) bool {
	w := r.tokens[i].text
	return w == "non" || r.tokens[i].denial && !english.Untruths[w] && !(r.set.opens(w) && r.wordAt(i+1, "or", "and", "to"))
}

// wide reads the rest of the clause for what governs it whole.
func (r *reading) wide(m *mention, j int) {
	for ; j >= max(0, m.at-wideWords) && r.sameClause(j, m.at); j-- {
		found := r.find(governs, j, m.at)
		switch {
		case found == nil && m.denials == 0 && r.deniesRest(j, m.at):
			r.apply(m, denies|hedges)
		case found == nil:
		case found.effect == stops:
			return
		default:
			if r.apply(m, found.effect); found.effect&unsays != 0 {
				m.how &^= owes
			}
		}
	}
}

// deniesRest reports a denial at j of a verb, which denies all that its clause says behind it: "do not constitute harassment", "fails
// to qualify as urgent". One of a noun, "without MFA", does not.
func (r *reading) deniesRest(j, start int) bool {
	t := r.tokens[j]
	if !t.denial || t.inner != r.tokens[start].inner {
		return false
	}
	return verbDenials[t.text] || (t.text == "not" || t.text == "never") && j > 0 && (english.Auxiliary[r.tokens[j-1].text] || maybe[r.tokens[j-1].text])
}

// inBrackets reports a label alone in brackets behind a word.
func (r *reading) inBrackets(m *mention) bool {
	return r.text(m.start-1) == "(" && r.text(m.end) == ")" && r.word(m.start-2)
}

// deniedBefore reports a denial in the clause before a label that no rule takes for one of it, or of another label.
func (r *reading) deniedBefore(m *mention) bool {
	at, from := m.at, m.at-1
	if r.inBrackets(m) { // a label alone in brackets says what the words before them do
		at, from = at-2, at-2
	}
	for j := from; j >= max(0, m.at-wideWords, r.prior.end) && r.sameClause(j, at) && r.tokens[j].inner == r.tokens[at].inner; j-- {
		if t := &r.tokens[j]; t.denial && !absences[t.text] && !english.Untruths[t.text] {
			return true
		}
	}
	return false
}

// after reads what follows a label: a condition hedges it, ": false" turns it round, a question asks it.
func (r *reading) after(m *mention) {
	if t := r.tokens[m.end-1]; t.asks {
		if m.how &^= unsays | owes; t.reply == "" {
			m.how |= unsays
		}
		if t.reply == "no" {
			m.denials++
		}
		return
	}
	if !r.set.verdicts() && r.framed(noes, m.start, m.end) != nil {
		m.denials++
	}
	r.judged(m)
	if r.conditioned(m.start) {
		m.how |= hedges | wishes
	}
	for _, side := range [...]constructions{sides, conditions} {
		if c := r.framed(side, m.start, m.end); c != nil {
			m.how |= c.effect
		}
	}
}

// judged reads what is said of a label: that it is wrong denies it, that it may be right hedges it, and all else makes it a
// topic.
func (r *reading) judged(m *mention) {
	first := r.clauseStart(m.start)
	gerund := strings.HasSuffix(r.tokens[first].text, "ing") || r.text(first) == "to"
	end, aside := m.end, r.text(m.start-1) == "," && r.text(m.end) == "," // "the existing label, low, is wrong"
	if aside {
		end++
	}
	right := r.rightness(end)
	if first >= m.start-1 || gerund || aside { // "calling it spam would be wrong"
		switch {
		case right > 0 && maybe[r.text(m.end)] && r.text(m.end) != "would": // "seems right"
			m.how |= hedges
		case right < 0:
			m.denials++
		}
	}
	if right == 0 && m.end < len(r.tokens) && r.sameClause(m.end, m.start) && r.isTopic(m, first, gerund) {
		m.how |= hedges | topical
	}
}

// isTopic reports a label in the subject of its clause, of which something is said that is neither right nor wrong: "low is the last
// word for it", "calling it low misses the point".
func (r *reading) isTopic(m *mention, first int, gerund bool) bool {
	if r.text(first) == "what" || gerund && first < m.start && r.word(first+1) {
		return !english.FunctionWords[r.text(m.end)] && !r.saysSo(first, m.start)
	}
	return r.framed(subjects, m.start, m.end) != nil
}

// verdicts reports that yes, no, true or false are labels.
func (s *Set) verdicts() bool {
	return slices.ContainsFunc(s.labels, func(l label) bool { return len(l.core) == 1 && replies[l.core[0]] })
}

// conditioned reports a word in a sentence that begins with a condition.
func (r *reading) conditioned(i int) bool {
	first := r.skipMarks(r.sentenceFrom(i, verdictReach))
	return openings[r.text(first)] && r.tokens[first].clause != r.tokens[i].clause && !r.wordAt(first+1, "you", "i", "we", "so") &&
		!(r.wordAt(first+1, "not") && r.word(first+2))
}
