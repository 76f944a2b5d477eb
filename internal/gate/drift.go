package gate

import (
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/text"
)

// Drift fails a run on a branch if reruns prove that the model answers a case worse than in earlier runs.
var Drift = Rule{
	Code: "drift", Level: config.Err,
	Title: func(f TitleInput) string { return text.Count(f.Count, "case") + " answered worse than in earlier runs" },
	NextStep: "The prompts did not change: the model behind them answers otherwise than it did. Pin a dated " +
		"version of it if the provider has one, or adapt the prompts.",
	Doc: "A case of the branch is answered worse than in earlier runs of the same branch, which fresh " +
		"answers prove. The prompts did not change; the model did.",
	check: func(r *Run) (found []finding) {
		for _, d := range r.Drifted {
			f := newFinding(effectFails,
				"%s/%s is answered worse than in earlier runs: right %d of %d before, %d of %d now, since %s",
				d.SuiteID, d.CaseID, d.RightBefore, d.AskedBefore, d.Right, d.Asked, d.Since[:len(time.DateOnly)])
			f.SuiteID, f.CaseID = d.SuiteID, d.CaseID
			found = append(found, f)
		}
		return found
	},
}
