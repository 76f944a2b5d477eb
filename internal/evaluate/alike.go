package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// alike is a case that both sides ask and judge alike. An answer that both sides have, as most recorded cases do, is
// judged once. Both answers of a trial are judged one after the other.
type alike struct {
	judged   *report.Result // of the answer that came first; nil: none did
	response model.Response
}

// alikeOf returns nil if the sides differ in anything, or if a judge is asked, who may answer differently twice. Both
// cases are opened.
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

// sameAnswer reports whether two answers are equal in everything that decides a judgement. Who gave them, and how, is
// no part of that.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
