package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// stance ranks how firmly an answer says a label, from unsaid to settled. The label with the highest stance decides.
type stance uint8

const (
	unsaid   stance = iota // asked, supposed, denied, or crossed out in a list
	listed                 // a choice among others
	sureness               // how sure the answer is: "my confidence is high"
	former                 // what was held before: "I said high earlier"
	once                   // what was so: "the risk was high"
	reported               // what somebody else calls it
	agreed                 // in "it is true that …": says that the rest of the sentence is true
	granted                // in a clause that gives a reason or grants something
	detail                 // behind the colon that follows another label
	passing                // named in passing, and not what the clause says of a thing
	said
	voiced   // what the writer applies to the thing in question: "this makes it low"
	declared // what the writer says as "I" or "we": "taken together, I rate it medium"
	stressed // in bold
	keyedTo  // behind a key: "Severity: high"
	named    // behind a key that the question names
	laidOut  // picked out in a list, on a line of its own, or at the very beginning
	settled  // announced by a cue, as a correction, as what is right, or by the last line
)

// stanceNames maps the names of stances in tables.txt to stances.
var stanceNames = map[string]stance{"unsaid": unsaid, "listed": listed, "sureness": sureness,
	"former": former, "once": once, "reported": reported, "agreed": agreed, "granted": granted,
	"passing": passing, "said": said, "voiced": voiced, "declared": declared}

// setStances sets the stance of each mention.
func (a *reading) setStances() {
	t := a.tokens
	present := slices.ContainsFunc(a.mentions, func(m mention) bool {
		return m.asserted && t.wordAt(m.start-1, "is", "are", "been")
	})
	var first *mention
	for i := range a.mentions {
		m := &a.mentions[i]
		m.cue, m.wordStance = m.start, inWords(a, m)
		m.asserted = m.asserted && m.wordStance > unsaid
		switch {
		case present && m.wordStance > once && t.back(tenses, m.start, t.clauseStart(m.start)).is(once):
			m.wordStance = once // "the risk was high"
		case first != nil && m.wordStance >= passing && t.text(first.end) == ":" && t.sameSentence(m.start, first.end):
			m.wordStance = detail
		}
		m.stance = max(m.wordStance, a.inLayout(m))
		if first == nil && m.asserted && m.wordStance != sureness {
			first = m
		}
	}
}

// inWords returns the stance of m by the words around it.
func inWords(r *reading, m *mention) stance {
	if m.asserted {
		return inClause(r.tokens, m)
	}
	if _, asks := replyTo(r, m); m.listed && !asks {
		return listed
	}
	return unsaid
}

// verbless is the largest number of words before a label in a clause that needs no verb: "later negative".
const verbless = 2

// inClause returns the stance of the asserted label m by the words of its clause.
func inClause(t tokens, m *mention) stance {
	s := said
	clause, more := t.clauseStart(m.start), t.goesOn(m.start, m.end)
	for _, c := range [...]*construction{t.framed(frames, m.start, m.end),
		t.back(earlier, m.at, t.sentenceStart(m.start)), t.back(others, m.at, clause)} {
		if c != nil {
			s = min(s, c.stance)
		}
	}
	switch {
	case s <= passing:
	case m.has(hedges):
		return passing
	case !m.negated() && (!more || t.is(m.end, english.FunctionWords)) && t.back(speakers, m.start, clause).is(declared):
		return declared
	case ownVoice(t, m):
		return voiced
	case t.is(m.end, heads):
	case more || m.start > clause+verbless && !t.has(clause, m.at, verbs):
		return passing
	}
	return s
}

// goesOn reports whether the clause of the label tokens[from:end] continues after the label. An "and" begins something
// else.
func (t tokens) goesOn(from, end int) bool {
	for t.is(end, asides) {
		end++
	}
	return t.word(end) && t[end].clause == t[from].clause && !t.is(end, excepting)
}

// ownVoice reports whether the writer applies the label m to the thing in question, at the end of a clause: "this makes
// it low", "I go with low".
func ownVoice(t tokens, m *mention) bool {
	return !t.goesOn(m.start, m.end) && t.back(statements, m.start, t.clauseStart(m.start)) != nil
}
