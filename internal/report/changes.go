package report

import (
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

// Before is what a redefined case was on the base.
type Before struct {
	OtherInput bool            `json:"other_input,omitempty"` // it asked something else
	Asked      model.Untrusted `json:"asked,omitempty"`
	Expected   []expect.Demand `json:"expected,omitempty"` // where it is known
}

// AsksElse reports a redefined case whose question is another than on the base, where it passed: nothing shows how what it asked is answered now.
func (c Change) AsksElse() bool {
	return c.Change == Redefined && c.Before != nil && c.Before.OtherInput && c.Base.Right() && c.Head.Right()
}

// Reworded counts the cases that pass on both sides and are answered in other words than before.
type Reworded struct {
	Passing int             `json:"passing"`  // cases that pass on both sides, of which both have as many answers
	Changed int             `json:"changed"`  // of them
	SuiteID string          `json:"suite_id"` // of the first of these
	CaseID  string          `json:"case_id"`
	Before  model.Untrusted `json:"before"` // the beginning of its answer
	Now     model.Untrusted `json:"now"`
}
