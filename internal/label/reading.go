package label

import (
	"cmp"
	"slices"
)

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	tokens    tokens
	mentions  mentions
	options   map[string]int // labels by the names that the question, or the answer, gives them
	question  tokens
	asked     map[string]bool // contentWords of the question, once asksFor needed them
	retracted int             // the last place where something is taken back and nothing put in its place
}

// read finds the labels that a text names, with the effects of the words and lists around each.
func (s *Set) read(text tokens, options map[string]int) *reading {
	doubts(text)
	f := finder{set: s, tokens: text, options: options}
	ms := f.find()
	ms.lists(s, text)
	ms.settleRows(text)
	ms.hedgeImplied(len(s.labels))
	return &reading{set: s, tokens: text, mentions: ms, options: options}
}

// mentions are the mentions of labels in a text, in order.
type mentions []mention

// hedgeImplied hedges each label that is only implied.
func (ms mentions) hedgeImplied(labels int) {
	said := make([]bool, labels)
	for _, m := range ms {
		said[m.label] = said[m.label] || m.asserted && !m.implied
	}
	for i := range ms {
		if m := &ms[i]; m.implied && !said[m.label] {
			m.how |= hedges
		}
	}
}

// from returns the index of the first mention that begins at the token i or later. found reports whether that mention
// begins at i.
func (ms mentions) from(i int) (at int, found bool) {
	return slices.BinarySearchFunc(ms, i, func(m mention, at int) int { return cmp.Compare(m.start, at) })
}

// within returns the mentions between two places.
func (ms mentions) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(ms, from+1, func(m mention, at int) int { return cmp.Compare(m.end, at) })
	for i := first; i < len(ms) && ms[i].end <= to; i++ {
		out = append(out, &ms[i])
	}
	return out
}
