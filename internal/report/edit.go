package report

import "github.com/failproof/failproof/internal/model"

// Edit is the edit of the suite file that makes the new answer of a case right.
type Edit struct {
	Patch   model.Untrusted `json:"patch,omitempty"`   // a unified diff
	Refused string          `json:"refused,omitempty"` // why there is no patch
}
