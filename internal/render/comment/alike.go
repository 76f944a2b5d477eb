package comment

import (
	"github.com/failproof/failproof/internal/observe"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
)

// writeAlike says which failures look alike: new ones where there is a base, else all.
func (w *writer) writeAlike() {
	var lines []string
	for _, g := range w.Alike() {
		lines = append(lines, w.alikeLine(g))
	}
	if len(lines) == 1 {
		w.para(lines[0])
		return
	}
	w.list(lines)
}

// alikeLine names a group, its example, and what still passes and is most like that.
func (w *writer) alikeLine(g observe.FailureGroup) string {
	line := w.AlikeSentence(g).Markdown(show.NameRunes) + ", e.g. " + w.refName(g.Example)
	if near, ok := w.PassingLike(g.Example); ok {
		line += " (the passing case most like it: " + w.refName(near) + ")"
	}
	return line
}

// refName names a case, linked where its place is known.
func (w *writer) refName(ref observe.CaseRef) string {
	c, known := w.Find(ref.SuiteID, ref.CaseID)
	if !known {
		c = report.Change{SuiteID: ref.SuiteID, CaseID: ref.CaseID}
	}
	return w.caseLink(c)
}
