package report

import (
	"slices"

	"github.com/failproof/failproof/internal/suiteid"
)

// Kind is the category of a change by which all outputs list, mark and filter it. gate.SetChangeKinds sets it.
type Kind string

const (
	KindRegressed Kind = "regressed"
	KindFell      Kind = "fell" // no regression by itself, but in a suite or run whose score fell
	// passed on the base, and was removed, got another input, or fails the base's expectation
	KindMayHide   Kind = "hidden"
	KindFailing   Kind = "failing" // wrong on the head, and none of the above
	KindMissing   Kind = "missing" // an answer is missing, and none is wrong
	KindWorse     Kind = "worse"   // passes on both sides, with a lower overall score
	KindReview    Kind = "review"  // passes, but a person has to read the answer; see gate.SetChangeKinds
	KindFlaky     Kind = "flaky"   // moved within noise, or quarantined
	KindFixed     Kind = "fixed"
	KindRedefined Kind = "redefined"
	KindNew       Kind = "new"
	KindRemoved   Kind = "removed"
	KindPassing   Kind = "passing" // still passing, or not compared
)

// Kinds lists every kind in the order of the outputs.
var Kinds = [...]Kind{KindRegressed, KindFell, KindMayHide, KindFailing, KindMissing, KindWorse, KindReview, KindFlaky,
	KindFixed, KindRedefined, KindNew, KindRemoved, KindPassing}

// HasBase reports whether the head is compared with a base.
func (r *Report) HasBase() bool {
	if r.Run.BaseState == "" {
		return r.Run.Base != nil
	}
	return r.Run.BaseState == BaseCompared
}

// Candidates returns what reruns show of each case that flipped.
func (r *Report) Candidates() map[suiteid.Name]Candidate {
	var all []Candidate
	if s := r.Statistics; s != nil && s.Noise != nil && s.Noise.Confirm != nil && r.HasBase() {
		all = s.Noise.Confirm.Candidates
	}
	if s := r.Statistics; s != nil && s.RecordedReruns != nil {
		all = slices.Concat(all, s.RecordedReruns.Candidates)
	}
	out := map[suiteid.Name]Candidate{}
	for _, one := range slices.Backward(all) { // an edited report may have a case twice: the first counts
		out[one.Name()] = one
	}
	return out
}

// Agreement counts how often an `expected_classification: fail` of a FailProof file came true.
type Agreement struct {
	Expected int `json:"expected"`
	Agreed   int `json:"agreed"`
}

// Noteworthy reports whether the report is worth a comment on the pull request.
func (r *Report) Noteworthy() bool {
	if r.Verdict != Passed || len(r.PolicyChanges)+len(r.Reasons) > 0 {
		return true
	}
	for _, w := range r.Warnings {
		if w.Code != WarnResults && w.Code != WarnOtherSuites {
			return true
		}
	}
	for status, n := range r.Counts {
		if n > 0 && status != StillPassing && status != StillFailing {
			return true
		}
	}
	return false
}

// IsNewFailure reports whether a case fails on the head and, if there is a base, did not fail there.
func (c Change) IsNewFailure() bool {
	return c.Head.Wrong() && (c.Change == Regressed || c.Change == New || c.Change == Redefined && c.Base.Right())
}
