package report

// Level is the effect of a reason: an error decided the verdict, a warning did not.
type Level string

const (
	LevelError Level = "error"
	LevelWarn  Level = "warn"
)

// Reason is one condition of the gate that was not met, in plain words with both numbers.
type Reason struct {
	Code  string `json:"code"` // the gate rule; see package gate
	Level Level  `json:"level"`
	// the reason leaves the verdict open; if another reason failed the run, it decided nothing
	Suspends bool   `json:"suspends,omitempty"`
	Message  string `json:"message"`
	SuiteID  string `json:"suite_id,omitempty"`
	CaseID   string `json:"case_id,omitempty"`
	Path     string `json:"path,omitempty"` // the base's file that it is about
	Line     int    `json:"line,omitempty"`

	// as SUITE/CASE: the cases it is about, if there are 2 to 50
	Cases []string `json:"cases,omitempty"`
	// the review or command that lowered it to a warning: "the review of ada"
	AcceptedBy string `json:"accepted_by,omitempty"`
}

// CaseNames returns the cases of a reason as SUITE/CASE; nil if it has none or too many to list.
func (r Reason) CaseNames() []string {
	if r.CaseID != "" {
		return []string{r.SuiteID + "/" + r.CaseID}
	}
	return r.Cases
}
