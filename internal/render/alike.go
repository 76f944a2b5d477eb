package render

import (
	"strings"

	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/report"
)

// Bounds of what is said of failures that are alike.
const (
	alikeGroups = 3 // lines
	alikeTerms  = 3 // words that name a group
)

// writeAlike says which failures look alike: new ones where there is a base, else all.
func (w *writer) writeAlike() {
	var lines []string
	for _, g := range w.alike() {
		lines = append(lines, w.alikeLine(g))
	}
	if len(lines) == 1 {
		w.para(lines[0])
		return
	}
	w.list(lines)
}

// alike are the groups worth a line: two failures or more, with a name.
func (v *view) alike() (out []observe.FailureGroup) {
	if v.r.Observability == nil {
		return nil
	}
	for _, g := range v.r.Observability.FailureGroups {
		if len(v.failuresOf(g)) > 1 && len(g.Terms) > 0 && len(out) < alikeGroups {
			out = append(out, g)
		}
	}
	return out
}

// failuresOf are the failures of a group that a reader of this comparison looks for.
func (v *view) failuresOf(g observe.FailureGroup) []observe.CaseRef {
	if v.compared {
		return g.New
	}
	return append(append([]observe.CaseRef{}, g.New...), g.Still...)
}

// alikeLine names a group, its example, and what still passes and is most like that.
func (w *writer) alikeLine(g observe.FailureGroup) string {
	noun := "failing cases"
	if w.compared {
		noun = "new failures"
	}
	line := w.someOf(len(w.failuresOf(g))) + " " + noun + " look alike: " + alikeName(g) + ", e.g. " + w.refName(g.Example)
	if near, ok := w.passingLike(g.Example); ok {
		line += " (the passing case most like it: " + w.refName(near) + ")"
	}
	return line
}

// someOf sets a number against that of all failures. In a sample that is not known.
func (v *view) someOf(n int) string {
	o, all := v.r.Observability, 0
	for _, p := range o.Points {
		if !p.Passed && (p.New || !v.compared) {
			all++
		}
	}
	switch {
	case o.Of > o.Cases || all < n:
		return grouped(n)
	case all == n:
		return "All " + grouped(n)
	}
	return grouped(n) + " of " + grouped(all)
}

// alikeName names a group by its words and its mode.
func alikeName(g observe.FailureGroup) string {
	var words []string
	for _, t := range g.Terms[:min(len(g.Terms), alikeTerms)] {
		words = append(words, codeOf(string(t), nameRunes))
	}
	name := strings.Join(words, ", ")
	if g.Mode != "" {
		name += " (" + nameCode(g.Mode) + ")"
	}
	return name
}

// passingLike is the passing case of the same category that is most like a new failure.
func (v *view) passingLike(failure observe.CaseRef) (observe.CaseRef, bool) {
	for _, n := range v.r.Observability.Neighbours {
		if n.Failure == failure && n.Category {
			return n.Passing, true
		}
	}
	return observe.CaseRef{}, false
}

// refName names a case, linked where its place is known.
func (w *writer) refName(ref observe.CaseRef) string {
	c, known := w.find(ref.SuiteID, ref.CaseID)
	if !known {
		c = report.Change{SuiteID: ref.SuiteID, CaseID: ref.CaseID}
	}
	return linked(ref.CaseID, w.l.file(w.shaOf(c), c.Path, c.Line))
}
