package evaluate

import (
	"slices"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

// alike reports whether a case has equal requests and expectations on both sides. It is false for probes and for cases
// that a judge grades, because a judge may decide differently each time. The bodies of both cases must be loaded.
func alike(base, head member) bool {
	return base.suite.ID == head.suite.ID && !base.c.Graded() && base.c.Probe == nil && suite.Alike(base.c, head.c)
}

// judge returns the kept result if the answer r equals the answer that the kept result is for. Otherwise judge calls
// anew and returns its result. It keeps that result if the sides are alike and r is not a failure.
func (c *couple) judge(r model.Response, anew func() (report.Result, error)) (report.Result, error) {
	if c == nil || !c.alike || r.Failure != nil {
		return anew()
	}
	if c.judged != nil && sameAnswer(c.response, r) {
		return *c.judged, nil
	}
	judged, err := anew()
	if err == nil {
		c.judged, c.response = &judged, r
	}
	return judged, err
}

// sameAnswer reports whether two answers are equal in everything that affects judging, which excludes their source.
func sameAnswer(a, b model.Response) bool {
	return a.Text == b.Text && a.Refusal == b.Refusal && a.Finish == b.Finish &&
		slices.Equal(a.ToolCalls, b.ToolCalls) && a.Latency == b.Latency && a.Usage == b.Usage
}
