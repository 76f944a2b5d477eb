package gate

import (
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/compare"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// Next steps for changes of suite files.
const (
	putBack     = "Restore what is named here as removed or changed."
	reviewEdits = "check that every removed case, changed case and changed setting is intended"
)

// Removed reports removed cases. Removed cases that passed on the base have the level of the rule. The others only
// warn.
var Removed = Rule{
	Code: "on_removed", MayBeAccepted: true, SARIF: "removed",
	Title: removedTitle, NextStep: putBack, ReviewStep: reviewEdits,
	IfOff: "A pull request can delete the case that it breaks, without a notice.",
	Doc: "Cases were removed that passed on the base. A removed case that failed before hides nothing, and " +
		"only warns. Of another runner's results, the default is `error` where a new case fails as well: it may " +
		"be the removed one under another name.",
	check: func(r *Run) []finding {
		gone := func(p *compare.Case) bool { return p.Status == report.Removed }
		n := r.Comparison.Count(gone)
		passed := namesOf(r.Comparison, func(p *compare.Case) bool { return gone(p) && compare.CountsOf(p.Base).Passes() })
		f := newFinding(effectFails, "%s removed", text.Count(n, "case was", "cases were"))
		switch {
		case n == 0:
			return nil
		case passed.n == n:
			f.Message = text.Count(n, "case that passed before was", "cases that passed before were") + " removed: " +
				passed.text()
		case passed.n > 0:
			f.Message += fmt.Sprintf(", %d of them passed before: %s", passed.n, passed.text())
		default: // a case that failed before hides nothing
			f.effect = effectWarns
		}
		if renamed := r.renamedFailing(passed.n); renamed > 0 {
			f.Message += fmt.Sprintf("; %s, and may be of these under another name",
				text.Count(renamed, "new case fails", "new cases fail"))
			if !r.gate.Setting(config.OnRemoved).Set {
				f.level = config.Err
			}
		}
		return []finding{passed.withCases(f)}
	},
}

func removedTitle(f TitleInput) string {
	if slices.ContainsFunc(f.Report.Changes, func(c report.Change) bool { return c.Change == report.Removed && c.Base.Right() }) {
		return "passing cases were removed"
	}
	return "cases were removed"
}

// renamedFailing counts the new failing cases in another runner's results, which may be the removed cases under another
// name. gone is the number of removed cases that passed on the base. If the head lacks most cases of the base,
// renamedFailing returns 0, because ResultsPaired then suspends the run.
func (r *Run) renamedFailing(gone int) int {
	if r.Pairing.BaseCases == 0 || gone == 0 || r.Pairing.isMostlyUnpaired() {
		return 0
	}
	return r.Comparison.Count(func(p *compare.Case) bool {
		return p.Status == report.New && !p.Quarantined && !compare.CountsOf(p.Head).Passes()
	})
}
