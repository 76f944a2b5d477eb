package report

// Level says whether a reason decided the verdict or is only worth saying.
type Level string

const (
	LevelError Level = "error"
	LevelWarn  Level = "warn"
)

// Reason is one condition of the gate that was not met, in plain words with both numbers.
type Reason struct {
	Code    string `json:"code"` // of the rule of the gate; see package gate
	Level   Level  `json:"level"`
	Message string `json:"message"`
	SuiteID string `json:"suite_id,omitempty"`
	CaseID  string `json:"case_id,omitempty"`
	Path    string `json:"path,omitempty"` // of the base's file that it is about
	Line    int    `json:"line,omitempty"`

	// those that it is about, as SUITE/CASE, where they are several and at most 50
	Cases []string `json:"cases,omitempty"`
	// whose review or command made a warning of it: "the review of ada"
	AcceptedBy string `json:"accepted_by,omitempty"`
}

// About returns the cases of a reason, as SUITE/CASE; none if it is about no case, or about more than it lists.
func (r Reason) About() []string {
	if r.CaseID != "" {
		return []string{r.SuiteID + "/" + r.CaseID}
	}
	return r.Cases
}
