package label

import "slices"

// reading is an answer with the labels it names.
type reading struct {
	set       *Set
	tokens    []token
	question  []token
	asked     map[string]bool // words of the question; made when first needed
	mentions  []mention
	prior     mention        // the last one, which may be denied and leave no label over
	retracted int            // the last place where something is taken back and nothing put in its place
	options   map[string]int // labels by the names that the question, or the answer, gives them
}

func (s *Set) read(tokens []token) *reading { return s.readWith(tokens, nil) }

func (s *Set) readWith(tokens []token, options map[string]int) *reading {
	r := &reading{set: s, tokens: tokens, options: options}
	r.doubts()
	for i := 0; i < len(tokens); i++ {
		m, ok := r.mentionAt(i)
		if !ok {
			continue
		}
		m.negated, m.asserted = m.denials%2 == 1, !m.is(unsays)
		if i, r.prior = m.end-1, m; m.label != none {
			r.mentions = append(r.mentions, m)
		}
	}
	r.markLists()
	r.settleRows()
	r.setAside()
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

// text is the word or mark at a place, "" outside of the answer.
func (r *reading) text(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].text
}

func (r *reading) wordAt(i int, any ...string) bool {
	return r.word(i) && slices.Contains(any, r.tokens[i].text)
}

func (r *reading) word(i int) bool { return i >= 0 && i < len(r.tokens) && r.tokens[i].word }

func (r *reading) skipMarks(i int) int {
	for i < len(r.tokens) && !r.tokens[i].word {
		i++
	}
	return i
}

// sentenceEnd returns the end of the sentence that the first word from i on belongs to.
func (r *reading) sentenceEnd(i int) int {
	if i = r.skipMarks(i); i < len(r.tokens) {
		return min(int(r.tokens[i].sentence.to), i+verdictReach)
	}
	return i
}

// within returns the mentions between two places.
func (r *reading) within(from, to int) (out []*mention) {
	first, _ := slices.BinarySearchFunc(r.mentions, from, func(m mention, at int) int { return m.end - 1 - at })
	for i := first; i < len(r.mentions) && r.mentions[i].end <= to; i++ {
		out = append(out, &r.mentions[i])
	}
	return out
}

// clauseStart finds the first word of the clause that i is in; one far away is not looked for.
func (r *reading) clauseStart(i int) int { return r.clauseFrom(i, verdictReach) }

func (r *reading) clauseFrom(i, reach int) int { return max(int(r.tokens[i].clause.from), i-reach, 0) }

func (r *reading) sentenceFrom(i, reach int) int {
	return max(int(r.tokens[i].sentence.from), i-reach, 0)
}
