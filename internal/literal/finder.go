package literal

import "slices"

// maxChoices is the largest number of choices that a FinderBuilder takes from one expression.
const maxChoices = 4

// FinderBuilder collects the sets of literals from which a Finder is built. Each set is called a choice.
type FinderBuilder struct {
	count    int
	literals []string
	choices  []int32 // for each literal, the number of its choice
}

// Add adds the first choices of all, which are those of one expression, and returns their set. Every match of the
// expression is in a text that has this set.
func (b *FinderBuilder) Add(all []LiteralSet) (needs Set) {
	for _, c := range all[:min(len(all), maxChoices)] {
		for _, s := range c.Minimal() {
			b.literals, b.choices = append(b.literals, s), append(b.choices, int32(b.count))
		}
		needs.add(b.count)
		b.count++
	}
	return needs
}

// Set is a set of choices, one bit each.
type Set []uint64

func (s *Set) add(choice int) {
	for len(*s) <= choice/64 {
		*s = append(*s, 0)
	}
	(*s)[choice/64] |= 1 << (choice % 64)
}

// Has reports whether all of needs are in s. It is true for a nil s, which is that of a text that was not searched.
func (s Set) Has(needs Set) bool {
	for i, bits := range needs {
		if s != nil && s[i]&bits != bits {
			return false
		}
	}
	return true
}

// Finder finds the choices that have a literal in a text, in one pass over the text. It is an automaton (Aho and
// Corasick 1975) with a transition for every state and every byte of a literal. It is read only.
type Finder struct {
	column  [256]uint8 // the column of each byte in next; 0 for bytes in no literal
	columns int
	count   int // number of choices
	// next has the transitions. The transition of a state for a byte is at index state*columns + column. It is the row,
	// which is state*columns, of the next state, or ^row if a literal ends in the next state.
	next    []int32
	outputs [][]int32 // by state: the choices whose literals end in the state
}

// Build returns a Finder of the choices in b. After that, copies of b can grow independently of each other.
func (b *FinderBuilder) Build() *Finder {
	b.literals, b.choices = slices.Clip(b.literals), slices.Clip(b.choices)
	f := &Finder{columns: 1, count: b.count}
	for _, literal := range b.literals {
		for i := range len(literal) {
			if c := literal[i]; f.column[c] == 0 {
				f.column[c] = uint8(f.columns)
				f.columns++
			}
		}
	}
	f.next, f.outputs = make([]int32, f.columns), [][]int32{nil}
	for i, literal := range b.literals {
		f.insert(literal, b.choices[i])
	}
	f.buildTransitions()
	return f
}

// Scan returns the choices that have a literal in one of the texts.
func (f *Finder) Scan(texts ...string) Set {
	found := make(Set, f.count/64+1)
	for _, text := range texts {
		row := 0
		for i := range len(text) {
			if row = int(f.next[row+int(f.column[text[i]])]); row >= 0 {
				continue
			}
			row = ^row
			for _, choice := range f.outputs[row/f.columns] {
				found[choice/64] |= 1 << (choice % 64)
			}
		}
	}
	return found
}

// insert adds a literal of the choice to the tree of states.
func (f *Finder) insert(literal string, choice int32) {
	state := 0
	for i := range len(literal) {
		at := state*f.columns + int(f.column[literal[i]])
		if f.next[at] == 0 {
			f.next[at] = int32(len(f.outputs))
			f.outputs = append(f.outputs, nil)
			f.next = append(f.next, make([]int32, f.columns)...)
		}
		state = int(f.next[at])
	}
	f.outputs[state] = append(f.outputs[state], choice)
}

// buildTransitions turns the tree into the automaton. If a state has no child for a byte, it gets the transition of the
// state of its longest proper suffix. Then buildTransitions replaces the numbers of states in next by rows.
func (f *Finder) buildTransitions() {
	failure := make([]int32, len(f.outputs))
	queue := []int32{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for column := range f.columns {
			index := int(state)*f.columns + column
			child, other := f.next[index], int32(0)
			if state != 0 {
				other = f.next[int(failure[state])*f.columns+column]
			}
			if child == 0 {
				f.next[index] = other
				continue
			}
			failure[child] = other
			f.outputs[child] = append(f.outputs[child], f.outputs[other]...)
			queue = append(queue, child)
		}
	}
	for index, state := range f.next {
		if f.next[index] = state * int32(f.columns); len(f.outputs[state]) > 0 {
			f.next[index] = ^f.next[index]
		}
	}
}
