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

// stances gives each mention its own.
func (r *reading) stances() {
	first := slices.IndexFunc(r.mentions, func(m mention) bool { return m.asserted && !r.framed(frames, m.start, m.end).is(sureness) })
	reasons, colon := len(r.tokens), len(r.tokens)
	if first >= 0 {
		reasons, colon = r.reasons(r.mentions[first].end), r.explained(&r.mentions[first])
	}
	present := slices.ContainsFunc(r.mentions, func(m mention) bool { return m.asserted && r.wordAt(m.start-1, "is", "are", "been") })
	for i := range r.mentions {
		m := &r.mentions[i]
		m.cue = m.start
		m.words = r.inWords(m)
		switch {
		case m.words > once && present && r.wordAt(m.start-1, "was", "were"):
			m.words = once
		case m.words < passing:
		case m.start > reasons:
			m.words = ground
		case m.start > colon && r.tokens[m.start].sentence == r.tokens[colon].sentence:
			m.words = detail
		}
		m.stance = m.words
		if m.asserted {
			m.stance = max(m.words, r.inLayout(m, i == len(r.mentions)-1))
		}
	}
	r.announced()
}

// inWords is what the words around a label make of it.
func (r *reading) inWords(m *mention) stance {
	switch {
	case m.asserted:
		return r.inClause(m)
	case m.is(oughts) && slices.ContainsFunc(r.mentions, func(m mention) bool { return m.words == former }):
		return corrected
	case m.is(owes) && r.itself(m):
		return due
	case m.listed && !(r.tokens[m.start].asks || r.back(open, m.start, r.sentenceFrom(m.start, verdictReach)) != nil):
		return listed
	}
	return unsaid
}

// What stands around a label that is said, from the least stance on.
var frames = table(
	as(sureness, ">_ $sure; $sure is|was|remains|very|fairly|quite|$degree >_; $sure is|was|remains very|fairly|quite|$degree >_"),
	as(former, ">_ earlier|initially|originally|previously|formerly|until|till|last"),
	as(reported, "$touted as|a|an >_; $touted * as|a|an >_"),                                             // "billed as a comedy"
	as(reported, ">_ ~ ~ # says|said|noted|wrote|claims; >_ ~ ~ # !i|we ~ says|said|noted|wrote|claims"), // "low, says the vendor"
	as(agreed, "it is >_ that; that is >_ :"),
)

// What is found on the way back from a label to the beginning of its sentence.
var once_ = table(
	as(said, "$breaks"),
	as(former, "$formerly; used to; had been _; had been * _; last year|month|week|quarter|time; i|have|we|first|had >said|guessed|thought|considered|called"),
	as(former, "my|our >first; i|we >nearly|almost"),
)

// And to the beginning of its clause.
var others = table(
	as(said, "$being|$makes ~ ~ >$calls"), // "is best described as"
	as(reported, "-$nobody >$calls; -$nobody -$verbless >it|this _"),
)

// Whether the writer says it.
var speakers = table(as(declared, "i|we"), as(said, "$being"))

// What leaves a choice open.
var open = table(as(unsaid, "whether|if|none|neither; $none $choices"))

// inClause is what the words around a label that is asserted make of it.
func (r *reading) inClause(m *mention) stance {
	s := said
	if m.is(wishes) {
		s = imagined
	}
	if c := r.framed(frames, m.start, m.end); c != nil {
		s = min(s, c.stance)
	}
	if c := r.back(once_, m.start, r.sentenceFrom(m.start, wideWords)); c != nil {
		s = min(s, c.stance)
	}
	clause := r.clauseFrom(m.start, wideWords)
	if c := r.back(others, m.start, clause); c != nil {
		s = min(s, c.stance)
	}
	switch {
	case s < topic:
	case m.is(topical):
		return topic
	case r.inSubordinate(m):
		return granted
	case !m.is(hedges) && !m.negated && !(r.goesOn(m.start, m.end) && !english.FunctionWords[r.tokens[m.end].text]) && r.back(speakers, m.start, clause).is(declared):
		return declared
	case r.ownVoice(m) && !m.is(hedges):
		return voiced
	case r.beside(m):
		return passing
	}
	return s
}

// inLayout is what the layout makes of a label that is asserted.
func (r *reading) inLayout(m *mention, last bool) stance {
	switch {
	case m.ruled, r.aloneInLine(m), r.aloneInSentence(m), r.leading(m), last && r.concluding(m):
		if r.lastLine(m) {
			return settled
		}
		return laidOut
	case r.keyed(m) && r.asksFor(m):
		return named
	case r.keyed(m):
		return keyed
	case r.boldAlone(m):
		m.cue = int(r.tokens[m.start].sentence.from)
		return stressed
	}
	return unsaid
}

// verdict is what an answer settles on.
type verdict struct {
	labels []int // more than one where it does not settle
	at     int   // token
	hedged bool
}

func settle(ms []mention) verdict {
	v := verdict{at: ms[0].start}
	for _, m := range ms {
		if !slices.Contains(v.labels, m.label) {
			v.labels = append(v.labels, m.label)
		}
		v.hedged = v.hedged || m.is(hedges)
		v.at = max(v.at, m.start)
	}
	return v
}

// decide returns what the answer settles on: the mentions of the highest stance, and of verdicts the last; final if it does so in so many words.
func (r *reading) decide() (v verdict, final bool) {
	r.stances()
	top, cue := unsaid, 0
	for _, m := range r.mentions {
		if m.stance >= top {
			top, cue = m.stance, m.cue
		}
	}
	if top == unsaid {
		return verdict{}, false
	}
	least := top
	if top == said || top == voiced {
		least-- // what is named in passing counts where nothing is said in the writer's own voice
	}
	final = top >= stressed
	one := final && top != keyed && top != named
	chosen := slices.DeleteFunc(slices.Clone(r.mentions), func(m mention) bool { return m.stance < least || m.stance > top || one && m.cue != cue })
	if final {
		return settle(chosen), true
	}
	if last := chosen[len(chosen)-1]; !last.is(hedges) {
		chosen = slices.DeleteFunc(chosen, func(m mention) bool {
			return m.is(hedges) && m.label != last.label && r.tokens[m.start].clause != r.tokens[last.start].clause
		})
	}
	v = settle(chosen)
	v.hedged = top == sureness || top == former && !r.wordAt(chosen[0].end, "until", "till") || top == reported && !r.set.verdicts() ||
		!slices.ContainsFunc(chosen, func(m mention) bool { return !m.is(hedges) }) || r.unsure()
	return v, false
}

// contradicted adds to a verdict the labels of which the writer says later that they are it: "High. … So it is low." Both count then.
func (r *reading) contradicted(v verdict) verdict {
	if len(v.labels) != 1 {
		return v
	}
	for i, m := range r.mentions {
		if m.start > v.at && m.label != v.labels[0] && m.words >= said && !m.is(hedges) && r.ownVoice(&m) {
			v.add(settle(r.mentions[i : i+1]))
		}
	}
	return v
}
