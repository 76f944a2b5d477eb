package report

import "github.com/failproof/failproof/internal/model"

// Edit is the edit of a case by which its new answer is right.
type Edit struct {
	Patch   model.Untrusted `json:"patch,omitempty"`   // a unified diff
	Refused string          `json:"refused,omitempty"` // why there is none
}
