package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/redact"
)

func askAnthropic(t *testing.T, base string, r model.Request) model.Response {
	t.Helper()
	return ask(t, config.Target{Provider: "anthropic", BaseURL: base}, r)
}

func TestAnthropicARequestIsWhatTheAPITakes(t *testing.T) {
	r := model.Request{Model: "m",
		Messages: []model.Message{{Role: "system", Content: "One."}, {Role: "user", Content: "Two?"}, {Role: "assistant", Content: "Three."},
			{Role: "system", Content: "Four."}, {Role: "user", Content: "Five?"}},
		Parameters: model.Parameters{Temperature: new(0.0), TopP: new(0.5), MaxTokens: new(20), ResponseFormat: "json_schema",
			JSONSchema: `{"name":"n","schema":{"type":"object"}}`}}
	plain := r
	plain.Parameters = model.Parameters{ResponseFormat: "text"}
	bare := r
	bare.Parameters = model.Parameters{ResponseFormat: "json_schema", JSONSchema: `{"type":"array"}`}
	suites, over := r, plain
	suites.Parameters, suites.AnswerSchema, over.AnswerSchema = model.Parameters{}, `{"type":"object"}`, `{"type":"object"}`
	talk := `"system":[{"type":"text","text":"One."},{"type":"text","text":"Four."}],"messages":[{"role":"user","content":"Two?"},` +
		`{"role":"assistant","content":"Three."},{"role":"user","content":"Five?"}]`
	for _, c := range []struct {
		rule string
		r    model.Request
		want string
	}{
		{"a suite's schema", suites, `{"model":"m","max_tokens":4096,` + talk + `,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`},
		{"a prompt file's word comes before it", over, `{"model":"m","max_tokens":4096,` + talk + `}`},
		{"system messages stand apart, in their order, and a schema without its envelope", r, `{"model":"m","max_tokens":20,` + talk +
			`,"temperature":0,"top_p":0.5,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`},
		{"max_tokens is always sent", plain, `{"model":"m","max_tokens":4096,` + talk + `}`},
		{"a bare schema is sent as it is", bare, `{"model":"m","max_tokens":4096,` + talk + `,"output_config":{"format":{"type":"json_schema","schema":{"type":"array"}}}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.JSON(modeltest.Message("x")))
			askAnthropic(t, server.URL, c.r)
			var got, want any
			if err := json.Unmarshal(server.Requests()[0].Body, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnthropicTheAddressAndTheHeaders(t *testing.T) {
	for base, path := range map[string]string{"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/gateway/anthropic/": "/gateway/anthropic/v1/messages",
		"/v1/messages": "/v1/messages"} {
		server := modeltest.Serve(t, modeltest.JSON(modeltest.Message("x")))
		askAnthropic(t, server.URL+base, hello)
		got := server.Requests()[0]
		if got.Path != path || got.Header.Get("X-Api-Key") != canary || got.Header.Get("Anthropic-Version") != "2023-06-01" || got.Header.Get("Authorization") != "" {
			t.Errorf("base %q: asked %s with %v, want %s", base, got.Path, got.Header, path)
		}
	}
}

func TestAnthropicAnAnswerIsReadWhole(t *testing.T) {
	got := askAnthropic(t, modeltest.Serve(t, modeltest.JSON(modeltest.Message("Hi"))).URL, hello)
	got.Latency = 0
	want := model.Response{Text: "Hi", Finish: "end_turn", Model: "m-2026", Usage: model.Usage{TokensIn: 11, TokensOut: 7}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Answer (-want +got):\n%s", diff)
	}
}

func TestAnthropicWhatOneAttemptMakesOfAFault(t *testing.T) {
	message := func(content, stop string) string {
		return fmt.Sprintf(`{"type":"message","model":"m","content":%s,"stop_reason":%s,"usage":{"output_tokens":3}}`, content, stop)
	}
	fault := func(status int, kind, text string, headers ...string) modeltest.Step {
		return modeltest.Reply(status, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, text), headers...)
	}
	for _, c := range []struct {
		name    string
		step    modeltest.Step
		reason  string
		retry   *model.Retry
		stop    bool
		refused bool
		text    string
	}{
		{"P1: 429", fault(429, "rate_limit_error", "This request would exceed your rate limit", "Retry-After: 12"), "rate_limit", &model.Retry{After: 12 * time.Second}, false, false, ""},
		{"P4: no credit, which comes as 400", fault(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."), "quota", nil, true, false, ""},
		{"P4: a spending limit, which comes as 400", fault(400, "invalid_request_error", "You have reached your specified API usage limits."), "quota", nil, true, false, ""},
		{"P6: 401, without the key", fault(401, "authentication_error", "invalid x-api-key "+canary), "auth", nil, true, false, ""},
		{"P6: 403", fault(403, "permission_error", "Your API key does not have permission"), "auth", nil, true, false, ""},
		{"P7: too long", fault(400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"), "context_length", nil, false, false, ""},
		{"P7 P13: an answer that filled the window is cut", modeltest.JSON(message(`[{"type":"text","text":"x"}]`, `"model_context_window_exceeded"`)), "", nil, false, false, "x"},
		{"P8: a filter of answers", fault(400, "invalid_request_error", "Output blocked by content filtering policy"), "", nil, false, true, ""},
		{"P11 C416: a refusal with the part that came", modeltest.JSON(message(`[{"type":"text","text":"Once"}]`, `"refusal"`)), "", nil, false, true, "Once"},
		{"P11 C416: a refusal without text", modeltest.JSON(message(`[]`, `"refusal"`)), "", nil, false, true, ""},
		{"P13: max_tokens", modeltest.JSON(message(`[{"type":"text","text":"x"}]`, `"max_tokens"`)), "", nil, false, false, "x"},
		{"P14: no content", modeltest.JSON(message(`[]`, `"end_turn"`)), "protocol", &model.Retry{Max: 1}, false, false, ""},
		{"P15 C416: pause_turn", modeltest.JSON(message(`[{"type":"text","text":"x"}]`, `"pause_turn"`)), "unreadable", nil, false, false, ""},
		{"P15 C416: a stop reason that nobody knows", modeltest.JSON(message(`[{"type":"text","text":"x"}]`, `"later"`)), "unreadable", nil, false, false, ""},
		{"P15: no stop reason", modeltest.JSON(message(`[{"type":"text","text":"x"}]`, `null`)), "unreadable", nil, false, false, ""},
		{"P15: a call of a tool", modeltest.JSON(message(`[{"type":"tool_use","name":"f"}]`, `"tool_use"`)), "unreadable", nil, false, false, ""},
		{"P15: a block that is not text", modeltest.JSON(message(`[{"type":"text","text":"x"},{"type":"hologram"}]`, `"end_turn"`)), "unreadable", nil, false, false, ""},
		{"thoughts are not the answer, blocks are joined", modeltest.JSON(message(`[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"b"}]`, `"stop_sequence"`)), "", nil, false, false, "ab"},
		{"P16 C406: 529", fault(529, "overloaded_error", "Overloaded"), "server", &model.Retry{}, false, false, ""},
		{"P16: 500", fault(500, "api_error", "Internal server error"), "server", &model.Retry{}, false, false, ""},
		{"P16: 504", fault(504, "timeout_error", "Request timed out"), "timeout", &model.Retry{Max: 1}, false, false, ""},
		{"P27: an error with 200", fault(200, "overloaded_error", "Overloaded"), "server", &model.Retry{}, false, false, ""},
		{"another provider's answer is none", modeltest.JSON(modeltest.Completion("x")), "protocol", &model.Retry{Max: 1}, false, false, ""},
		{"no such model", fault(404, "not_found_error", "model: x"), "not_found", nil, false, false, ""},
		{"a request that is bad", fault(400, "invalid_request_error", "messages: at least one message is required"), "rejected_request", nil, false, false, ""},
		{"a request that is too large", fault(413, "request_too_large", "Request exceeds the maximum size"), "rejected_request", nil, false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := askAnthropic(t, modeltest.Serve(t, c.step).URL, hello)
			f := model.Failure{}
			if got.Failure != nil {
				f = *got.Failure
			}
			refused := got.Refusal != "" || model.EndingOf(got.Finish) == model.EndingRefused
			if (got.Failure != nil) != (c.reason != "") || f.Reason != c.reason || f.StopsTarget != c.stop || refused != c.refused || string(got.Text) != c.text {
				t.Errorf("Answer = %+v, failure %+v, want %+v", got, f, c)
			}
			if diff := cmp.Diff(c.retry, f.Retry); diff != "" {
				t.Errorf("Retry (-want +got):\n%s", diff)
			}
			if strings.Contains(fmt.Sprintf("%+v %+v", got, f), canary) {
				t.Errorf("Answer tells the key: %+v %+v", got, f)
			}
		})
	}
}

func TestJSONWithoutASchemaIsNotToBeHad(t *testing.T) {
	server := modeltest.Serve(t, modeltest.JSON(modeltest.Message("x")))
	r := hello
	r.Parameters.ResponseFormat = "json_object"
	got := askAnthropic(t, server.URL, r)
	if got.Failure == nil || got.Failure.Reason != model.ReasonRejected || len(server.Requests()) > 0 {
		t.Errorf("Answer = %+v, want a rejected request that was not sent", got)
	}
}

func TestAnthropicATokenOfACloudGoesAsABearerToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(canary), 0o600); err != nil {
		t.Fatal(err)
	}
	server := modeltest.Serve(t, modeltest.JSON(modeltest.Message("Hi")))
	c, err := provider.New(config.Target{Provider: "anthropic", BaseURL: server.URL, TimeoutSeconds: 20},
		wire.Access{KeyFile: wire.NewKeyFile(path, &redact.Learned{}), Header: http.Header{"Anthropic-Beta": {"x"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got, err := c.Answer(t.Context(), hello); err != nil || got.Text != "Hi" {
		t.Fatalf("Answer = %+v, %v", got, err)
	}
	h := server.Requests()[0].Header
	if h.Get("Authorization") != "Bearer "+canary || h.Get("X-Api-Key") != "" || h.Get("Anthropic-Beta") != "x" || h.Get("Anthropic-Version") == "" {
		t.Errorf("sent %v", h)
	}
}
