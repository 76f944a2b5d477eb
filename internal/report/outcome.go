package report

import "github.com/failproof/failproof/internal/classify"

// Wrong reports whether some answer is wrong.
func (o *Outcome) Wrong() bool { return o != nil && o.Trials-o.Passed-o.Unscored > 0 }

// Right reports whether every answer came and passed.
func (o *Outcome) Right() bool { return o != nil && o.Trials > 0 && o.Passed == o.Trials }

// IsAnswered reports whether some answer is wrong or all are right.
func (o *Outcome) IsAnswered() bool { return o.Wrong() || o.Right() }

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

// Score returns the mean accuracy of all trials, in which unscored ones count as 0; false if there is no trial.
func (o *Outcome) Score() (float64, bool) { return share(o.Passed, o.Trials) }

// AnsweredScore returns the mean accuracy of the answered trials; false if there are none.
func (o *Outcome) AnsweredScore() (float64, bool) { return share(o.Passed, o.Trials-o.Unscored) }

// Share returns the share of right answers among those that came; 0 if none came.
func (o *Outcome) Share() float64 {
	right, _ := o.AnsweredScore()
	return right
}

func share(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// minWorse is the smallest fall of an overall score that is reported for a passing case. Rewording alone changes it
// less.
const minWorse = 0.05

// GotWorse reports whether an overall score fell by at least minWorse; false if either is nil.
func GotWorse(base, head *float64) bool {
	return base != nil && head != nil && *base-*head >= minWorse-1e-9
}
