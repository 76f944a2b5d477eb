package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// alike is a case with equal requests and expectations on both sides. If both answers are equal too, they are judged
// once.
type alike struct {
	judged   *report.Result // of the first answer; nil: none was judged yet
	response model.Response
}

// alikeOf returns an alike for a case with equal requests and expectations on both sides; otherwise nil. It also
// returns nil for probes and for cases that a judge grades, because a judge may decide differently each time. The cases
// must have their bodies.
func alikeOf(base, head member) *alike {
	if base.suite.ID != head.suite.ID || base.c.Graded() || base.c.Probe != nil || !suite.Alike(base.c, head.c) {
		return nil
	}
	return &alike{}
}

// judge returns the kept result if r equals the answer that this result is about. Otherwise it returns the result of
// anew, and keeps that result unless r is a failure.
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

// sameAnswer reports whether two answers are equal in everything that affects judging, which excludes their source.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
