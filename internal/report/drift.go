package report

// Drift compares a branch's answers with those of the branch's earlier runs.
type Drift struct {
	Cases     int           `json:"cases"`     // cases with a live target
	Drifted   []DriftedCase `json:"drifted"`   // in the order of the suites
	Recovered []DriftedCase `json:"recovered"` // drifted in an earlier run, right again
	NotRerun  int           `json:"beyond"`    // cases that differed without a full rerun: over the limit, or with missing answers
}

// DriftedCase is a case with worse answers than in earlier runs. This run or an earlier one found it.
type DriftedCase struct {
	SuiteID     string `json:"suite_id"`
	CaseID      string `json:"case_id"`
	Since       string `json:"since"`        // when a run first saw it, RFC 3339
	RightBefore int    `json:"right_before"` // of AskedBefore answers in earlier runs
	AskedBefore int    `json:"asked_before"`
	Right       int    `json:"right"` // of Asked reruns
	Asked       int    `json:"asked"`
	New         bool   `json:"new,omitempty"` // this run saw it first
}
