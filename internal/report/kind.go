package report

import (
	"slices"

	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/suiteid"
)

// Kind is the category of a change by which all outputs list, mark and filter it. compare.Sort sets it.
type Kind string

const (
	KindRegressed Kind = "regressed"
	KindFell      Kind = "fell" // no regression by itself, but in a suite or run whose score fell
	// passed on the base, and was removed, got another input, or fails the base's expectation
	KindMayHide   Kind = "hidden"
	KindFailing   Kind = "failing" // wrong on the head, and none of the above
	KindMissing   Kind = "missing" // an answer is missing, and none is wrong
	KindWorse     Kind = "worse"   // passes on both sides, with a lower overall score
	KindReview    Kind = "review"  // passes, but a person has to read the answer; see compare.Sort
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

// Wrong reports whether some answer is wrong.
func (o *Outcome) Wrong() bool { return o != nil && o.Trials-o.Passed-o.Unscored > 0 }

// Right reports whether every answer came and passed.
func (o *Outcome) Right() bool { return o != nil && o.Trials > 0 && o.Passed == o.Trials }

// minWorse is the smallest fall of an overall score that is reported for a passing case. Rewording alone changes it
// less.
const minWorse = 0.05

// GotWorse reports whether an overall score fell by at least minWorse; false if either is nil.
func GotWorse(base, head *float64) bool {
	return base != nil && head != nil && *base-*head >= minWorse-1e-9
}

// Overall returns the overall score of the shown trial; nil if there is none.
func (o *Outcome) Overall() *float64 {
	if o == nil {
		return nil
	}
	return o.OverallScore
}

// CategoryWord returns the category of the shown trial in words.
func (o *Outcome) CategoryWord() string {
	k := classify.Classification{Primary: o.Primary}
	if o.Details != nil {
		k.Details = *o.Details
	}
	return k.DisplayName()
}

// Share returns the share of right answers among those that came; 0 if none came.
func (o *Outcome) Share() float64 {
	if n := o.Trials - o.Unscored; n > 0 {
		return float64(o.Passed) / float64(n)
	}
	return 0
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

// IsAnswered reports whether some answer is wrong or all are right.
func (o *Outcome) IsAnswered() bool { return o.Wrong() || o.Right() }

// IsNewFailure reports whether a case fails on the head and, if there is a base, did not fail there.
func (c Change) IsNewFailure() bool {
	return c.Head.Wrong() && (c.Change == Regressed || c.Change == New || c.Change == Redefined && c.Base.Right())
}
