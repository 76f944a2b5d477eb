package suite

import (
	"iter"
	"slices"
)

// Cases are the cases of a suite, in order.
type Cases []*Case

// Len is how many there are.
func (all Cases) Len() int { return len(all) }

// At is the case at a place below Len.
func (all Cases) At(i int) *Case { return all[i] }

// All yields each case.
func (all Cases) All() iter.Seq[*Case] { return slices.Values(all) }

// Any reports whether some case satisfies is.
func (all Cases) Any(is func(*Case) bool) bool { return slices.ContainsFunc(all, is) }

// Add adds a case.
func (all *Cases) Add(c Case) {
	c.place = len(*all)
	*all = append(*all, &c)
}

// Trials are those of all cases together.
func (all Cases) Trials() (n int) {
	for _, c := range all {
		n += c.Trials
	}
	return n
}

// Semantic reports whether the answers to some case are compared by meaning.
func (all Cases) Semantic() bool { return all.Any((*Case).Semantic) }

// Where returns copies of the cases that satisfy is.
func (all Cases) Where(is func(*Case) bool) (out Cases) {
	for _, c := range all {
		if is(c) {
			out.Add(*c)
		}
	}
	return out
}
