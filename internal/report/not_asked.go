package report

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/model"
)

// Ended is a reason why a run asked or judged no more, with the trials that were left.
type Ended struct {
	Reason string // model.ReasonBudget, ReasonCancelled or ReasonShard
	Why    string // in words: limits.max_calls (200) is used up
	Late   bool   // they were answered, and not judged
	Trials int    // of those that were planned
	Again  int    // of those that cases which flipped were to be asked again
}

// Needless reports whether everything necessary was asked before the end, which only cut off a second look at all
// cases.
func (e Ended) Needless() bool {
	return e.Trials == 0 && e.Again == 0 && e.Reason == model.ReasonBudget
}

// whyRunes bounds Why, which is read back from results.
const whyRunes = 200

// notAsked returns why a trial was not asked, or cut off; "" for any other trial.
func notAsked(c classify.Classification) string {
	reason := c.Details.Reason
	f := model.Failure{Reason: reason}
	if c.Primary != classify.Error || !f.NotAsked() {
		return ""
	}
	return reason
}

// ended notes why the run asked no more, and counts what it left unasked.
func (b *Builder) ended(reason string, end *model.End, look Look) {
	e := Ended{Reason: reason}
	if end != nil {
		e.Why, e.Late = prefix(end.Why, whyRunes), end.State == model.EndUnjudged
	}
	switch look {
	case "":
		e.Trials = 1
	case LookConfirm:
		e.Again = 1
	}
	b.side.Ended = addEnded(b.side.Ended, e)
}

func addEnded(list []Ended, e Ended) []Ended {
	for i := range list {
		if list[i].Reason == e.Reason && list[i].Why == e.Why && list[i].Late == e.Late {
			list[i].Trials, list[i].Again = list[i].Trials+e.Trials, list[i].Again+e.Again
			return list
		}
	}
	return append(list, e)
}

// EndedOf joins what both sides say; base may be nil.
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

// NotAsked counts the trials that the end of a run left unasked.
func (s *SuiteSide) NotAsked() int {
	if s == nil {
		return 0
	}
	return s.notAsked
}

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
		if reason.Code == model.ReasonInternal {
			return true
		}
	}
	return false
}
