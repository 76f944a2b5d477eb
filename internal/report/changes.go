package report

import (
	"github.com/failproof/failproof/internal/classify"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
)

// BaseVersion is the input and the expectation of a redefined case on the base.
type BaseVersion struct {
	InputChanged bool                 `json:"other_input,omitempty"` // the input changed
	Input        model.Untrusted      `json:"input,omitempty"`
	Expected     []expect.Requirement `json:"expected,omitempty"` // empty if it is not known
}

// OldInputUntested reports whether a case has another input, passed on the base, and has no wrong answer on the head.
// Then no answer shows whether the old input would still pass.
func (c Change) OldInputUntested() bool {
	return c.Change == Redefined && c.BaseVersion != nil && c.BaseVersion.InputChanged && c.Base.Share() > 0.5 &&
		c.Head.Right()
}

// FailsOldExpectation reports whether the case is redefined and its answer would fail the base's expectation.
func (c Change) FailsOldExpectation() bool {
	return c.Head != nil && c.Head.UnderBase != nil && *c.Head.UnderBase != classify.Pass
}

// Reworded counts the cases that pass on both sides with differently worded answers.
type Reworded struct {
	Passing int             `json:"passing"`  // cases that pass on both sides with equally many answers
	Changed int             `json:"changed"`  // of these, cases with different texts
	SuiteID string          `json:"suite_id"` // the first changed case
	CaseID  string          `json:"case_id"`
	Before  model.Untrusted `json:"before"` // the beginning of its answer on the base
	Now     model.Untrusted `json:"now"`
}

// Edit is the edit of the suite file that makes the new answer of a case right.
type Edit struct {
	Patch   model.Untrusted `json:"patch,omitempty"`   // a unified diff
	Refused string          `json:"refused,omitempty"` // why there is no patch
}
