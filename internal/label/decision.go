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
		switch {
		case m.words > once && present && r.back(tenses, m.start, r.clauseFrom(m.start, wideWords)).is(once):
			m.words = once
		case first == nil || m.words < passing:
		case reasons:
			m.words = ground
		case r.text(first.end) == ":" && r.tokens[m.start].sentence == r.tokens[first.end].sentence:
			m.words = detail
		}
		m.stance, held = m.words, held || m.words == former
		if m.asserted {
			m.stance = max(m.words, r.inLayout(m, i == len(r.mentions)-1))
		}
		if first == nil && m.asserted && m.words != sureness {
			first, at = m, m.end
		}
	}
	r.announced()
}

var (
	grounds = table(as(ground, "$grounds :"))
	// Whether a clause tells what was.
	tenses = table(as(said, "$being ~ >was|were; is|are|am|been|now"), as(once, "was|were"))
)

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
	sure := slices.ContainsFunc(chosen, func(m mention) bool { return !m.is(hedges) })
	last := chosen[len(chosen)-1]
	for _, m := range chosen {
		if final || last.is(hedges) || !m.is(hedges) || m.label == last.label || r.tokens[m.start].clause == r.tokens[last.start].clause {
			v.add(m.label, m.start, m.is(hedges))
		}
	}
	if !final {
		v.hedged = !sure || top == sureness || top == former && !r.wordAt(last.end, "until", "till") || top == reported && !r.set.verdicts() || r.unsure()
	}
	return v, final
}

var unsure = table(when(hedges, `it depends; can not determine|say|tell; can not be determined; not enough information; insufficient information; hard to say; i am not sure;
	none of the options|labels|categories|choices; no conclusion can; would not bet|swear; could|may|might just as well; could go either`))

// unsure reports words that say so, and are not those of a label nor what it says.
func (r *reading) unsure() bool {
	for i := range r.tokens {
		if r.find(unsure, i, none) != nil && !slices.ContainsFunc(r.mentions, func(m mention) bool { return r.saysLikewise(&m, i) }) {
			return true
		}
	}
	return false
}

// contradict adds to a verdict the labels of which the writer says later that they are it: "High. … So it is low." Both count then.
func (r *reading) contradict(v *verdict) {
	if len(v.labels) != 1 {
		return
	}
	label, from := v.labels[0], v.at
	for _, m := range r.mentions {
		if m.start > from && m.label != label && m.words >= said && !m.is(hedges) && r.ownVoice(&m) {
			v.add(m.label, m.start, false)
		}
	}
}
