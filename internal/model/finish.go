package model

import "strings"

// Ending is what a finish or stop reason says of an answer.
type Ending int

const (
	EndingUnknown   Ending = iota // a word that is not known: what came may be no answer, or not all of it
	EndingComplete                // the model had said what it wanted to
	EndingTruncated               // it was cut at a length limit
	EndingRefused                 // the model declined, or a filter of its provider stopped it
)

// EndingOf reads a finish or stop reason as providers write it: OpenAI and Azure (stop, length, content_filter; of Responses
// completed, max_output_tokens), Anthropic
// (end_turn, max_tokens, refusal), Gemini (STOP, MAX_TOKENS, SAFETY to IMAGE_SAFETY, also behind "content_filter:"), Bedrock
// (guardrail_intervened, content_filtered), Cohere (COMPLETE, ERROR_TOXIC), Mistral (model_length) and servers of open
// models (eos).
func EndingOf(finish string) Ending {
	switch finishWord(finish) {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed":
		return EndingComplete
	case "length", "max_tokens", "max_output_tokens", "max_length", "model_length", "model_context_window_exceeded":
		return EndingTruncated
	case "refusal", "content_filter", "content_filtered", "contentfilter", "error_toxic", "guardrail_intervened",
		"safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety", "image_prohibited_content", "blocked":
		return EndingRefused
	}
	return EndingUnknown
}

func finishWord(finish string) string {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(finish)), ":")
	return strings.ReplaceAll(strings.TrimPrefix(word, "finish_reason_"), "-", "_")
}
