package label

import "slices"

// verdict is what an answer settles on.
type verdict struct {
	labels []int // indices of labels; several if the answer does not settle on one
	at     int   // index of the token of the last of these labels
	hedged bool
}

// add adds to the verdict the label that stands at token at.
func (v *verdict) add(label, at int, hedged bool) {
	if !slices.Contains(v.labels, label) {
		v.labels = append(v.labels, label)
	}
	v.at, v.hedged = max(v.at, at), v.hedged || hedged
}

// decide returns the verdict: the labels of the mentions with the highest stance. If cues announce several of these,
// the last cue counts.
func (a *reading) decide() (v verdict) {
	a.setStances()
	a.settleAnnounced()
	top, cue := unsaid, 0
	for _, m := range a.mentions {
		if m.stance >= top {
			top, cue = m.stance, m.cue
		}
	}
	if top == unsaid {
		return v
	}
	chosen := decidingMentions(a, top, cue)
	last := chosen[len(chosen)-1]
	sure := false
	for _, m := range chosen {
		sure = sure || !m.has(hedges)
		if last.has(hedges) || !m.has(hedges) || m.label == last.label ||
			a.tokens[m.start].clause == a.tokens[last.start].clause {
			v.add(m.label, m.start, m.has(hedges))
		}
	}
	if top >= stressed { // by a key, bold type or a cue, the answer marks its verdict
		a.contradict(&v)
	} else {
		v.hedged = !sure || top == former || top == reported
	}
	v.hedged = v.hedged || a.retracted > v.at || isDoubted(a, v, top)
	return v
}

// decidingMentions returns the mentions with the highest stance, top, and other mentions that count together with them.
// From the stance stressed on, it returns only the mentions that the given cue announces.
func decidingMentions(r *reading, top stance, cue int) []mention {
	t := r.tokens
	one := top >= stressed && top != keyedTo && top != named
	behind := false // behind the first mention with that stance, where a label in passing counts too
	return slices.DeleteFunc(slices.Clone(r.mentions), func(m mention) bool {
		behind = behind || m.stance == top
		switch {
		case m.stance == top:
			return one && m.cue != cue
		case top == voiced: // said labels count too, except those before the cue in its sentence
			return m.stance != said || m.start < cue && t.sameSentence(m.start, cue)
		case top == said && behind && m.stance == passing: // "The impact is high. It gets low."
			return m.has(hedges) || t.framed(frames, m.start, m.end).is(passing)
		}
		return true
	})
}

// isDoubted reports whether the answer doubts the verdict v in a place that is not near the labels of v, with words
// that mean no label. It also does so if the answer names these labels only in passing and says that another label
// should apply. top is the strongest stance of a mention.
func isDoubted(r *reading, v verdict, top stance) bool {
	for i := range r.tokens {
		if r.tokens.find(undecided, i, none) != nil && !slices.ContainsFunc(r.mentions, func(m mention) bool {
			return saysLikewise(r.tokens, &m, i)
		}) {
			return true
		}
	}
	return top <= passing && slices.ContainsFunc(r.mentions, func(m mention) bool {
		return m.has(oughts) && !m.asserted && !slices.Contains(v.labels, m.label)
	})
}

// contradict adds to v other labels that the writer gives later: "High. … So it is low." It also adds a label that a
// later line gives under a key that the question names: "…, so high. … Severity: low".
func (a *reading) contradict(v *verdict) {
	label, from := v.labels[0], v.at
	for _, m := range a.mentions {
		if m.start > from && m.label != label && m.sure() &&
			(m.wordStance >= said && ownVoice(a.tokens, &m) || m.stance == named || m.stance == settled) {
			v.add(m.label, m.start, false)
		}
	}
}
