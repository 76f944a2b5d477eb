package provider_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/wire"
)

func ptr[T any](v T) *T { return &v }

// full is a request with everything in it.
var full = model.Request{
	SuiteID: "s", CaseID: "c", Trial: 2, Provider: "openai", Model: "m",
	Messages:   []model.Message{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "a < b & \"c\"\u2028"}},
	Parameters: model.Parameters{Temperature: ptr(0.0), TopP: ptr(0.5), MaxTokens: ptr(20), ResponseFormat: "json_schema", JSONSchema: `{"name":"n","strict":true,"schema":{"type":"object"}}`},
}

func TestARequestIsWhatTheAPITakes(t *testing.T) {
	messages := `"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"a < b & \"c\"\u2028"}]`
	with := func(p model.Parameters) model.Request { r := full; r.Parameters = p; return r }
	for _, c := range []struct {
		rule string
		r    model.Request
		want string
	}{
		{"a temperature of 0 is sent, a schema in its envelope stays", full, `{"model":"m",` + messages + `,"temperature":0,"top_p":0.5,"max_tokens":20,` +
			`"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"object"}}}}`},
		{"what is not set is not sent", with(model.Parameters{}), `{"model":"m",` + messages + `}`},
		{"a bare schema gets an envelope", with(model.Parameters{ResponseFormat: "json_schema", JSONSchema: `{"type":"object"}`}),
			`{"model":"m",` + messages + `,"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}`},
		{"other formats have a type alone", with(model.Parameters{ResponseFormat: "json_object"}), `{"model":"m",` + messages + `,"response_format":{"type":"json_object"}}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
			ask(t, config.Target{BaseURL: server.URL}, c.r)
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

func TestASchemaThatIsNoJSONIsTheCandidatesOwn(t *testing.T) {
	r := full
	r.Parameters.JSONSchema = `{"type":`
	server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
	for _, target := range []config.Target{{}, {API: config.APIResponses}, {Provider: "anthropic"}} {
		target.BaseURL = server.URL
		got := ask(t, target, r)
		if got.Failure == nil || got.Failure.Reason != model.ReasonRejected || len(server.Requests()) > 0 {
			t.Errorf("%+v: Answer = %+v, want a rejected request that was not sent", target, got)
		}
	}
}

func TestAnAnswerIsReadWhole(t *testing.T) {
	server := modeltest.Serve(t, modeltest.Reply(200, modeltest.Completion(`{"a":"ü\n"}`), "Content-Type: application/json; charset=utf-8",
		"X-Ratelimit-Limit-Requests: 60", "X-Ratelimit-Remaining-Requests: 0", "X-Ratelimit-Reset-Requests: 1m0s"))
	got := ask(t, config.Target{BaseURL: server.URL}, hello)
	if got.Latency <= 0 {
		t.Error("Latency is missing")
	}
	got.Latency = 0
	want := model.Response{Text: "{\"a\":\"ü\\n\"}", Finish: "stop", Model: "m-2026", Usage: model.Usage{TokensIn: 11, TokensOut: 7}, Pause: 1e9}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Answer (-want +got):\n%s", diff)
	}
}

func TestABaseAddressIsCompletedAndTheKeyGoesWhereTheProviderWantsIt(t *testing.T) {
	for _, c := range []struct{ base, path, query, authorization, apiKey string }{
		{"", "/v1/chat/completions", "", "Bearer " + canary, ""},
		{"/", "/v1/chat/completions", "", "Bearer " + canary, ""},
		{"/v1/", "/v1/chat/completions", "", "Bearer " + canary, ""},
		{"/api/v1/chat/completions", "/api/v1/chat/completions", "", "Bearer " + canary, ""},
		{"/v1beta/openai", "/v1beta/openai/chat/completions", "", "Bearer " + canary, ""},
		{"/openai/deployments/d?api-version=2024-10-21", "/openai/deployments/d/chat/completions", "api-version=2024-10-21", "", canary},
	} {
		t.Run(c.base, func(t *testing.T) {
			server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
			ask(t, config.Target{BaseURL: server.URL + c.base}, full)
			got := server.Requests()[0]
			if got.Path != c.path || got.Query != c.query || got.Header.Get("Authorization") != c.authorization || got.Header.Get("Api-Key") != c.apiKey {
				t.Errorf("asked %s ? %s with %v, want %+v", got.Path, got.Query, got.Header, c)
			}
			if azure := c.query != ""; strings.Contains(string(got.Body), "max_completion_tokens") != azure {
				t.Errorf("sent %s", got.Body)
			}
		})
	}
}

func TestWithoutAKeyNoneIsSent(t *testing.T) {
	server := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("x")))
	c, err := provider.New(config.Target{BaseURL: server.URL, TimeoutSeconds: 5}, wire.Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Answer(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	h := server.Requests()[0].Header
	for _, name := range []string{"Authorization", "Api-Key", "X-Api-Key", "Cookie"} {
		if _, sent := h[http.CanonicalHeaderKey(name)]; sent {
			t.Errorf("%s is sent: %v", name, h)
		}
	}
}

func TestConnectionsAreKeptAndShared(t *testing.T) {
	const width, each = 8, 10
	server := modeltest.Serve(t, modeltest.TextStep(strings.ToUpper))
	c, err := provider.New(config.Target{BaseURL: server.URL, TimeoutSeconds: 20}, wire.Access{Key: canary})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var all sync.WaitGroup
	for range width {
		all.Go(func() {
			for range each {
				if got, err := c.Answer(t.Context(), hello); err != nil || got.Text != "HELLO" {
					t.Errorf("Answer = %+v, %v, want HELLO", got, err)
				}
			}
		})
	}
	all.Wait()
	from := map[string]bool{}
	for _, asked := range server.Requests() {
		from[asked.ClientAddr] = true
	}
	// A connection that is being made when another one becomes free is kept as well.
	if asked := len(server.Requests()); asked != width*each || len(from) > 2*width {
		t.Errorf("%d requests over %d connections, want %d over at most %d", asked, len(from), width*each, 2*width)
	}
}
