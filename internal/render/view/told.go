package view

import "github.com/failproof/failproof/internal/report"

// Told reports a reason that title, score, cases or a sentence say already, in words and not in settings: such a one stands where the numbers
// are looked up.
func (v *View) Told(r report.Reason) bool {
	switch {
	case r.Code == "max_unscored" && v.Report.Verdict == report.Undecided && r.Level == report.LevelError:
		return v.Report.Unscored > 0
	case r.Code == "min_run_score" && r.Level == report.LevelWarn:
		return v.Excused()
	case r.Code == "kept_by_hand":
		return len(v.Review) > 0
	case v.Report.Verdict != report.Failed || r.Level != report.LevelError:
		return false
	}
	switch r.Code {
	case "max_regressions":
		return len(v.Regressed) > 0
	case "min_run_score":
		return v.Report.RunScore != nil && v.heldNote() == ""
	case "must_pass":
		c, ok := v.Find(r.SuiteID, r.CaseID)
		return ok && (c.Kind == report.KindRegressed || c.Kind == report.KindFailing)
	case report.CodeDrop:
		return v.FellAsWhole()
	}
	return false
}
