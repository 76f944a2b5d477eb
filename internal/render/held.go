package render

import (
	"fmt"

	"github.com/failproof/failproof/internal/score"
)

// misses reports a score that is below its bar; false where one of them is missing.
func misses(got, need *float64) bool { return got != nil && need != nil && !score.Meets(*got, *need) }

// belowRunBar reports a run that misses its bar, by the score as it stands or over the base's cases.
func (v *view) belowRunBar() bool {
	need := v.r.Scoring.MinRunScore
	return misses(v.r.RunScore, need) || misses(v.r.HeldRunScore, need)
}

// liftedByNew reports a run score that meets its bar only thanks to the cases that the head adds.
func (v *view) liftedByNew() bool {
	need := v.r.Scoring.MinRunScore
	return misses(v.r.HeldRunScore, need) && !misses(v.r.RunScore, need)
}

// heldNote says the score by which every bar is held too, where it is another one than the run score.
func (v *view) heldNote() string {
	r := v.r
	if r.HeldRunScore == nil || r.RunScore == nil || *r.HeldRunScore == *r.RunScore {
		return ""
	}
	return fmt.Sprintf("Over the base’s %s alone, which have to meet every bar as well, the score is %s.", count(r.HeldCases, "case"),
		against(r.HeldRunScore, r.Scoring.MinRunScore))
}
