package label

import "slices"

// stances gives each mention its own.
func (r *reading) stances() {
	var first *mention
	present := slices.ContainsFunc(r.mentions, func(m mention) bool { return m.asserted && r.wordAt(m.start-1, "is", "are", "been") })
	held, reasons, at := false, false, 0
	for i := range r.mentions {
		m := &r.mentions[i]
		for ; first != nil && at < m.start; at++ {
			reasons = reasons || r.find(grounds, at, none) != nil
		}
		m.cue, m.words = m.start, r.inWords(m, held)
		if present && m.words > once && r.back(tenses, m.start, r.clauseFrom(m.start, wideWords)).is(once) {
			m.words = once
		} else if first != nil && m.words >= passing {
			m.words = r.behindFirst(m, first, reasons)
		}
		held = held || m.words == former
		m.stance = max(m.words, r.inLayout(m, i == len(r.mentions)-1))
		if first == nil && m.asserted && m.words != sureness {
			first, at = m, m.end
		}
	}
	r.announced()
}

// behindFirst is what a label is that another goes before: a ground, a detail, or what its words make of it.
func (r *reading) behindFirst(m, first *mention, reasons bool) stance {
	switch {
	case reasons:
		return ground
	case r.text(first.end) == ":" && r.tokens[m.start].sentence == r.tokens[first.end].sentence:
		return detail
	}
	return m.words
}

// verdict is what an answer settles on.
type verdict struct {
	labels []int // more than one where it does not settle
	at     int   // token
	hedged bool
}

// add joins a label that stands at a token.
func (v *verdict) add(label, at int, hedged bool) {
	if !slices.Contains(v.labels, label) {
		v.labels = append(v.labels, label)
	}
	v.at, v.hedged = max(v.at, at), v.hedged || hedged
}

// decide returns what the answer settles on: the mentions of the highest stance, and of verdicts the last; final if it does so in so many words.
func (r *reading) decide() (v verdict, final bool) {
	r.stances()
	top, cue := r.highest()
	if top == unsaid {
		return verdict{}, false
	}
	final = top >= stressed
	chosen := r.chosenOf(top, cue)
	last := chosen[len(chosen)-1]
	for _, m := range chosen {
		if final || last.is(hedges) || !m.is(hedges) || m.label == last.label || r.tokens[m.start].clause == r.tokens[last.start].clause {
			v.add(m.label, m.start, m.is(hedges))
		}
	}
	if !final {
		sure := slices.ContainsFunc(chosen, func(m mention) bool { return !m.is(hedges) })
		v.hedged = !sure || top == former && !r.wordAt(last.end, "until", "till") || top == reported && !r.set.verdicts()
	}
	v.hedged = v.hedged || r.doubted(v, top)
	return v, final
}

// highest returns the highest stance of a mention, and the cue of the last that has it.
func (r *reading) highest() (top stance, cue int) {
	for _, m := range r.mentions {
		if m.stance >= top {
			top, cue = m.stance, m.cue
		}
	}
	return top, cue
}

// doubted reports words around a verdict that hedge it, whatever is said of its labels.
func (r *reading) doubted(v verdict, top stance) bool {
	from := 0
	if top == declared {
		from = r.sentenceFrom(v.at, verdictReach) // what the writer says as "I" is the last word on what came before
	}
	return top <= passing && r.due(v) || top < settled && r.unsure(unsure, inUnsure, from) ||
		r.unsure(undecided, inUndecided, r.clauseFrom(v.at, verdictReach))
}

// chosenOf returns the mentions of the highest stance; of verdicts, those of one cue.
func (r *reading) chosenOf(top stance, cue int) []mention {
	one := top >= stressed && top != keyed && top != named
	first := none // the first of that stance: behind it, and at the end of its clause, what is only named may be the last word
	return slices.DeleteFunc(slices.Clone(r.mentions), func(m mention) bool {
		if m.stance == top && first == none {
			first = m.at
		}
		return m.stance != top && !(top == voiced && r.standsBeside(&m, cue) || top == said && (first != none || !r.goesOn(m.start, m.end)) && r.maySay(&m)) || one && m.cue != cue
	})
}

// standsBeside reports a label that is said, too, beside one in the writer's own voice, but for what leads to that in its sentence.
func (r *reading) standsBeside(m *mention, cue int) bool {
	return m.stance == said && !(m.start < cue && r.tokens[m.start].sentence == r.tokens[cue].sentence)
}

// maySay reports a label that may be said as well as one that is: "The impact is high. It gets low." What the last word is, nobody can tell.
func (r *reading) maySay(m *mention) bool {
	return m.stance == passing && !m.is(hedges) && !r.inBrackets(m) && r.framed(asides, m.start, m.end) == nil
}

// due reports another label that must be or should be, where those of a verdict are only named in passing.
func (r *reading) due(v verdict) bool {
	return slices.ContainsFunc(r.mentions, func(m mention) bool { return m.is(oughts) && !m.asserted && !slices.Contains(v.labels, m.label) })
}

// unsure reports words of a table behind a place that are not those of a label nor what it says.
func (r *reading) unsure(t constructions, has trials, from int) bool {
	for i := from; i < len(r.tokens); i++ {
		if r.tokens[i].tried&has != 0 && r.find(t, i, none) != nil && !slices.ContainsFunc(r.mentions, func(m mention) bool { return r.saysLikewise(&m, i) }) {
			return true
		}
	}
	return false
}

// contradict adds to a verdict the labels of which the writer says later that they are it: "High. … So it is low." Both count then, and so
// does one that a later line gives under a key of the question: "…, so high. … Severity: low".
func (r *reading) contradict(v *verdict) {
	if len(v.labels) != 1 {
		return
	}
	label, from := v.labels[0], v.at
	for _, m := range r.mentions {
		if m.start > from && m.label != label && m.asserted && !m.is(hedges) && (m.words >= said && r.ownVoice(&m) || m.stance == named || m.stance == settled) {
			v.add(m.label, m.start, false)
		}
	}
}
