// Package literal searches texts for many regular expressions. It first looks for texts of which every match of an
// expression contains one, which takes a hundredth of the time and changes no result.
package literal

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// Table is a set of expressions. It finds in one pass over a text which of them may match. Once all are added, it is
// safe for concurrent use.
type Table struct {
	phrases Phrases
	// The literals are a tree. next has the next state by state and byte, 0 for none. Bytes with the same last seven
	// bits share an entry, so that a text may seldom seem to have a literal that it lacks.
	next [][128]int32
	ends [][]int // by state: the sets with a literal that ends in it
	sets int
}

// NewTable returns an empty table. Its expressions may name the phrases.
func NewTable(phrases Phrases) *Table {
	return &Table{phrases: phrases, next: make([][128]int32, 1), ends: make([][]int, 1)}
}

// Expression is a regular expression, compiled on first use. The zero value matches every text.
type Expression struct {
	Regexp func() *regexp.Regexp
	needs  []int // sets of literals; a text with a match has a literal of each
}

// Add adds an expression, in which {name} stands for a phrase.
func (t *Table) Add(source string) (Expression, error) {
	full := t.phrases.Expand(source)
	tree, err := syntax.Parse(full, syntax.Perl)
	if err != nil {
		return Expression{}, fmt.Errorf("pattern %q: %w", source, err)
	}
	e := Expression{Regexp: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(full) })}
	for _, set := range ranked(expand(tree)) {
		for _, s := range set {
			t.insert(s[:min(len(s), maxUsefulBytes)])
		}
		e.needs = append(e.needs, t.sets)
		t.sets++
	}
	return e, nil
}

// insert adds a literal of the last set to the tree, unless the set has one with which it begins.
func (t *Table) insert(literal string) {
	state := int32(0)
	for _, c := range []byte(literal) {
		next := &t.next[state][c%128]
		if *next == 0 {
			*next = int32(len(t.next))
			state = *next
			t.next, t.ends = append(t.next, [128]int32{}), append(t.ends, nil)
			continue
		}
		state = *next
		if slices.Contains(t.ends[state], t.sets) {
			return
		}
	}
	t.ends[state] = append(t.ends[state], t.sets)
}

// Passage is a text, or a part of one, in which expressions are searched.
type Passage struct {
	Text string
	has  []bool // by set: the whole text has a literal of it
}

// Read returns a text with the literals that it has.
func (t *Table) Read(text string) Passage {
	p := Passage{text, make([]bool, t.sets)}
	for start := range len(text) {
		state := int32(0)
		for _, c := range []byte(text[start:]) {
			if state = t.next[state][c%128]; state == 0 {
				break
			}
			for _, set := range t.ends[state] {
				p.has[set] = true
			}
		}
	}
	return p
}

// Part returns the part of a passage from one byte to another.
func (p Passage) Part(start, end int) Passage { return Passage{p.Text[start:end], p.has} }

// From returns the part of a passage from a byte on.
func (p Passage) From(start int) Passage { return p.Part(start, len(p.Text)) }

// MayMatch reports whether the text has the literals of an expression, without which there is no match.
func (p Passage) MayMatch(e Expression) bool {
	for _, set := range e.needs {
		if !p.has[set] {
			return false
		}
	}
	return true
}

// Matches reports whether an expression matches somewhere in the passage.
func (p Passage) Matches(e Expression) bool {
	return e.Regexp == nil || p.MayMatch(e) && e.Regexp().MatchString(p.Text)
}

// FindAll returns up to n matches in the form of regexp.FindAllStringSubmatchIndex, or all of them if n is negative.
func (p Passage) FindAll(e Expression, n int) [][]int {
	if !p.MayMatch(e) {
		return nil
	}
	return e.Regexp().FindAllStringSubmatchIndex(p.Text, n)
}
