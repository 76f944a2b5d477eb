package fact

import (
	"slices"

	"github.com/failproof/failproof/internal/english"
)

// check is one way in which a statement with enough of a fact's terms may contradict the fact or say less.
type check struct {
	name      string
	forClaims bool // applies to claims too, not only to facts
	applies   func(f *frame, p *english.Text, s statement) bool
}

// checks are tried in order. `go test -run Carries -v` prints how often each decides on each data set.
var checks = []check{
	{"opposite", true, hasOpposite},
	{"rival word", false, hasRivalWord},
	{"exchanged", true, exchangesTerms},
	{"to come", true, isFuture},
	{"of a former thing", false, isOfFormer},
	{"part only", false, func(f *frame, p *english.Text, s statement) bool { return isPartial(f, p, s.matches) }},
}

// contradicts reports whether a check finds that a statement contradicts the fact or says less.
func contradicts(f *frame, p *english.Text, s statement) bool {
	return slices.ContainsFunc(checks,
		func(c check) bool { return (c.forClaims || f.strictness.strict) && c.applies(f, p, s) })
}
