package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// check is one way in which a statement that has enough of a fact may contradict it or say less.
type check struct {
	name   string
	claims bool // it also acquits of a claim; the others make a fact stricter
	finds  func(f *Fact, p *english.Text, s statement) bool
}

// checks are tried in their order. `go test -run Carries -v` prints how often each decides on each data set.
var checks = []check{
	{"opposite", true, (*Fact).opposite},
	{"rival amount", true, (*Fact).rivalAmount},
	{"rival word", false, (*Fact).rivalWord},
	{"exchanged", true, (*Fact).exchanged},
	{"to come", true, (*Fact).toCome},
	{"part only", true, (*Fact).partOnly},
	{"depends", false, (*Fact).depends},
	{"recanted", false, (*Fact).recanted},
}

// against reports a statement that a check finds to contradict the fact.
func (f *Fact) against(p *english.Text, s statement) bool {
	return slices.ContainsFunc(checks, func(c check) bool { return (c.claims || !f.meant.Sure) && c.finds(f, p, s) })
}
