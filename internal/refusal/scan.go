package refusal

import "strings"

// cueSet is a set of cues, one bit each.
type cueSet [4]uint64

func (s *cueSet) add(cue int) { s[cue/64] |= 1 << (cue % 64) }

func (s *cueSet) join(o cueSet) {
	for i, bits := range o {
		s[i] |= bits
	}
}

// hold reports whether all of the needed cues are in the set.
func (s *cueSet) hold(needs *cueSet) bool {
	return s[0]&needs[0] == needs[0] && s[1]&needs[1] == needs[1] && s[2]&needs[2] == needs[2] && s[3]&needs[3] == needs[3]
}

// scanner finds all cues of a sentence in one pass: an automaton of the literals (Aho and Corasick 1975), with a
// transition for every state and every byte that occurs in one.
type scanner struct {
	column  [256]uint8 // of a byte in the table; 0 for those in no literal
	columns int
	next    []uint16 // state*columns + column
	mark    []uint16 // for each state the place in marks, 0 for none
	marks   []cueSet
	self    cueSet // of a text that speaks of the model
}

// speaks reports an "i" that is a word, or "ai", "im", "model" and the like: see the phrases i and am.
func speaks(s string) bool {
	for i := strings.IndexByte(s, 'i'); i >= 0; {
		if (i == 0 || !asciiLetter(s[i-1]) || s[i-1] == 'a' && (i == 1 || !asciiLetter(s[i-2]))) && (i+1 == len(s) || !asciiLetter(s[i+1]) || s[i+1] == 'm') {
			return true
		}
		next := strings.IndexByte(s[i+1:], 'i')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return strings.Contains(s, "this assistant") || strings.Contains(s, "this model") || strings.Contains(s, "this chatbot")
}

// scan returns the cues of a sentence.
func (s *scanner) scan(sentence string) cueSet {
	var out cueSet
	if speaks(sentence) {
		out = s.self
	}
	state := 0
	for i := range len(sentence) {
		state = int(s.next[state*s.columns+int(s.column[sentence[i]])])
		if m := s.mark[state]; m != 0 {
			out.join(s.marks[m])
		}
	}
	return out
}

// cueBook collects the cues of all patterns before a scanner is built of them.
type cueBook struct {
	count    int
	literals []string // in the order of their coming, with repetitions
	cues     []int    // the cue of each
}

// add takes a pattern in.
func (b *cueBook) add(pattern string) cued {
	c := newCued(pattern)
	for _, choice := range cuesOf(pattern) {
		if b.count == len(c.needs)*64 {
			break
		}
		c.needs.add(b.count)
		for _, literal := range choice {
			b.literals, b.cues = append(b.literals, literal), append(b.cues, b.count)
		}
		b.count++
	}
	return c
}

// scanner builds the automaton.
func (b *cueBook) scanner() *scanner {
	s := &scanner{columns: 1, mark: []uint16{0}, marks: make([]cueSet, 1)}
	for _, literal := range b.literals {
		for i := range len(literal) {
			if c := literal[i]; s.column[c] == 0 {
				s.column[c] = uint8(s.columns)
				s.columns++
			}
		}
	}
	s.next = make([]uint16, s.columns)
	for i, literal := range b.literals {
		if literal == self {
			s.self.add(b.cues[i])
			continue
		}
		s.plant(literal, b.cues[i])
	}
	s.link()
	return s
}

// plant adds a literal to the tree.
func (s *scanner) plant(literal string, cue int) {
	state := 0
	for i := range len(literal) {
		at := state*s.columns + int(s.column[literal[i]])
		if s.next[at] == 0 {
			s.next[at] = uint16(len(s.mark))
			s.mark = append(s.mark, 0)
			s.next = append(s.next, make([]uint16, s.columns)...)
		}
		state = int(s.next[at])
	}
	s.markOf(state).add(cue)
}

// markOf returns the cues that end in a state, to be added to.
func (s *scanner) markOf(state int) *cueSet {
	if s.mark[state] == 0 {
		s.mark[state] = uint16(len(s.marks))
		s.marks = append(s.marks, cueSet{})
	}
	return &s.marks[s.mark[state]]
}

// link completes the tree: where a state has no child, it goes where the longest of its own endings goes.
func (s *scanner) link() {
	fall := make([]uint16, len(s.mark))
	queue := []int{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for column := range s.columns {
			at := state*s.columns + column
			child, other := s.next[at], uint16(0)
			if state != 0 {
				other = s.next[int(fall[state])*s.columns+column]
			}
			if child == 0 {
				s.next[at] = other
				continue
			}
			fall[child] = other
			if m := s.mark[other]; m != 0 {
				s.markOf(int(child)).join(s.marks[m])
			}
			queue = append(queue, int(child))
		}
	}
}
