package report

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
)

// EarlyEnd is a reason for ending a run early, with the trials that were left.
type EarlyEnd struct {
	Reason   string // model.ReasonBudget, ReasonCancelled or ReasonShard
	Why      string // in words: limits.max_calls (200) is used up
	Unjudged bool   // the trials were answered, but not judged
	Trials   int    // planned trials
	Reruns   int    // reruns of flipped cases, and second grades of their answers
}

// AfterAllTrials reports whether the budget ended the run after all planned trials and reruns of flipped cases.
func (e EarlyEnd) AfterAllTrials() bool {
	return e.Trials == 0 && e.Reruns == 0 && e.Reason == model.ReasonBudget
}

// whyRunes limits Why, which comes from the results.
const whyRunes = 200

// countEnded counts a trial that was left over when the run ended.
func (b *Builder) countEnded(r Result) {
	e := EarlyEnd{Reason: r.Classification.Details.Reason}
	if end := r.Classification.End; end != nil {
		e.Why, e.Unjudged = prefix(end.Why, whyRunes), end.State == model.EndUnjudged
	}
	switch r.RerunReason {
	case "":
		e.Trials = 1
	case RerunConfirm, RerunJudge:
		e.Reruns = 1
	}
	b.side.EarlyEnds = addEarlyEnd(b.side.EarlyEnds, e)
}

func addEarlyEnd(list []EarlyEnd, e EarlyEnd) []EarlyEnd {
	for i := range list {
		if list[i].Reason == e.Reason && list[i].Why == e.Why && list[i].Unjudged == e.Unjudged {
			list[i].Trials, list[i].Reruns = list[i].Trials+e.Trials, list[i].Reruns+e.Reruns
			return list
		}
	}
	return append(list, e)
}

// MergeEarlyEnds returns the reasons for which the runs of both sides ended early, merged. base may be nil.
func MergeEarlyEnds(head, base *Side) (out []EarlyEnd) {
	for _, s := range []*Side{head, base} {
		if s == nil {
			continue
		}
		for _, e := range s.EarlyEnds {
			out = addEarlyEnd(out, e)
		}
	}
	return out
}

// NotAsked counts the planned trials that the end of the run left over; 0 for nil.
func (s *SuiteSide) NotAsked() int {
	if s == nil {
		return 0
	}
	return s.notAsked
}

// InternalErrors counts the trials with an internal error of failproof.
type InternalErrors struct {
	Trials          int
	SuiteID, CaseID string // the first such case
}

// add counts a trial whose judging had an internal error, under the case's expectation or under the base's.
func (i *InternalErrors) add(r Result) {
	if !internalError(r.Classification) && (r.UnderBase == nil || !internalError(*r.UnderBase)) {
		return
	}
	if i.Trials++; i.Trials == 1 {
		i.SuiteID, i.CaseID = r.SuiteID, r.CaseID
	}
}

func internalError(c classify.Classification) bool {
	return c.Primary == classify.Error && c.Details.Reason == model.ReasonInternal
}

// MergeInternalErrors returns the counts of both sides, merged; base may be nil.
func MergeInternalErrors(head, base *Side) InternalErrors {
	b := head.InternalErrors
	if base == nil {
		return b
	}
	if b.Trials == 0 {
		b = InternalErrors{0, base.InternalErrors.SuiteID, base.InternalErrors.CaseID}
	}
	b.Trials += base.InternalErrors.Trials
	return b
}

// HasInternalError reports whether an internal error of failproof decided the verdict.
func (r *Report) HasInternalError() bool {
	return slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Code == model.ReasonInternal })
}
