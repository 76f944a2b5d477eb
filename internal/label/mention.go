package label

import (
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/english"
)

// mention is one place where an answer names a label.
type mention struct {
	at, end int // the label is tokens[at:end]
	start   int // where the label begins, with the words before it that deny it
	label   int
	denials int
	effects effect // effects of the constructions around it

	asserted   bool   // said of the thing in question, and not in a condition, duty, question or list of choices
	listed     bool   // one of several choices, as in "compliant or non-compliant"
	wordStance stance // the stance by the words around it alone
	stance     stance
	cue        int // index of the word that announces the label; mentions with the same cue are settled together
}

func (m *mention) has(e effect) bool { return m.effects&e != 0 }

// sure reports whether the label is asserted and not hedged.
func (m *mention) sure() bool { return m.asserted && !m.has(hedges) }

func (m *mention) negated() bool { return m.denials%2 == 1 }

// find finds the labels that the answer names, and what the words around each say about it.
func (a *reading) find() {
	for i := 0; i < len(a.tokens); i++ {
		m, ok := a.mentionAt(i)
		if !ok {
			continue
		}
		m.asserted = !m.has(unsays)
		if i, a.prior = m.end-1, m; m.label != none {
			a.mentions = append(a.mentions, m)
		}
	}
}

// mentionAt returns the mention of a label at i. The mention may be the label's own words or the name of an option that
// stands for the label. mentionAt returns false if there is none.
func (a *reading) mentionAt(i int) (mention, bool) {
	t := &a.tokens[i]
	if !t.word || t.struck {
		return mention{}, false
	}
	first := a.set.lemma(t.text)
	for _, core := range a.set.cores {
		if flipped, ok := a.matches(i, first, core); ok && a.stands(i, core) {
			m := a.around(a.bracketed(i, i+len(core)))
			a.deny(&m, flipped)
			a.resolve(core, &m)
			a.nameOption(&m)
			return m, true
		}
	}
	label, named := a.options[t.text]
	if !named || t.signed || !chosen(a.tokens, i) {
		return mention{}, false
	}
	m := a.around(i, i+1)
	if m.label = label; m.negated() {
		m.label = otherOf(a.set, label)
	}
	return m, true
}

// bracketed returns the range of the label tokens[start:end] with the brackets in which it stands alone behind a word.
// Such a label says what the words before the brackets do.
func (a *reading) bracketed(start, end int) (from, to int) {
	if t := a.tokens; t.text(start-1) == "(" && t.text(end) == ")" && t.word(start-2) {
		return start - 1, end + 1
	}
	return start, end
}

// matches reports whether the words of core stand at i. lemma is the lemma of the word at i. flipped is true if that
// word denies the first word of core, as "noncompliant" denies "compliant".
func (a *reading) matches(i int, lemma string, core []string) (flipped, ok bool) {
	switch t := a.tokens; {
	case i+len(core) > len(t) || t[i].signed:
		return false, false
	case lemma == core[0], len(core) == 1 && inflects(t, i, core[0]):
	case isOpposite(a, i, core[0]):
		flipped = true
	default:
		return false, false
	}
	for k := 1; k < len(core); k++ {
		t := &a.tokens[i+k]
		if !t.word || t.struck || t.signed || t.sentence != a.tokens[i].sentence || a.set.lemma(t.text) != core[k] {
			return false, false
		}
	}
	return flipped, true
}

// isOpposite reports whether the word at i denies core by itself, as noncompliant denies compliant. A word with which a
// label begins denies nothing.
func isOpposite(r *reading, i int, core string) bool {
	t := &r.tokens[i]
	base := r.text.Words[t.at].Affirmative()
	return (base != "" && r.set.lemma(base) == core || english.AreOpposites(t.text, core)) && !r.set.opens(t.text)
}

// inflects reports whether the word at i is a form of verb that says what is done: "should be escalated".
func inflects(t tokens, i int, verb string) bool {
	return strings.HasSuffix(t.text(i), "ed") && english.WordStem(t.text(i)) == english.WordStem(verb) &&
		(t.is(i-1, done) || t.framed(bare, i, i+1) != nil)
}

// deny adds to m a denial in the label's own words, and the denial of an earlier label that "or" or "and" joins to it.
// flipped reports whether a word of the label contains a denial.
func (a *reading) deny(m *mention, flipped bool) {
	switch t := a.tokens; {
	case flipped:
		m.denials++
	case m.start == m.at && labelNegations[t.text(m.at-1)] && !t.sameClause(m.at-1, m.at):
		m.denials++ // "Not given", where "given" begins a clause
		m.start--
	}
	if m.denials == 0 && a.alsoDenied(m.start) {
		m.denials++
	}
}

// alsoDenied reports whether the denial of the prior label extends to the label at the given token. It does after "or",
// as in "not a bug or a question". It also does after "and" if the prior label is ruled out. A label whose name is
// negative does not extend its negation to others.
func (a *reading) alsoDenied(at int) bool {
	p := &a.prior
	return p.negated() && !(p.label != none && a.set.labels[p.label].negative) &&
		a.tokens.between(likewise, p.start, p.end, at) != nil
}

// replyTo returns the yes or no that follows the sentence of m, or "". asks reports whether the sentence is a question.
func replyTo(r *reading, m *mention) (reply string, asks bool) {
	reply, asks = r.text.Replies[r.text.SentenceOf(r.tokens[m.at].at)]
	return reply, asks
}

// resolve sets the label of m to what the words of core mean, given the denials in m. If no label has that core and
// that polarity, it is the opposite of the label with that core. If that label has no opposite, it is the other label
// of a set of two, and hedged: an answer that denies "emergency" does not say "routine".
func (a *reading) resolve(core []string, m *mention) {
	for i, l := range a.set.labels {
		if slices.Equal(l.core, core) {
			if m.label = i; l.negative == m.negated() {
				return
			}
		}
	}
	if opposite := a.set.labels[m.label].opposite; opposite != none {
		m.label = opposite
		return
	}
	m.label = otherOf(a.set, m.label)
	m.effects |= hedges
}
