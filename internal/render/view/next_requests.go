package view

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/render/show"
)

// nextOfRequests says what to do about answers that are wrong since the request is: no prompt mends that. others counts the wrong ones that are
// wrong for another reason.
func (v *View) nextOfRequests() (out []show.Phrase, others int) {
	rejected, spent := 0, 0
	for _, c := range slices.Concat(v.Regressed, v.Fell, v.Failing) {
		switch d := c.Head.Details; {
		case d != nil && d.Reason == model.ReasonRejected:
			rejected++
		case d != nil && d.Reason == classify.ReasonEmptyTruncated:
			spent++
		default:
			others++
		}
	}
	if rejected > 0 {
		out = append(out, show.Phrase{show.Say("The provider rejects the request of " + show.Count(rejected, "case") + ": see what it says there, and take out of the target, or change, what its model does not take, such as `temperature`.")})
	}
	if spent > 0 {
		out = append(out, show.Phrase{show.Say("Raise `max_tokens` of the target: in " + show.Count(spent, "case") + " it was spent before a word of the answer came, as by a model that thinks first.")})
	}
	return out, others
}
