package provider_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// The answers have the fields that each server documents, with values of our own.
func TestTheAnswersOfEveryServerAreRead(t *testing.T) {
	for name, body := range map[string]string{
		"OpenAI": `{"id":"chatcmpl-B9","object":"chat.completion","created":1741569952,"model":"gpt-x","choices":[{"index":0,"message":{"role":"assistant",
			"content":"Hi","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":10,
			"total_tokens":29,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},
			"service_tier":"default","system_fingerprint":"fp_1"}`,
		"Azure": `{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},"protected_material_text":{"filtered":false,"detected":false}},
			"finish_reason":"stop","index":0,"logprobs":null,"message":{"content":"Hi","refusal":null,"role":"assistant"}}],"created":1,"id":"chatcmpl-1",
			"model":"gpt-x","object":"chat.completion","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"jailbreak":{"filtered":false,"detected":false}}}],
			"system_fingerprint":null,"usage":{"completion_tokens":10,"prompt_tokens":19,"total_tokens":29}}`,
		"Ollama": `{"id":"chatcmpl-278","object":"chat.completion","created":1,"model":"gpt-x","system_fingerprint":"fp_ollama","choices":[{"index":0,
			"message":{"role":"assistant","content":"Hi","reasoning":"hm"},"finish_reason":"stop"}],"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29}}`,
		"vLLM": `{"id":"chatcmpl-f","object":"chat.completion","created":1,"model":"gpt-x","choices":[{"index":0,"message":{"role":"assistant","content":"Hi",
			"refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":[],"reasoning_content":null},"logprobs":null,"finish_reason":"stop",
			"stop_reason":null,"token_ids":null}],"service_tier":null,"usage":{"prompt_tokens":19,"total_tokens":29,"completion_tokens":10,"prompt_tokens_details":null},
			"prompt_logprobs":null,"kv_transfer_params":null}`,
		"llama.cpp": `{"choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"Hi"}}],"created":1,"model":"gpt-x","system_fingerprint":"b1",
			"object":"chat.completion","usage":{"completion_tokens":10,"prompt_tokens":19,"total_tokens":29},"id":"chatcmpl-a","timings":{"prompt_n":19,"predicted_ms":1.5}}`,
		"OpenRouter": `{"id":"gen-1","provider":"P","model":"gpt-x","object":"chat.completion","created":1,"choices":[{"logprobs":null,"finish_reason":"stop",
			"native_finish_reason":"end_turn","index":0,"message":{"role":"assistant","content":"Hi","refusal":null,"reasoning":null}}],
			"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"cost":0.0001}}`,
		"Gemini": `{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"Hi","role":"assistant"}}],"created":1,"id":"a","model":"gpt-x",
			"object":"chat.completion","usage":{"completion_tokens":10,"prompt_tokens":19,"total_tokens":29}}`,
		"Mistral, with thoughts": `{"id":"1","object":"chat.completion","model":"gpt-x","usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29},"created":1,
			"choices":[{"index":0,"message":{"role":"assistant","tool_calls":null,"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hi"}]},"finish_reason":"stop"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			got := ask(t, config.Target{BaseURL: modeltest.Serve(t, modeltest.JSON(body)).URL}, hello)
			got.Latency = 0
			want := model.Response{Text: "Hi", Finish: "stop", Model: "gpt-x", Usage: model.Usage{TokensIn: 19, TokensOut: 10}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Answer (-want +got):\n%s", diff)
			}
		})
	}
}
