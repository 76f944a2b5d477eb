package classify

import "github.com/failproof/failproof/internal/model"

// structuredRefusal reads what a provider says about its own answer.
func structuredRefusal(r model.Response) (sign, bool) {
	if !isBlank(string(r.Refusal)) {
		return sign{rule: "refusal_field", evidence: string(r.Refusal)}, true
	}
	if model.EndingOf(r.Finish) == model.EndingRefused {
		return sign{rule: "finish_reason", evidence: r.Finish}, true
	}
	return sign{}, false
}
