package label

import (
	"cmp"
	"slices"
)

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	tokens    tokens
	question  tokens
	asked     map[string]bool // words of the question; made when first needed
	mentions  []mention
	prior     mention        // the last one, which may be denied and leave no label over
	retracted int            // the last place where something is taken back and nothing put in its place
	options   map[string]int // labels by the names that the question, or the answer, gives them
}

// read finds the labels that a text names, and what each one's surroundings make of it.
func (s *Set) read(text tokens, options map[string]int) *reading {
	r := &reading{set: s, tokens: text, options: options}
	doubts(text)
	r.find()
	r.lists()
	r.settleRows()
	r.hedgeImplied()
	return r
}

// hedgeImplied takes what is only implied for hedged, unless it is said as well.
func (r *reading) hedgeImplied() {
	said := make([]bool, len(r.set.labels))
	for _, m := range r.mentions {
		said[m.label] = said[m.label] || m.asserted && !m.implied
	}
	for i := range r.mentions {
		if m := &r.mentions[i]; m.implied && !said[m.label] {
			m.how |= hedges
		}
	}
}

// mentionFrom returns the first mention from a place on, and whether it stands there.
func (r *reading) mentionFrom(i int) (at int, found bool) {
	return slices.BinarySearchFunc(r.mentions, i, func(m mention, at int) int { return cmp.Compare(m.start, at) })
}

// within returns the mentions between two places.
func (r *reading) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(r.mentions, from+1, func(m mention, at int) int { return cmp.Compare(m.end, at) })
	for i := first; i < len(r.mentions) && r.mentions[i].end <= to; i++ {
		out = append(out, &r.mentions[i])
	}
	return out
}
