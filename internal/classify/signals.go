package classify

import (
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// structuredRefusal reads what a provider says about its own answer.
func structuredRefusal(r model.Response) (sign, bool) {
	if !isBlank(string(r.Refusal)) {
		return sign{rule: "refusal_field", evidence: string(r.Refusal)}, true
	}
	if isRefusalFinish(r.Finish) {
		return sign{rule: "finish_reason", evidence: r.Finish}, true
	}
	return sign{}, false
}

// isRefusalFinish knows the finish and stop reasons that stand for a refusal or a content filter: OpenAI and Azure
// (content_filter), Anthropic (refusal), Gemini (SAFETY to IMAGE_SAFETY), Bedrock (guardrail_intervened,
// content_filtered), Cohere (ERROR_TOXIC), Mistral and Vertex in the same words.
func isRefusalFinish(finish string) bool {
	switch finishWord(finish) {
	case "refusal", "content_filter", "content_filtered", "contentfilter", "error_toxic", "guardrail_intervened",
		"safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety", "image_prohibited_content", "blocked":
		return true
	}
	return false
}

// isTruncated knows the finish reasons of an answer that was cut at a length limit.
func isTruncated(finish string) bool {
	switch finishWord(finish) {
	case "length", "max_tokens", "max_output_tokens", "max_length", "model_length", "model_context_window_exceeded":
		return true
	}
	return false
}

func finishWord(finish string) string {
	word := strings.ToLower(strings.TrimSpace(finish))
	return strings.ReplaceAll(strings.TrimPrefix(word, "finish_reason_"), "-", "_")
}
