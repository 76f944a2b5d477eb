package report

// Drift is a run's finding on a branch's model, compared with the branch's earlier runs.
type Drift struct {
	Cases     int           `json:"cases"`     // that ask a live target
	Drifted   []DriftedCase `json:"drifted"`   // in the order of the suites
	Recovered []DriftedCase `json:"recovered"` // that had drifted, and no longer have
	Beyond    int           `json:"beyond"`    // wrong answers that were not asked again: there were too many
}

// DriftedCase is a case that is, or was, answered worse than before.
type DriftedCase struct {
	SuiteID     string `json:"suite_id"`
	CaseID      string `json:"case_id"`
	Since       string `json:"since"`        // of the run that saw it first, RFC 3339
	RightBefore int    `json:"right_before"` // of the answers of earlier runs
	AskedBefore int    `json:"asked_before"`
	Right       int    `json:"right"` // of those that it was asked for again
	Asked       int    `json:"asked"`
	New         bool   `json:"new,omitempty"` // this run is the first to see it
}
