package literal

// Book collects choices before a Finder is built of them.
type Book struct {
	count    int
	literals []string
	choices  []int32 // the number of each literal's choice
}

// Add adds a choice and returns its number.
func (b *Book) Add(c Choice) int {
	for _, s := range c {
		b.literals, b.choices = append(b.literals, s), append(b.choices, int32(b.count))
	}
	b.count++
	return b.count - 1
}

// Count returns the number of choices.
func (b *Book) Count() int { return b.count }

// Finder finds, in one pass over a text, the choices with a literal that occurs in the text. It is an automaton (Aho
// and Corasick 1975) with a transition for every state and every byte of a literal. It is read only.
type Finder struct {
	column  [256]uint8 // the column of each byte in next; 0 for bytes in no literal
	columns int
	// the transitions: at index state*columns + column, the row (state*columns) of the next state; ^row if that state
	// has found a literal
	next  []int32
	marks [][]int32 // by state: the choices that are found when the state is entered
}

// Finder builds the automaton.
func (b *Book) Finder() *Finder {
	f := &Finder{columns: 1}
	for _, literal := range b.literals {
		for i := range len(literal) {
			if c := literal[i]; f.column[c] == 0 {
				f.column[c] = uint8(f.columns)
				f.columns++
			}
		}
	}
	f.next, f.marks = make([]int32, f.columns), [][]int32{nil}
	for i, literal := range b.literals {
		f.plant(literal, b.choices[i])
	}
	f.link()
	return f
}

// In calls the function found for each occurrence of a choice's literal in the text, with the number of the choice.
func (f *Finder) In(text string, found func(choice int)) {
	row := 0
	for i := range len(text) {
		if row = int(f.next[row+int(f.column[text[i]])]); row >= 0 {
			continue
		}
		row = ^row
		for _, choice := range f.marks[row/f.columns] {
			found(int(choice))
		}
	}
}

// plant adds a literal to the tree.
func (f *Finder) plant(literal string, choice int32) {
	state := 0
	for i := range len(literal) {
		at := state*f.columns + int(f.column[literal[i]])
		if f.next[at] == 0 {
			f.next[at] = int32(len(f.marks))
			f.marks = append(f.marks, nil)
			f.next = append(f.next, make([]int32, f.columns)...)
		}
		state = int(f.next[at])
	}
	f.marks[state] = append(f.marks[state], choice)
}

// link turns the tree into the automaton. A state without a child for a byte gets the transition of its longest proper
// suffix. Then link writes the rows.
func (f *Finder) link() {
	fall := make([]int32, len(f.marks))
	queue := []int32{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for column := range f.columns {
			at := int(state)*f.columns + column
			child, other := f.next[at], int32(0)
			if state != 0 {
				other = f.next[int(fall[state])*f.columns+column]
			}
			if child == 0 {
				f.next[at] = other
				continue
			}
			fall[child] = other
			f.marks[child] = append(f.marks[child], f.marks[other]...)
			queue = append(queue, child)
		}
	}
	for at, state := range f.next {
		if f.next[at] = state * int32(f.columns); len(f.marks[state]) > 0 {
			f.next[at] = ^f.next[at]
		}
	}
}
