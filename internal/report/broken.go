package report

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
)

// CodeInternal is the code of the reason that a report has where failproof itself broke.
const CodeInternal = model.ReasonInternal

// Broken are the trials that failproof itself broke on: nothing is known of their answers.
type Broken struct {
	Trials          int
	SuiteID, CaseID string // of the first
}

// add counts a trial if failproof broke on it, by the case's own expectation or by the base's.
func (b *Broken) add(r Result) {
	if !internalError(r.Classification) && (r.UnderBase == nil || !internalError(*r.UnderBase)) {
		return
	}
	if b.Trials++; b.Trials == 1 {
		b.SuiteID, b.CaseID = r.SuiteID, r.CaseID
	}
}

func internalError(c classify.Classification) bool {
	return c.Primary == classify.Error && c.Details.Reason == model.ReasonInternal
}

// BrokenOf joins what both sides say, the head first; base may be nil.
func BrokenOf(head, base *Side) Broken {
	b := head.Broken
	if base == nil {
		return b
	}
	if b.Trials == 0 {
		b = Broken{0, base.Broken.SuiteID, base.Broken.CaseID}
	}
	b.Trials += base.Broken.Trials
	return b
}

// IsBroken reports whether failproof itself broke in the run.
func (r *Report) IsBroken() bool {
	for _, reason := range r.Reasons {
		if reason.Code == CodeInternal {
			return true
		}
	}
	return false
}
