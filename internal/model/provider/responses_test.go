package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/redact"
)

// said is an answer of Responses with a status and an output.
func said(status, output string) string {
	return fmt.Sprintf(`{"id":"resp_1","object":"response","created_at":1,"status":%q,"error":null,"incomplete_details":null,"instructions":null,"model":"m-2026",`+
		`"output":[%s],"parallel_tool_calls":true,"store":false,"text":{"format":{"type":"text"}},"usage":{"input_tokens":11,"input_tokens_details":{"cached_tokens":0},`+
		`"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":18}}`, status, output)
}

func spoken(text string) string {
	return `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"` + text + `","annotations":[]}]}`
}

func TestWhatResponsesAnswers(t *testing.T) {
	incomplete := func(reason, output string) string {
		return strings.Replace(said("incomplete", output), `"incomplete_details":null`, `"incomplete_details":{"reason":"`+reason+`"}`, 1)
	}
	for _, c := range []struct {
		rule, body           string
		reason, text, finish string
		refused, again       bool
	}{
		{"a text", said("completed", spoken("Hi")), "", "Hi", "completed", false, false},
		{"thoughts are not part of it", said("completed", `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}]},`+spoken("Hi")), "", "Hi", "completed", false, false},
		{"several texts are one", said("completed", spoken("a")+","+spoken("b")), "", "ab", "completed", false, false},
		{"an empty text is an answer", said("completed", spoken("")), "", "", "completed", false, false},
		{"a refusal", said("completed", `{"type":"message","content":[{"type":"refusal","refusal":"I can't."}]}`), "", "I can't.", "completed", true, false},
		{"a cut answer is one", incomplete("max_output_tokens", spoken("Once upon")), "", "Once upon", "max_output_tokens", false, false},
		{"thoughts that used up all tokens", incomplete("max_output_tokens", `{"type":"reasoning"}`), "", "", "max_output_tokens", false, false},
		{"a filter keeps the part that came", incomplete("content_filter", spoken("Once")), "", "Once", "content_filter", true, false},
		{"a call of a tool", said("completed", `{"type":"function_call","name":"f","arguments":"{}"}`), model.ReasonUnreadable, "", "", false, false},
		{"a part that is not text", said("completed", `{"type":"message","content":[{"type":"output_image"}]}`), model.ReasonUnreadable, "", "", false, false},
		{"a status that is no end", said("in_progress", spoken("Hi")), model.ReasonUnreadable, "", "", false, false},
		{"no output", said("completed", ""), model.ReasonProtocol, "", "", false, true},
		{"a completion is no response", modeltest.Completion("Hi"), model.ReasonProtocol, "", "", false, true},
		{"a failure says why", strings.Replace(said("failed", ""), `"error":null`, `"error":{"code":"rate_limit_exceeded","message":"slow down"}`, 1), model.ReasonRateLimit, "", "", false, true},
		{"and one that does not is none that is known", said("failed", ""), model.ReasonUnreadable, "", "", false, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := ask(t, config.Target{BaseURL: modeltest.Serve(t, modeltest.JSON(c.body)).URL, API: config.APIResponses}, hello)
			reason, again := "", false
			if got.Failure != nil {
				reason, again = got.Failure.Reason, got.Failure.Retry != nil
			}
			refused := got.Refusal != "" || model.EndingOf(got.Finish) == model.EndingRefused
			if reason != c.reason || string(got.Text) != c.text || got.Finish != c.finish || refused != c.refused || again != c.again {
				t.Errorf("Answer = %+v (failure %+v), want %+v", got, got.Failure, c)
			}
			if reason == "" && (got.Model != "m-2026" || got.Usage.TokensIn != 11 || got.Usage.TokensOut != 7) {
				t.Errorf("model %q, usage %+v", got.Model, got.Usage)
			}
		})
	}
}

func TestWhatATargetsOwnSettingsSend(t *testing.T) {
	seed := 0
	schema := hello
	schema.AnswerSchema = `{"type":"object"}`
	own := schema
	own.Parameters = model.Parameters{ResponseFormat: "json_schema", JSONSchema: `{"name":"mine","strict":true,"schema":{"type":"array"}}`}
	text := schema
	text.Parameters = model.Parameters{ResponseFormat: "text"}
	limited := hello
	limited.Parameters = model.Parameters{MaxTokens: new(int)}
	const messages = `"messages":[{"role":"user","content":"Hello"}]`
	const input = `"input":[{"role":"user","content":"Hello"}],"store":false`
	for _, c := range []struct {
		rule   string
		target config.Target
		r      model.Request
		path   string
		want   string
	}{
		{"nothing that is not set", config.Target{}, hello, "/v1/chat/completions", `{"model":"m",` + messages + `}`},
		{"reasoning, seed 0 and stops", config.Target{ReasoningEffort: "low", Seed: &seed, Stop: []string{"END"}}, hello, "/v1/chat/completions",
			`{"model":"m",` + messages + `,"reasoning_effort":"low","seed":0,"stop":["END"]}`},
		{"what is added", config.Target{ExtraBody: `{"top_k":5,"provider":{"order":["a"]}}`}, hello, "/v1/chat/completions",
			`{"model":"m",` + messages + `,"top_k":5,"provider":{"order":["a"]}}`},
		{"what is added takes no place of ours", config.Target{ExtraBody: `{"model":"other","messages":[]}`}, hello, "/v1/chat/completions", `{"model":"m",` + messages + `}`},
		{"a suite's schema", config.Target{}, schema, "/v1/chat/completions",
			`{"model":"m",` + messages + `,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}`},
		{"a prompt file's comes before it", config.Target{}, own, "/v1/chat/completions",
			`{"model":"m",` + messages + `,"response_format":{"type":"json_schema","json_schema":{"name":"mine","strict":true,"schema":{"type":"array"}}}}`},
		{"and so does its word that there is none", config.Target{}, text, "/v1/chat/completions", `{"model":"m",` + messages + `,"response_format":{"type":"text"}}`},
		{"Responses", config.Target{API: config.APIResponses, ReasoningEffort: "high", ExtraBody: `{"metadata":{"a":"b"}}`}, limited, "/v1/responses",
			`{"model":"m",` + input + `,"max_output_tokens":0,"reasoning":{"effort":"high"},"metadata":{"a":"b"}}`},
		{"a schema has no envelope there", config.Target{API: config.APIResponses}, schema, "/v1/responses",
			`{"model":"m",` + input + `,"text":{"format":{"type":"json_schema","name":"answer","schema":{"type":"object"}}}}`},
		{"one that a prompt file has in one loses it", config.Target{API: config.APIResponses}, own, "/v1/responses",
			`{"model":"m",` + input + `,"text":{"format":{"type":"json_schema","name":"mine","strict":true,"schema":{"type":"array"}}}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			answer := modeltest.Completion("x")
			if c.target.API != "" {
				answer = said("completed", spoken("x"))
			}
			server := modeltest.Serve(t, modeltest.JSON(answer))
			c.target.BaseURL = server.URL
			if got := ask(t, c.target, c.r); got.Text != "x" {
				t.Fatalf("Answer = %+v", got)
			}
			var got, want any
			if err := json.Unmarshal(server.Requests()[0].Body, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" || server.Requests()[0].Path != c.path {
				t.Errorf("sent to %s (-want +got):\n%s", server.Requests()[0].Path, diff)
			}
		})
	}
}

func TestATokenOfACloudGoesAsABearerToken(t *testing.T) {
	path := t.TempDir() + "/token"
	writeFile(t, path, canary)
	for _, base := range []string{"", "/openai/deployments/d?api-version=2024-10-21"} {
		server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
		c, err := provider.New(config.Target{BaseURL: server.URL + base, TimeoutSeconds: 20}, wire.Access{KeyFile: wire.NewKeyFile(path, &redact.Learned{})})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if got, err := c.Answer(t.Context(), hello); err != nil || got.Text != "x" {
			t.Fatalf("Answer = %+v, %v", got, err)
		}
		h := server.Requests()[0].Header
		if h.Get("Authorization") != "Bearer "+canary || h.Get("Api-Key") != "" {
			t.Errorf("%q: sent %v", base, h)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
