package render

import (
	"slices"

	"github.com/failproof/failproof/internal/report"
)

// Codes of the reasons that tell of a score which fell as a whole: proven, and suspected.
const (
	codeDrop  = "max_drop"
	codeDoubt = "on_inconclusive"
)

// told reports a reason of a code about a suite: about itself, or about the whole to which it adds its part.
func (v *view) told(code string, s report.SuiteSummary) bool {
	return v.compared && slices.ContainsFunc(v.r.Reasons, func(r report.Reason) bool {
		return r.Code == code && (r.SuiteID == s.SuiteID || r.SuiteID == "" && s.Delta != nil && *s.Delta < 0)
	})
}

// wholeFell reports a run whose score fell as a whole, proven or suspected.
func (v *view) wholeFell() bool {
	return v.compared && slices.ContainsFunc(v.r.Reasons, func(r report.Reason) bool { return r.Code == codeDrop || r.Code == codeDoubt })
}

// hasFallen reports a case that has a part in that: no regression by itself, and fewer of its answers are right than on the base.
func (v *view) hasFallen(c report.Change) bool {
	switch c.Change {
	case report.Flaky, report.StillPassing, report.StillFailing:
		return v.wholeFell() && !c.MustPass && c.Base != nil && c.Head != nil && share(c.Head) < share(c.Base)
	}
	return false
}

// share is how many of the answers that came are right, in [0, 1].
func share(o *report.Outcome) float64 {
	if n := o.Trials - o.Unscored; n > 0 {
		return float64(o.Passed) / float64(n)
	}
	return 0
}

// writeFell lists the cases that fell, where the whole did: no single one of them need be broken.
func (w *writer) writeFell() {
	if len(w.fell) > 0 {
		w.para("### " + w.fellHeading())
		w.caseTables(w.fell, "case that fell")
	}
}

func (v *view) fellHeading() string {
	if len(v.fell) == 1 {
		return "1 case fell"
	}
	return grouped(len(v.fell)) + " cases fell"
}
