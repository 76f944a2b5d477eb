package report

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
)

// Ended is a reason for ending a run early, with the trials that were left.
type Ended struct {
	Reason string // model.ReasonBudget, ReasonCancelled or ReasonShard
	Why    string // in words: limits.max_calls (200) is used up
	Late   bool   // the trials were answered, but not judged
	Trials int    // planned trials
	Reruns int    // reruns of flipped cases
}

// Needless reports whether the budget ended the run after all planned trials and reruns of flipped cases.
func (e Ended) Needless() bool {
	return e.Trials == 0 && e.Reruns == 0 && e.Reason == model.ReasonBudget
}

// whyRunes limits Why, which comes from the results.
const whyRunes = 200

// notAsked returns the reason for which a trial got no call or its call was aborted; "" for other trials.
func notAsked(c classify.Classification) string {
	if c.Primary == classify.Error && (&model.Failure{Reason: c.Details.Reason}).NotAsked() {
		return c.Details.Reason
	}
	return ""
}

// ended counts a trial that was left over when the run ended.
func (b *Builder) ended(reason string, end *model.End, rerun RerunReason) {
	e := Ended{Reason: reason}
	if end != nil {
		e.Why, e.Late = prefix(end.Why, whyRunes), end.State == model.EndUnjudged
	}
	switch rerun {
	case "":
		e.Trials = 1
	case RerunConfirm:
		e.Reruns = 1
	}
	b.side.Ended = addEnded(b.side.Ended, e)
}

func addEnded(list []Ended, e Ended) []Ended {
	for i := range list {
		if list[i].Reason == e.Reason && list[i].Why == e.Why && list[i].Late == e.Late {
			list[i].Trials, list[i].Reruns = list[i].Trials+e.Trials, list[i].Reruns+e.Reruns
			return list
		}
	}
	return append(list, e)
}

// EndedOf returns the reasons for which the runs of both sides ended early, merged. base may be nil.
func EndedOf(head, base *Side) (out []Ended) {
	for _, s := range []*Side{head, base} {
		if s == nil {
			continue
		}
		for _, e := range s.Ended {
			out = addEnded(out, e)
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

// Broken counts the trials with an internal error of failproof.
type Broken struct {
	Trials          int
	SuiteID, CaseID string // the first such case
}

// add counts a trial whose judging had an internal error, under the case's expectation or under the base's.
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

// BrokenOf returns the counts of both sides, merged; base may be nil.
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

// IsBroken reports whether an internal error of failproof decided the verdict.
func (r *Report) IsBroken() bool {
	return slices.ContainsFunc(r.Reasons, func(reason Reason) bool { return reason.Code == model.ReasonInternal })
}
