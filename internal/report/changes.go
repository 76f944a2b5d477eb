package report

import (
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

// Before is what a redefined case was on the base.
type Before struct {
	OtherInput bool            `json:"other_input,omitempty"` // it asked something else
	Asked      model.Untrusted `json:"input,omitempty"`
	Expected   []expect.Demand `json:"expected,omitempty"` // where it is known
}

// AsksElse reports whether a redefined case passed on the base and asks another question now, so that nothing shows how
// the old one is answered.
func (c Change) AsksElse() bool {
	return c.Change == Redefined && c.Before != nil && c.Before.OtherInput && c.Base.Right() && c.Head.Right()
}

// Reworded counts the cases that pass on both sides with different words.
type Reworded struct {
	Passing int             `json:"passing"`  // cases that pass on both sides, of which both have as many answers
	Changed int             `json:"changed"`  // of them
	SuiteID string          `json:"suite_id"` // of the first of these
	CaseID  string          `json:"case_id"`
	Before  model.Untrusted `json:"before"` // the beginning of its answer
	Now     model.Untrusted `json:"now"`
}
