package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// alike is a case that both sides ask and judge alike: where both have the same answer to it, as most recorded cases of a change have, that is judged
// once. Both answers of a trial are judged one after the other.
type alike struct {
	judged   *report.Result // of the answer that came first; nil: none did
	response model.Response
}

// alikeOf is nil where something tells the sides apart, or where a judge is asked, who need not say the same twice. Both cases are opened.
func alikeOf(base, head member) *alike {
	if base.suite.ID != head.suite.ID || base.c.Graded() || base.c.Probe != nil || !suite.Alike(base.c, head.c) {
		return nil
	}
	return &alike{}
}

// judge judges a response, unless it is the answer that was judged.
func (a *alike) judge(r model.Response, anew func() (report.Result, error)) (report.Result, error) {
	if a == nil || r.Failure != nil {
		return anew()
	}
	if a.judged != nil && sameAnswer(a.response, r) {
		return *a.judged, nil
	}
	judged, err := anew()
	if err == nil {
		a.judged, a.response = &judged, r
	}
	return judged, err
}

// sameAnswer reports two answers that nothing tells apart by which an answer is judged. Who gave them, and how, is no part of it.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
