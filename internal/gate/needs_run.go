package gate

import (
	"fmt"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
)

// NeedsRun reports suites in which less than half of the criteria are judged, because the text of an answer cannot show
// the others. A suite without any judged criterion suspends the run.
var NeedsRun = Rule{
	Code: "needs_run", Level: config.Err,
	Title: func(f TitleInput) string {
		n := f.Report.Criteria
		if n == nil {
			return "criteria need a run"
		}
		return fmt.Sprintf("%d of %s judged", n.Judged, text.Count(n.All, "criterion", "criteria"))
	},
	NextStep: "Say in `failproof.yaml` beside the evaluations which criteria the text of an answer shows, or add " +
		"an `assert`.",
	Doc: "Criteria of a skill's evaluations ask for files, commands or calls, which the text of an answer cannot " +
		"show: they count " +
		"neither way. A suite of which nothing is judged has no verdict. Under half of its criteria judged is a " +
		"warning.",
	check: func(r *Run) (found []finding) {
		for _, s := range r.head.Suites {
			n := s.Criteria()
			switch {
			case n.NotJudgedCount() == 0:
			case n.Judged == 0:
				found = append(found, withSuite(s, newFinding(effectSuspends, "nothing of suite %s is judged: %s", s.ID,
					needRunText(n.All))))
			case 2*n.Judged < n.All:
				found = append(found, withSuite(s, newFinding(effectWarns,
					"%d of %d criteria of suite %s are judged: %s", n.Judged, n.All, s.ID,
					needRunText(n.NotJudgedCount()))))
			}
		}
		return found
	},
}

func needRunText(n int) string { return text.Count(n, "criterion needs", "criteria need") + " a run" }

func withSuite(s *report.SuiteSide, f finding) finding {
	f.SuiteID = s.ID
	return f
}
