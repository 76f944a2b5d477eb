package classify

import (
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/refusal"
)

// structuredRefusal reads what a provider says about its own answer.
func structuredRefusal(r model.Response) (sign, bool) {
	if !isBlank(string(r.Refusal)) {
		return sign{rule: "refusal_field", kind: refusal.Declined, evidence: string(r.Refusal)}, true
	}
	if model.EndingOf(r.Finish) == model.EndingRefused {
		return sign{rule: "finish_reason", kind: refusal.Declined, evidence: r.Finish}, true
	}
	return sign{}, false
}
