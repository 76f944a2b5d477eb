package application_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/application"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/model/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const canary = "app-canary-9f8e7d6c5b4a"

const whole = `body: { q: "{{ prompt }}", user: "{{ vars.user }}" }
    answer: { text: response.json.reply, refusal: response.json.declined, finish_reason: response.json.why, model: response.json.model, usage: response.json.usage }`

// target is an application as a configuration has it.
func target(t *testing.T, url, rest string) config.Target {
	t.Helper()
	text := "version: 1\ntargets:\n  app:\n    provider: http\n    url: " + url + "\n    timeout: 20s\n    " + rest + "\n"
	c, faults := config.Load(fstest.MapFS{"failproof.yml": {Data: []byte(text)}}, "failproof.yml")
	if c == nil {
		t.Fatalf("configuration: %v", faults)
	}
	return c.Targets["app"]
}

func ask(t *testing.T, target config.Target, r model.Request) model.Response {
	t.Helper()
	c, err := application.New(target, wire.Access{Key: canary, Header: http.Header{"X-Tenant": {"acme"}, "X-Token": {canary + "2"}}, Secrets: []string{canary + "2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	got, err := c.Answer(t.Context(), r)
	if err != nil {
		t.Fatalf("Answer: %v", err)
	}
	return got
}

var hello = model.Request{Messages: []model.Message{{Role: "user", Content: "Say \"hi\"\n"}}, Vars: map[string]string{"user": "u-1"}}

func TestAnApplicationIsSentWhatItsConfigurationSays(t *testing.T) {
	server := modeltest.Serve(t, modeltest.JSON(`{"reply":"Hi","model":"shop-7","why":"stop","usage":{"input_tokens":9,"output_tokens":"2","cost_usd":0.25}}`))
	got := ask(t, target(t, server.URL+"/v1/chat?tenant=acme", "method: PUT\n    "+whole), hello)
	if got.Latency <= 0 {
		t.Error("Latency is missing")
	}
	got.Latency = 0
	want := model.Response{Text: "Hi", Model: "shop-7", Finish: "stop", Usage: model.Usage{TokensIn: 9, TokensOut: 2, Cost: model.USD(0.25)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Answer (-want +got):\n%s", diff)
	}
	asked := server.Requests()[0]
	h := asked.Header
	if asked.Path != "/v1/chat" || asked.Query != "tenant=acme" || h.Get("Authorization") != "Bearer "+canary || h.Get("X-Tenant") != "acme" ||
		h.Get("X-Token") != canary+"2" || h.Get("Content-Type") != "application/json" {
		t.Errorf("asked %s ? %s with %v", asked.Path, asked.Query, h)
	}
	if body := string(asked.Body); body != `{"q":"Say \"hi\"\n","user":"u-1"}` {
		t.Errorf("sent %s", body)
	}
}

// The rows are those of the fault table of endpoints that an application has as well.
func TestWhatOneAttemptMakesOfAnApplicationsAnswer(t *testing.T) {
	type want struct {
		reason  string
		retry   int // -1 as often as the caller likes
		after   time.Duration
		stop    bool
		refused bool
		text    string
		says    string
	}
	protocol := want{reason: "protocol", retry: 1}
	for _, c := range []struct {
		rule string
		step modeltest.Step
		want want
	}{
		{"an answer", modeltest.JSON(`{"reply":"Hi"}`), want{text: "Hi"}},
		{"what was created is one", modeltest.Reply(201, `{"reply":"Hi"}`), want{text: "Hi"}},
		{"an empty one", modeltest.JSON(`{"reply":""}`), want{}},
		{"a number", modeltest.JSON(`{"reply":7}`), want{text: "7"}},
		{"an object is its JSON", modeltest.JSON(`{"reply":{"b":[1,2.5],"a":"<x>"}}`), want{text: `{"a":"<x>","b":[1,2.5]}`}},
		{"no answer where it is looked for", modeltest.JSON(`{"answer":"Hi"}`), want{reason: "protocol", retry: 1, says: "response.json.reply"}},
		{"null is none", modeltest.JSON(`{"reply":null}`), protocol},
		{"a list has no such part", modeltest.JSON(`["Hi"]`), want{reason: "protocol", retry: 1, says: "has no value in the response"}},
		{"a refusal", modeltest.JSON(`{"declined":"I can't."}`), want{refused: true, text: "I can't.", says: "I can't."}},
		{"a filter", modeltest.JSON(`{"reply":"x","why":"content_filter"}`), want{refused: true, text: "x"}},
		{"a length", modeltest.JSON(`{"reply":"x","why":"length"}`), want{text: "x"}},
		{"a finish reason that nobody knows", modeltest.JSON(`{"reply":"x","why":"boredom"}`), want{reason: "unreadable", says: "boredom"}},
		{"usage that cannot be read was not told", modeltest.JSON(`{"reply":"x","usage":[1]}`), want{text: "x"}},
		{"P1: 429 with a time", modeltest.Reply(429, `{"detail":"slow down"}`, "Retry-After: 7"), want{reason: "rate_limit", retry: -1, after: 7 * time.Second}},
		{"P6: 401 stops, without the key", modeltest.Reply(401, `{"detail":"no such token `+canary+`2, Bearer `+canary+`"}`),
			want{reason: "auth", stop: true, says: "no such token [redacted], Bearer [redacted]"}},
		{"403 stops", modeltest.Reply(403, `{}`), want{reason: "auth", stop: true}},
		{"404", modeltest.Reply(404, `{}`), want{reason: "not_found"}},
		{"422 of a server in Python", modeltest.Reply(422, `{"detail":[{"loc":["body","q"],"msg":"field required"}]}`), want{reason: "rejected_request", says: "field required"}},
		{"P16: 503", modeltest.Reply(503, `down`, "Content-Type: text/plain"), want{reason: "server", retry: -1}},
		{"an error with 200 is one", modeltest.JSON(`{"error":"the index is not built","reply":"x"}`), want{reason: "server", retry: -1, says: "the index is not built"}},
		{"P17: a reset in the body", modeltest.Raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"reply\":\"abc", true), want{reason: "transport", retry: -1}},
		{"P19: a body that ends early", modeltest.Raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"reply\":\"abc", false), want{reason: "protocol", retry: 1, says: "ends too early"}},
		{"P22: 50 MB", modeltest.Flood("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", strings.Repeat("[", 1<<16), 800), want{reason: "oversize"}},
		{"P22: few bytes that unpack to 200 MiB", modeltest.ZipBombStep(200), want{reason: "oversize"}},
		{"P26: HTML with 200", modeltest.Reply(200, "<html>Log in", "Content-Type: text/html"), want{reason: "protocol", retry: 1, says: `"text/html" instead of JSON: "<html>Log in`}},
		{"a key twice", modeltest.JSON(`{"reply":"x","reply":"y"}`), protocol},
		{"two answers", modeltest.JSON(`{"reply":"x"}{"reply":"y"}`), protocol},
		{"204", modeltest.Raw("HTTP/1.1 204 No Content\r\n\r\n", false), protocol},
	} {
		t.Run(c.rule, func(t *testing.T) {
			server := modeltest.Serve(t, c.step)
			got := ask(t, target(t, server.URL, whole), hello)
			is := want{text: string(got.Text), says: c.want.says, refused: got.Failure == nil && (got.Refusal != "" || model.EndingOf(got.Finish) == model.EndingRefused)}
			said := string(got.Refusal)
			if f := got.Failure; f != nil {
				is.reason, is.stop, said = f.Reason, f.StopsTarget, string(f.Message)
				if f.Retry != nil {
					if is.retry, is.after = f.Retry.Max, f.Retry.After; is.retry == 0 {
						is.retry = -1
					}
				}
			}
			if is != c.want {
				t.Errorf("Answer is %+v (%s)\nwant %+v", is, said, c.want)
			}
			if !strings.Contains(said, c.want.says) || strings.Contains(said, canary) {
				t.Errorf("it says %q, want %q", said, c.want.says)
			}
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func TestAnApplicationThatTakesTooLong(t *testing.T) {
	for name, step := range map[string]modeltest.Step{"never a byte": modeltest.NeverStep, "a byte at a time": modeltest.DripStep(100 * time.Millisecond)} {
		slow := target(t, modeltest.Serve(t, step).URL, whole)
		slow.TimeoutSeconds = 0.2
		got := ask(t, slow, hello)
		if got.Failure == nil || got.Failure.Reason != model.ReasonTimeout || got.Failure.LimitSeconds != 0.2 || !got.MayCost {
			t.Errorf("%s: %+v, want a timeout", name, got.Failure)
		}
	}
}

func TestNoKeyGoesAlongARedirect(t *testing.T) {
	evil := modeltest.Serve(t, modeltest.JSON(`{"reply":"x"}`))
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{evil.URL + "/secret-path", "/elsewhere"} {
			server := modeltest.Serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) })
			got := ask(t, target(t, server.URL, whole), hello)
			if got.Failure == nil || got.Failure.Reason != model.ReasonProtocol || got.Failure.Retry != nil || strings.Contains(string(got.Failure.Message), "secret-path") {
				t.Errorf("%d to %s: %+v, want a fault of the protocol", status, to, got.Failure)
			}
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d to %s: %d requests", status, to, n)
			}
		}
	}
	if n := len(evil.Requests()); n > 0 {
		t.Errorf("the other host was asked %d times", n)
	}
}

func TestHalfAPromptIsNotSent(t *testing.T) {
	server := modeltest.Serve(t, modeltest.JSON(`{"reply":"x"}`))
	r := hello
	r.Messages = append([]model.Message{{Role: "system", Content: "Be exact."}}, r.Messages...)
	got := ask(t, target(t, server.URL, whole), r)
	if got.Failure == nil || got.Failure.Reason != model.ReasonRejected || !strings.Contains(string(got.Failure.Message), "system") || len(server.Requests()) > 0 {
		t.Errorf("Answer = %+v, want a rejected request that is not sent", got)
	}
}

func TestTheEndOfTheRunIsNoFaultOfTheApplication(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	c, err := application.New(target(t, server.URL, whole), wire.Access{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Answer(ctx, hello); !errors.Is(err, context.Canceled) {
		t.Errorf("Answer: %v, want %v", err, context.Canceled)
	}
}
