package literal

import "slices"

// Book collects choices for a Finder.
type Book struct {
	count    int
	literals []string
	choices  []int32 // the choice of each literal
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

// Clone returns an independent copy.
func (b *Book) Clone() Book { return Book{b.count, slices.Clip(b.literals), slices.Clip(b.choices)} }

// Finder finds in one pass which choices have a literal in a text. It is an Aho-Corasick automaton (1975) with a
// transition for every state and byte. It is safe for concurrent use.
type Finder struct {
	column  [256]uint8 // column of each byte in the table; 0 for bytes in no literal
	columns int
	// next[row+column] is the row of the next state, state*columns, or ^row if that state has marks
	next  []int32
	marks [][]int32 // choices whose literals end in each state
}

// Finder builds a Finder of the choices.
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
	states := b.prefixes()
	f.next, f.marks = make([]int32, f.columns, f.columns*states), append(make([][]int32, 0, states), nil)
	for i, literal := range b.literals {
		f.plant(literal, b.choices[i])
	}
	f.link()
	return f
}

// prefixes returns the number of different prefixes of the literals, including "". Each is a state of a Finder.
func (b *Book) prefixes() int {
	count, last := 1, ""
	for _, literal := range slices.Sorted(slices.Values(b.literals)) {
		same := 0
		for same < min(len(last), len(literal)) && last[same] == literal[same] {
			same++
		}
		count, last = count+len(literal)-same, literal
	}
	return count
}

// In calls found for each occurrence of a literal in the text, with its choice.
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
			f.next = f.next[:len(f.next)+f.columns]
		}
		state = int(f.next[at])
	}
	f.marks[state] = append(f.marks[state], choice)
}

// link completes the transitions: a state without a child for a byte goes where its longest proper suffix goes. Then it
// replaces states by rows.
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
