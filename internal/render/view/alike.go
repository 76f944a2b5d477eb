package view

import (
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
)

// Bounds of what is said of failures that are alike.
const (
	alikeGroups = 3 // lines
	alikeTerms  = 3 // words that name a group
)

// Alike are the groups worth a line: two failures or more, with a name.
func (v *View) Alike() (out []observe.FailureGroup) {
	if v.Report.Observability == nil {
		return nil
	}
	for _, g := range v.Report.Observability.FailureGroups {
		if len(v.FailuresOf(g)) > 1 && len(g.Terms) > 0 && len(out) < alikeGroups {
			out = append(out, g)
		}
	}
	return out
}

// FailuresOf are the failures of a group that a reader of this comparison looks for.
func (v *View) FailuresOf(g observe.FailureGroup) []observe.CaseRef {
	if v.Compared {
		return g.New
	}
	return append(append([]observe.CaseRef{}, g.New...), g.Still...)
}

// SomeOf sets a number against that of all failures. In a sample that is not known.
func (v *View) SomeOf(n int) string {
	o, all := v.Report.Observability, 0
	for _, p := range o.Points {
		if !p.Passed && (p.New || !v.Compared) {
			all++
		}
	}
	switch {
	case o.Of > o.Cases || all < n:
		return show.Grouped(n)
	case all == n:
		return "All " + show.Grouped(n)
	}
	return show.Grouped(n) + " of " + show.Grouped(all)
}

// AlikeName names a group by its words and its mode.
func AlikeName(g observe.FailureGroup) string {
	var words []string
	for _, t := range g.Terms[:min(len(g.Terms), alikeTerms)] {
		words = append(words, show.CodeOf(string(t), show.NameRunes))
	}
	name := strings.Join(words, ", ")
	if g.Mode != "" {
		name += " (" + show.NameCode(g.Mode) + ")"
	}
	return name
}

// PassingLike is the passing case of the same category that is most like a new failure.
func (v *View) PassingLike(failure observe.CaseRef) (observe.CaseRef, bool) {
	for _, n := range v.Report.Observability.Neighbours {
		if n.Failure == failure && n.Category {
			return n.Passing, true
		}
	}
	return observe.CaseRef{}, false
}
