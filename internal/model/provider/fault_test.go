package provider_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/modeltest"
	"github.com/failproof/failproof/internal/model/provider"
	"github.com/failproof/failproof/internal/model/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const canary = "sk-canary-9f8e7d6c5b4a"

func ask(t *testing.T, target config.Target, r model.Request) model.Response {
	t.Helper()
	if target.TimeoutSeconds == 0 {
		target.TimeoutSeconds = 20
	}
	c, err := provider.New(target, wire.Access{Key: canary})
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

var hello = model.Request{Model: "m", Messages: []model.Message{{Role: "user", Content: "Hello"}}}

// The rows are those of the fault tables that one attempt decides.
func TestWhatOneAttemptMakesOfAFault(t *testing.T) {
	completion := func(message, finish string) string {
		return fmt.Sprintf(`{"model":"m","choices":[{"message":%s,"finish_reason":%q}]}`, message, finish)
	}
	type want struct {
		reason  string        // of the failure; "" if there is none
		retry   int           // how often to ask again: -1 as often as the caller likes, 0 never
		after   time.Duration // at the earliest
		stop    bool
		refused bool
		text    string
		says    string // in the failure's message or the refusal
	}
	limit, protocol := `{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, want{reason: "protocol", retry: 1}
	for _, c := range []struct {
		name string
		step modeltest.Step
		want want
	}{
		{"P1 C401: 429 with seconds waits for them", modeltest.Reply(429, limit, "Retry-After: 7"), want{reason: "rate_limit", retry: -1, after: 7 * time.Second, says: "HTTP 429 rate_limit_exceeded: slow down"}},
		{"P1: milliseconds come before seconds", modeltest.Reply(429, limit, "Retry-After: 7", "Retry-After-Ms: 1500"), want{reason: "rate_limit", retry: -1, after: 1500 * time.Millisecond}},
		{"P1: seconds may have a fraction", modeltest.Reply(429, limit, "Retry-After: 0.25"), want{reason: "rate_limit", retry: -1, after: 250 * time.Millisecond}},
		{"P2 C402: 429 without a header is asked again", modeltest.Reply(429, limit), want{reason: "rate_limit", retry: -1}},
		{"P3 C403: a day is a day", modeltest.Reply(429, limit, "Retry-After: 86400"), want{reason: "rate_limit", retry: -1, after: 24 * time.Hour}},
		{"P3 C403: -5 is now", modeltest.Reply(429, limit, "Retry-After: -5"), want{reason: "rate_limit", retry: -1}},
		{"P3 C403: NaN says nothing", modeltest.Reply(429, limit, "Retry-After: NaN"), want{reason: "rate_limit", retry: -1}},
		{"P3 C403: 1e99 is a year", modeltest.Reply(429, limit, "Retry-After: 1e99"), want{reason: "rate_limit", retry: -1, after: 365 * 24 * time.Hour}},
		{"P3 C403: a date that is over is now", modeltest.Reply(429, limit, "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT"), want{reason: "rate_limit", retry: -1}},
		{"P3 C403: 2100 is a year", modeltest.Reply(429, limit, "Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"), want{reason: "rate_limit", retry: -1, after: 365 * 24 * time.Hour}},
		{"P3 C403: garbage says nothing", modeltest.Reply(429, limit, "Retry-After: soon"), want{reason: "rate_limit", retry: -1}},
		{"P4 C404: a quota is no limit that passes", modeltest.Reply(429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`),
			want{reason: "quota", stop: true, says: "insufficient_quota"}},
		{"P4: no credits", modeltest.Reply(402, `{"error":{"code":402,"message":"Insufficient credits. Add more using https://openrouter.ai/credits"}}`), want{reason: "quota", stop: true}},
		{"P4: a spending limit", modeltest.Reply(429, `{"error":{"message":"Billing hard limit has been reached","code":"billing_hard_limit_reached"}}`), want{reason: "quota", stop: true}},
		{"P6 C405: 401 stops, without the key", modeltest.Reply(401, `{"error":{"message":"Incorrect API key provided: `+canary+`.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`),
			want{reason: "auth", stop: true, says: "Incorrect API key provided: [redacted]"}},
		{"P6: 403 stops", modeltest.Reply(403, `{"error":{"message":"Country not supported","code":"unsupported_country_region_territory"}}`), want{reason: "auth", stop: true}},
		{"P7 C418: context_length_exceeded", modeltest.Reply(400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`), want{reason: "context_length"}},
		{"P7: vLLM says it in words", modeltest.Reply(400, `{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 4000 tokens","type":"BadRequestError","param":null,"code":400}`), want{reason: "context_length"}},
		{"P7: llama.cpp has a type of its own", modeltest.Reply(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":4}}`), want{reason: "context_length"}},
		{"P8 C417: Azure's filter of prompts", modeltest.Reply(400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":true,"severity":"high"}}}}}`),
			want{refused: true, says: "content management policy"}},
		{"P8: content_policy_violation", modeltest.Reply(400, `{"error":{"message":"no","code":"content_policy_violation"}}`), want{refused: true}},
		{"P8: invalid_prompt", modeltest.Reply(400, `{"error":{"message":"Invalid prompt: we've limited access to this content for safety reasons.","code":"invalid_prompt"}}`), want{refused: true}},
		{"P8: cyber_policy", modeltest.Reply(400, `{"error":{"message":"no","code":"cyber_policy"}}`), want{refused: true}},
		{"P8: a message that says blocked", modeltest.Reply(400, `{"error":{"message":"Your request was blocked."}}`), want{refused: true}},
		{"P8: OpenRouter's moderation", modeltest.Reply(403, `{"error":{"code":403,"message":"Input was refused","metadata":{"reasons":["violence"],"flagged_input":"…","provider_name":"x"}}}`), want{refused: true}},
		{"P9 C417: a filter's finish keeps the part that came", modeltest.JSON(completion(`{"content":"Once upon"}`, "content_filter")), want{refused: true, text: "Once upon"}},
		{"P10 C415: a refusal without content", modeltest.JSON(completion(`{"content":null,"refusal":"I can't help."}`, "stop")), want{refused: true, text: "I can't help.", says: "I can't help."}},
		{"C415: a refusal with content", modeltest.JSON(completion(`{"content":"Sorry.","refusal":"I can't help."}`, "stop")), want{refused: true, text: "Sorry."}},
		{"P12: Gemini's SAFETY", modeltest.JSON(`{"model":"m","choices":[{"finish_reason":"SAFETY"}]}`), want{refused: true}},
		{"P12: Gemini's compatible endpoint", modeltest.JSON(`{"choices":[{"finish_reason":"content_filter: PROHIBITED_CONTENT","index":0,"message":{"role":"assistant"}}]}`), want{refused: true}},
		{"P12: a prompt that Gemini blocks", modeltest.JSON(`{"choices":[],"promptFeedback":{"blockReason":"SAFETY"}}`), want{refused: true, says: "SAFETY"}},
		{"P12: Bedrock's guardrail behind a gateway", modeltest.JSON(completion(`{"content":"Blocked."}`, "guardrail_intervened")), want{refused: true, text: "Blocked."}},
		{"P13 C419: a cut answer is one", modeltest.JSON(completion(`{"content":"Once upon"}`, "length")), want{text: "Once upon"}},
		{"P13: thoughts that used up all tokens", modeltest.JSON(completion(`{"role":"assistant"}`, "length")), want{}},
		{"P14 C414: no choices", modeltest.JSON(`{"choices":[]}`), protocol},
		{"P14 C414: a choice without message", modeltest.JSON(`{"choices":[{}]}`), protocol},
		{"P14 C414: content null", modeltest.JSON(completion(`{"content":null}`, "stop")), protocol},
		{"C414: an empty text that stopped is an answer", modeltest.JSON(completion(`{"content":""}`, "stop")), want{}},
		{"P15: a finish reason that nobody knows", modeltest.JSON(completion(`{"content":"x"}`, "déjà\u202evu")), want{reason: "unreadable", says: `"d\u00e9j\u00e0\u202evu"`}},
		{"P15: a finish reason of null", modeltest.JSON(`{"choices":[{"message":{"content":"x"},"finish_reason":null}]}`), want{text: "x"}},
		{"P15: no finish reason", modeltest.JSON(`{"choices":[{"message":{"content":"x"}}]}`), want{text: "x"}},
		{"P15: no finish reason and no content", modeltest.JSON(`{"choices":[{"message":{"content":null},"finish_reason":null}]}`), want{reason: "unreadable"}},
		{"P15: no finish reason and nothing in it", modeltest.JSON(`{"choices":[{"message":{"content":""}}]}`), want{reason: "unreadable"}},
		{"P15: no finish reason and a tool that was not offered", modeltest.JSON(`{"choices":[{"message":{"content":"x","tool_calls":[{"function":{"name":"f"}}]}}]}`), want{reason: "unreadable"}},
		{"P15: a call of a tool", modeltest.JSON(completion(`{"content":null,"tool_calls":[{"id":"1"}]}`, "tool_calls")), want{reason: "unreadable", says: "tool_calls"}},
		{"P15: a call of a tool that says it stopped", modeltest.JSON(completion(`{"content":"x","tool_calls":[{"id":"1"}]}`, "stop")), want{reason: "unreadable", says: "tool"}},
		{"P15: a part that is not text", modeltest.JSON(completion(`{"content":[{"type":"image_url"}]}`, "stop")), want{reason: "unreadable"}},
		{"P15: parts of text and thoughts", modeltest.JSON(completion(`{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "stop")), want{text: "ab"}},
		{"P16 C406: 500", modeltest.Reply(500, `{"error":{"message":"oops","type":"server_error"}}`), want{reason: "server", retry: -1}},
		{"P16 C406: 502 in HTML", modeltest.Reply(502, "<html>\x1b[31m502 Bad Gateway</html>", "Content-Type: text/html"), want{reason: "server", retry: -1, says: `HTTP 502: "<html>\x1b[31m502`}},
		{"P16 C406: 503 with a time", modeltest.Reply(503, ``, "Retry-After: 3"), want{reason: "server", retry: -1, after: 3 * time.Second}},
		{"P16 C406: 529", modeltest.Reply(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), want{reason: "server", retry: -1}},
		{"P16: 520 of Cloudflare", modeltest.Reply(520, ``), want{reason: "server", retry: -1}},
		{"P16: 409", modeltest.Reply(409, `{"error":{"message":"conflict"}}`), want{reason: "server", retry: -1}},
		{"P16: 408 took too long", modeltest.Reply(408, ``), want{reason: "timeout", retry: 1}},
		{"P16: 504 took too long", modeltest.Reply(504, ``), want{reason: "timeout", retry: 1}},
		{"P16: x-should-retry false is heeded", modeltest.Reply(503, ``, "X-Should-Retry: false"), want{reason: "server"}},
		{"P16: x-should-retry true is heeded", modeltest.Reply(400, `{"error":{"message":"x"}}`, "X-Should-Retry: true"), want{reason: "rejected_request", retry: -1}},
		{"P17 C407: a reset in the body", modeltest.Raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"abcdef", true), want{reason: "transport", retry: -1}},
		{"P18: a body that is shorter than it says", modeltest.Raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"choices\":", false), want{reason: "transport", retry: -1}},
		{"P19 C408: a body that ends early and said no length", modeltest.Raw("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{\"choices\":[{\"mess", false), want{reason: "protocol", retry: 1, says: "ends too early"}},
		{"P22 C411: 50 MB", modeltest.Flood("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", strings.Repeat("[", 1<<16), 800), want{reason: "oversize"}},
		{"P22 C411: few bytes that unpack to 200 MiB", modeltest.ZipBombStep(200), want{reason: "oversize"}},
		{"P22 C412: a header of 20 MB", modeltest.Flood("HTTP/1.1 200 OK\r\nX: ", strings.Repeat("a", 1<<16), 320), want{reason: "protocol", says: "headers exceeded"}},
		{"P23 C420: no UTF-8", modeltest.JSON(completion("{\"content\":\"\xff\"}", "stop")), protocol},
		{"P23 C420: half of a surrogate pair", modeltest.JSON(completion(`{"content":"\ud800"}`, "stop")), protocol},
		{"C420: NUL", modeltest.JSON(completion(`{"content":"\u0000"}`, "stop")), protocol},
		{"C420: a byte order mark", modeltest.JSON("\ufeff" + modeltest.Completion("x")), protocol},
		{"P24 C421: NaN", modeltest.JSON(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":NaN}}`), protocol},
		{"P24 C421: 1e400", modeltest.JSON(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"score":1e400}`), protocol},
		{"C421: two answers", modeltest.JSON(modeltest.Completion("x") + modeltest.Completion("y")), protocol},
		{"C421: a key twice", modeltest.JSON(`{"choices":[],"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`), protocol},
		{"C421: 20,000 brackets", modeltest.JSON(strings.Repeat("[", 20000)), protocol},
		{"C421: null, a list and a text are no completions", modeltest.JSON(`null`), protocol},
		{"P25 C431: logprobs are not read", modeltest.JSON(`{"choices":[{"message":{"content":"x"},"finish_reason":"stop","logprobs":{"content":[{"token":"x","logprob":-9999},{"logprob":"NaN"},null]}}]}`), want{text: "x"}},
		{"P26 C422: HTML with 200", modeltest.Reply(200, "<html>Log in"+strings.Repeat("!", 200), "Content-Type: text/html"), want{reason: "protocol", retry: 1, says: `"text/html" instead of JSON: "<html>Log in!`}},
		{"P27: an error with 200 is one", modeltest.JSON(`{"error":{"message":"Rate limited","code":429}}`), want{reason: "rate_limit", retry: -1}},
		{"P27: an error of an upstream with 200", modeltest.JSON(`{"error":{"message":"boom"},"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`), want{reason: "server", retry: -1, says: "boom"}},
		{"P27: an error in a choice", modeltest.JSON(`{"choices":[{"error":{"code":502,"message":"upstream"},"finish_reason":"error","message":{"content":"half"}}]}`), want{reason: "server", retry: -1}},
		{"P27: an error that is null is none", modeltest.JSON(`{"error":null,"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`), want{text: "x"}},
		{"C422: an error without a message", modeltest.JSON(`{"error":{}}`), protocol},
		{"C422: 204", modeltest.Raw("HTTP/1.1 204 No Content\r\n\r\n", false), protocol},
		{"C422: 206", modeltest.Reply(206, modeltest.Completion("x")), protocol},
		{"C422: informational answers without end", modeltest.Flood("", "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=x\r\n\r\n", 100000), want{reason: "protocol"}},
		{"P28: a stream that nobody wanted", modeltest.Reply(200, "data: {\"choices\":[]}\n\n", "Content-Type: text/event-stream"), protocol},
		{"P31 C432: another model than the one asked for is told", modeltest.JSON(modeltest.Completion("x")), want{text: "x"}},
		{"no HTTP at all", modeltest.Raw("SSH-2.0-OpenSSH_9.9\r\n", false), want{reason: "protocol"}},
		{"a rejected parameter is the candidate's own", modeltest.Reply(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`), want{reason: "rejected_request", says: "temperature"}},
		{"422 of a server in Python", modeltest.Reply(422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`), want{reason: "rejected_request", says: "field required"}},
		{"no such model", modeltest.Reply(404, `{"error":{"message":"The model 'x' does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`), want{reason: "not_found", says: "does not exist"}},
		{"no such model in Ollama", modeltest.Reply(404, `{"error":{"message":"model 'x' not found","type":"api_error","param":null,"code":null}}`), want{reason: "not_found"}},
		{"Ollama's plain error", modeltest.Reply(500, `{"error":"llama runner process has terminated"}`), want{reason: "server", retry: -1, says: "llama runner"}},
		{"Gemini's list with its own delay", modeltest.Reply(429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"31s"}]}}]`),
			want{reason: "rate_limit", retry: -1, after: 31 * time.Second}},
		{"Gemini's bad key", modeltest.Reply(400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`), want{reason: "auth", stop: true}},
		{"Azure's gateway", modeltest.Reply(401, `{"statusCode":401,"message":"Unauthorized. Access token is missing, invalid, audience is incorrect, or have expired."}`), want{reason: "auth", stop: true}},
		{"Azure's limit", modeltest.Reply(429, `{"error":{"code":"429","message":"Requests have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 2 seconds."}}`, "Retry-After: 2"), want{reason: "rate_limit", retry: -1, after: 2 * time.Second}},
		{"OpenRouter holds money for requests under way", modeltest.Reply(402, `{"error":{"code":402,"message":"In flight","metadata":{"limit_source":"openrouter_in_flight_budget"}}}`, "Retry-After: 4"), want{reason: "rate_limit", retry: -1, after: 4 * time.Second}},
		{"Groq's limit of tokens has status 413", modeltest.Reply(413, `{"error":{"message":"Request too large for model x on tokens per minute (TPM): Limit 6000, Requested 9000","type":"tokens","code":"rate_limit_exceeded"}}`), want{reason: "rate_limit", retry: -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, config.Target{BaseURL: modeltest.Serve(t, c.step).URL}, hello)
			if strings.Contains(fmt.Sprintf("%+v %+v", got, got.Failure), canary) {
				t.Errorf("Answer tells the key: %+v %+v", got, got.Failure)
			}
			f := model.Failure{}
			if got.Failure != nil {
				f = *got.Failure
			}
			retry, after := 0, time.Duration(0)
			if f.Retry != nil {
				retry, after = f.Retry.Max, f.Retry.After
				if retry == 0 {
					retry = -1
				}
			}
			refused := got.Refusal != "" || model.EndingOf(got.Finish) == model.EndingRefused
			if f.Reason != c.want.reason || (got.Failure != nil) != (c.want.reason != "") || retry != c.want.retry || after != c.want.after ||
				f.StopsTarget != c.want.stop || refused != c.want.refused || string(got.Text) != c.want.text {
				t.Errorf("Answer = %+v, failure %+v, retry %+v, want %+v", got, f, f.Retry, c.want)
			}
			if said := string(f.Message + got.Refusal); !strings.Contains(said, c.want.says) {
				t.Errorf("Answer says %q, want %q", said, c.want.says)
			}
		})
	}
}

func TestADeadlineCoversTheWholeAnswer(t *testing.T) {
	for name, step := range map[string]modeltest.Step{
		"P20 C409: a byte every now and then": modeltest.DripStep(20 * time.Millisecond),
		"P21 C410: headers never come":        modeltest.NeverStep,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, config.Target{BaseURL: modeltest.Serve(t, step).URL, TimeoutSeconds: 0.25}, hello)
			want := &model.Failure{Message: "no complete answer within 250ms", Reason: "timeout", LimitSeconds: 0.25, Retry: &model.Retry{Max: 1}}
			if !reflect.DeepEqual(got.Failure, want) {
				t.Errorf("Failure = %+v, want %+v", got.Failure, want)
			}
			if got.Latency < 250*time.Millisecond {
				t.Errorf("Latency = %s, want the time that passed", got.Latency)
			}
		})
	}
}

func TestTheEndOfARunIsAnErrorOfOurWorld(t *testing.T) {
	c, err := provider.New(config.Target{BaseURL: modeltest.Serve(t, modeltest.NeverStep).URL, TimeoutSeconds: 20}, wire.Access{Key: canary})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := c.Answer(ctx, hello); !errors.Is(err, context.DeadlineExceeded) || got.Failure != nil {
		t.Errorf("Answer = %+v, %v, want the error that ctx ended", got, err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run(fmt.Sprintf("P29 C413: %d", status), func(t *testing.T) {
			other := modeltest.Serve(t, modeltest.JSON(modeltest.Completion("stolen")))
			server := modeltest.Serve(t, modeltest.Reply(status, "", "Location: "+other.URL+"/x?"+canary))
			got := ask(t, config.Target{BaseURL: server.URL}, hello)
			if got.Failure == nil || got.Failure.Reason != "protocol" || got.Failure.Retry != nil || strings.Contains(string(got.Failure.Message), canary) {
				t.Errorf("Failure = %+v, want protocol, not asked again, without the address's query", got.Failure)
			}
			if n := len(other.Requests()); n != 0 {
				t.Errorf("the other server was asked %d times", n)
			}
		})
	}
}

func TestACertificateThatIsNotTrustedIsNotAskedAgain(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	server.Config.ErrorLog = nil
	got := ask(t, config.Target{BaseURL: server.URL}, hello)
	if got.Failure == nil || got.Failure.Reason != "transport" || got.Failure.Retry != nil {
		t.Errorf("P30: Failure = %+v, want transport, never asked again", got.Failure)
	}
}

func TestNobodyListening(t *testing.T) {
	got := ask(t, config.Target{BaseURL: modeltest.UnusedURL}, hello)
	if got.Failure == nil || got.Failure.Reason != "transport" || got.Failure.Retry == nil {
		t.Errorf("Failure = %+v, want transport, asked again", got.Failure)
	}
}
