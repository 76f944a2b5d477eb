package report

// Kind is what a change means to a reader of a comparison. Every list, mark and filter of every output goes by it.
// compare.Sort decides it.
type Kind string

const (
	KindRegressed Kind = "regressed"
	KindFell      Kind = "fell" // no regression by itself, and a part of a score that fell as a whole
	// redefined, and fails the base's expectation or asks something else; or removed; and passed on the base
	KindHidden    Kind = "hidden"
	KindFailing   Kind = "failing" // another wrong answer
	KindMissing   Kind = "missing" // an answer did not come
	KindWorse     Kind = "worse"   // passes on both sides, with a lower overall score
	KindReview    Kind = "review"  // passes, and a person has to look: nothing judged what it says
	KindFlaky     Kind = "flaky"   // or in quarantine
	KindFixed     Kind = "fixed"
	KindRedefined Kind = "redefined"
	KindNew       Kind = "new"
	KindRemoved   Kind = "removed"
	KindPassing   Kind = "passing" // as before, or not compared
)

// Kinds lists every kind in the order in which a reader looks for it.
var Kinds = [...]Kind{KindRegressed, KindFell, KindHidden, KindFailing, KindMissing, KindWorse, KindReview, KindFlaky,
	KindFixed, KindRedefined, KindNew, KindRemoved, KindPassing}

// HasBase reports whether the head is compared with a base.
func (r *Report) HasBase() bool {
	if r.Run.BaseState == "" {
		return r.Run.Base != nil
	}
	return r.Run.BaseState == BaseCompared
}

// Suspect is what became of a case that flipped; false if it did not.
func (r *Report) Suspect(suiteID, caseID string) (Suspect, bool) {
	s := r.Statistics
	if s == nil {
		return Suspect{}, false
	}
	var looks [][]Suspect
	if s.Noise != nil && s.Noise.Confirm != nil && r.HasBase() {
		looks = append(looks, s.Noise.Confirm.Suspects)
	}
	if s.Redrawn != nil {
		looks = append(looks, s.Redrawn.Suspects)
	}
	for _, look := range looks {
		for _, one := range look {
			if one.SuiteID == suiteID && one.CaseID == caseID {
				return one, true
			}
		}
	}
	return Suspect{}, false
}

// Wrong reports that an answer came, and a wrong one.
func (o *Outcome) Wrong() bool { return o != nil && o.Trials-o.Passed-o.Unscored > 0 }

// Right reports that every answer came, and passes.
func (o *Outcome) Right() bool { return o != nil && o.Trials > 0 && o.Passed == o.Trials }

// worseBy is the fall of an overall score from which it is reported although the answer passes; another wording alone
// makes less.
const worseBy = 0.05

// GotWorse reports an overall score that fell by enough to be told; nil is none.
func GotWorse(base, head *float64) bool {
	return base != nil && head != nil && *base-*head >= worseBy-1e-9
}

// Overall is the overall score of the shown trial; nil where there is none.
func (o *Outcome) Overall() *float64 {
	if o == nil {
		return nil
	}
	return o.OverallScore
}

// Share returns the share of right ones among the answers that came, in [0, 1]; 0 if none came.
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

// Noteworthy reports whether a pull request should hear of this report without having asked.
func (r *Report) Noteworthy() bool {
	if r.Verdict != Passed || len(r.PolicyChanges)+len(r.Reasons) > 0 {
		return true
	}
	for _, w := range r.Warnings {
		if w.Code != WarnResults {
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

// IsAnswered reports whether the shown trial of a side has an answer.
func (o *Outcome) IsAnswered() bool { return o.Wrong() || o.Right() }

// IsNewFailure reports whether a case fails on the head and, if there is a base, did not fail there.
func (c Change) IsNewFailure() bool {
	return c.Head.Wrong() && (c.Change == Regressed || c.Change == New || c.Change == Redefined && c.Base.Right())
}
