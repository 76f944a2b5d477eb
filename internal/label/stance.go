package label

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// stance is how an answer says a label that it names, from what is no answer to what is the verdict. The highest one decides.
type stance uint8

const (
	unsaid    stance = iota // asked, supposed, denied, or crossed out in a list
	due                     // what has to be done: "you should deny it"
	listed                  // a choice among others
	sureness                // how sure the answer is: "my confidence is high"
	imagined                // what would be
	former                  // what was held before: "I said high earlier"
	corrected               // what should be, where something was held before
	once                    // what was
	reported                // what somebody else calls it
	agreed                  // "it is true that …", which judges what it goes on to say
	topic                   // of which something is said that is neither right nor wrong: "low is the last word for it"
	granted                 // in a clause that gives a reason or grants something
	ground                  // behind "Reasons:"
	detail                  // behind the colon that follows another label
	passing                 // named in passing: not what its clause says of a thing
	said
	voiced   // by the writer of the thing itself: "this makes it low"
	declared // as "I" or "we": "taken together, I rate it medium"
	stressed // in bold
	keyed    // behind a key: "Severity: high"
	named    // behind a key that the question names
	laidOut  // picked out in a list, on a line of its own, or at the very beginning
	settled  // announced by a cue, as a correction, as what is right, or by the last line
)

// stances are those that a row names.
var stances = map[string]stance{"unsaid": unsaid, "due": due, "listed": listed, "sureness": sureness, "imagined": imagined, "former": former, "once": once,
	"reported": reported, "agreed": agreed, "ground": ground, "passing": passing, "said": said, "voiced": voiced, "declared": declared}

// inWords is what the words around a label make of it; held tells that another was held before.
func (r *reading) inWords(m *mention, held bool) stance {
	switch {
	case m.asserted:
		return r.inClause(m)
	case m.is(oughts) && held:
		return corrected
	case m.is(owes) && r.itself(m):
		return due
	case m.listed && !(r.tokens[m.start].asks || r.back(open, m.start, r.sentenceFrom(m.start, verdictReach)) != nil):
		return listed
	}
	return unsaid
}

// inClause is what the words around a label that is asserted make of it.
func (r *reading) inClause(m *mention) stance {
	clause := r.clauseFrom(m.start, wideWords)
	s := r.least(m, clause)
	own, sure, more, first := r.ownVoice(m), !m.is(hedges), r.goesOn(m.start, m.end), r.clauseStart(m.start)
	least := verbless
	if r.inBrackets(m) {
		first, least, more = r.clauseStart(m.start-2), 0, r.word(m.end+1)
	}
	switch {
	case s < topic:
	case m.is(topical):
		return topic
	case r.inSubordinate(m):
		return granted
	case !sure, r.framed(asides, m.start, m.end) != nil:
		return passing
	case !m.negated && (!more || english.FunctionWords[r.text(m.end)]) && r.back(speakers, m.start, clause).is(declared):
		return declared
	case own:
		return voiced
	case heads[r.text(m.end)]:
		return s
	case more || m.start > first+least && !r.saysSo(first, m.at):
		return passing
	}
	return s
}

// least is the least stance that a construction around a label makes of it.
func (r *reading) least(m *mention, clause int) stance {
	s := said
	if m.is(wishes) {
		s = imagined
	}
	for _, c := range [...]*construction{r.framed(frames, m.start, m.end), r.back(earlier, m.at, r.sentenceFrom(m.start, wideWords)), r.back(others, m.at, clause)} {
		if c != nil {
			s = min(s, c.stance)
		}
	}
	return s
}

// verbless is the most words before a label of a clause that needs no verb: "later negative".
const verbless = 2

// itself reports a label in its own words, which as a duty is what to do: "deny" is, "comply" for Compliant is not.
func (r *reading) itself(m *mention) bool {
	word := r.tokens[m.end-1].text
	return slices.ContainsFunc(r.set.words(r.set.labels[m.label].name), func(w string) bool { return w == word || participle(word, w) })
}

// inSubordinate reports a clause that gives a reason or grants something, but for "with the patch it is low".
func (r *reading) inSubordinate(m *mention) bool {
	first := r.clauseStart(m.start)
	w := r.tokens[first].text
	stated := slices.ContainsFunc(r.tokens[min(first+1, m.start):m.start], func(t token) bool { return being[t.text] })
	return conjunctions[w] || prepositions[w] && !(stated && r.text(first+1) != "that")
}

// goesOn reports a label behind which its clause goes on.
func (r *reading) goesOn(from, end int) bool {
	for range optionNames { // labels that are joined: where the last one ends, they all do
		for r.wordAt(end, "overall", "here", "instead", "then", "though", "too") {
			end++
		}
		if !r.wordAt(end, "and", "or", "but") {
			break
		}
		next, found := slices.BinarySearchFunc(r.mentions, end+1, func(m mention, at int) int { return m.start - at })
		if !found {
			return false
		}
		end = r.mentions[next].end
	}
	return r.word(end) && r.tokens[end].clause == r.tokens[from].clause && !r.wordAt(end, "rather", "not", "because", "since")
}

// ownVoice reports a label that ends a clause in which the writer says that the thing in question is it: "this makes it low", "I go with
// low", "low it is".
func (r *reading) ownVoice(m *mention) bool {
	if r.wordAt(m.end, "it") && r.clauseStart(m.start) == m.start {
		return !r.wordAt(m.end+2, "not")
	}
	if r.goesOn(m.start, m.end) && (!heads[r.tokens[m.end].text] || r.goesOn(m.start, m.end+1)) {
		return false
	}
	i := r.subject(m)
	if r.back(statements, m.start, i+1) != nil {
		return true
	}
	if i == m.start || !voices[r.text(i)] || r.text(i) == "what" && r.text(m.end) == ":" {
		return false
	}
	return r.wordAt(i, "i", "we") || r.saysSo(i, m.start) && len(r.within(i, m.start)) == 0
}

// subject is the first word of the clause of a label that leads to nothing else.
func (r *reading) subject(m *mention) int {
	i := r.clauseStart(m.start)
	for i < m.start && !voices[r.tokens[i].text] && (leads[r.tokens[i].text] || contrasts[r.tokens[i].text]) {
		i++
	}
	return i
}

// saysSo reports a verb between two places by which a thing is what a label says.
func (r *reading) saysSo(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from:to], func(t token) bool { return being[t.text] || makes[t.text] })
}
