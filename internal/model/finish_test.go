package model_test

import (
	"testing"

	"github.com/failproof/failproof/internal/model"
)

func TestFinishReasonsOfEveryProviderAreOneOfFourEndings(t *testing.T) {
	for want, words := range map[model.Ending][]string{
		model.EndingComplete:  {"stop", "STOP", " end_turn ", "stop_sequence", "eos", "COMPLETE", "FINISH_REASON_STOP"},
		model.EndingTruncated: {"length", "MAX_TOKENS", "max_tokens", "model_length", "model_context_window_exceeded"},
		model.EndingRefused: {"content_filter", "Content-Filter", "refusal", "SAFETY", "FINISH_REASON_SAFETY", "content_filter: PROHIBITED_CONTENT",
			"RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "guardrail_intervened", "content_filtered"},
		model.EndingUnknown: {"", "tool_calls", "tool_use", "function_call", "pause_turn", "error", "stopped", "nonstop"},
	} {
		for _, finish := range words {
			if got := model.EndingOf(finish); got != want {
				t.Errorf("EndingOf(%q) = %d, want %d", finish, got, want)
			}
		}
	}
}
