package report

// Noteworthy reports whether a pull request should hear of this report without having asked.
func (r *Report) Noteworthy() bool {
	if r.Verdict != Passed || len(r.PolicyChanges)+len(r.Reasons)+len(r.Warnings) > 0 {
		return true
	}
	for status, n := range r.Counts {
		if n > 0 && status != StillPassing && status != StillFailing {
			return true
		}
	}
	return false
}

// IsAnswered reports whether the shown trial of a side has an answer.
func (o *Outcome) IsAnswered() bool {
	return o != nil && o.Trials > 0 && (o.Trials > o.Passed+o.Unscored || o.Trials == o.Passed)
}

// IsNewFailure reports a case that fails on the head and did not on the base, as far as there is one.
func (c Change) IsNewFailure() bool {
	fails := c.Head != nil && c.Head.Trials > c.Head.Passed+c.Head.Unscored
	switch c.Change {
	case Regressed, New:
		return fails
	case Redefined:
		return fails && c.Base != nil && c.Base.Passed == c.Base.Trials
	}
	return false
}
