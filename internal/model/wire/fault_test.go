package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/failproof/failproof/internal/model"
)

func TestWhatAnErrorMeans(t *testing.T) {
	for _, c := range []struct {
		rule   string
		status int
		body   string
		want   string // a reason, "refused" or "none"
	}{
		{"an outage is one, whatever code stands beside it", 503, `{"error":{"code":"content_filter","message":"the filter is blocked"}}`, model.ReasonServer},
		{"a limit is one, whatever its type says", 429, `{"error":{"type":"invalid_request_error","message":"prompt is too long for now"}}`, model.ReasonRateLimit},
		{"a key is one, whatever its type says", 401, `{"error":{"type":"invalid_request_error"}}`, model.ReasonAuth},
		{"a block of an address is no filter of contents", 403, `{"error":{"message":"Your IP address is blocked"}}`, model.ReasonAuth},
		{"a guardrail is a filter", 403, `{"error":{"message":"Blocked by guardrail"}}`, "refused"},
		{"a field that is turned down is no filter, whatever it is called", 400, `{"error":{"message":"Invalid schema: 'flagged' is blocked","type":"invalid_request_error","param":"response_format","code":null}}`, model.ReasonRejected},
		{"an error with a code of its own is no filter, whatever it quotes", 400, `{"error":{"message":"Invalid value 'moderation'","type":"invalid_request_error","param":null,"code":"invalid_value"}}`, model.ReasonRejected},
		{"a status in the error's code stands in for that of HTTP", 200, `{"error":{"code":503,"message":"x"}}`, model.ReasonServer},
		{"a word stands in for a status", 200, `{"error":{"type":"rate_limit_error","message":"x"}}`, model.ReasonRateLimit},
		{"a word of google.rpc", 200, `{"error":{"status":"INVALID_ARGUMENT","message":"x"}}`, model.ReasonRejected},
		{"HTTP's status comes before the one in the code", 400, `{"error":{"code":503,"message":"x"}}`, model.ReasonRejected},
		{"an error without a message", 200, `{"error":{}}`, model.ReasonProtocol},
		{"an error that is a text", 200, `{"error":"boom"}`, model.ReasonServer},
		{"vLLM's error with 200", 200, `{"object":"error","message":"x","code":400}`, model.ReasonRejected},
		{"an answer is none", 200, `{"object":"chat.completion","error":null}`, "none"},
		{"false is none", 200, `{"error":false}`, "none"},
		{"no JSON", 500, `<html>`, model.ReasonServer},
		{"no body", 418, ``, model.ReasonProtocol},
		{"a spent quota of an Azure gateway", 403, `{"statusCode":403,"message":"Out of call volume quota. Quota will be replenished in 01:00:00."}`, model.ReasonQuota},
		{"Ollama has no such model", 404, `{"error":"model 'x' not found, try pulling it first"}`, model.ReasonNotFound},
		{"Gemini's prompt is too long", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, model.ReasonContextLength},
		{"vLLM's prompt is too long", 400, `{"error":{"message":"The decoder prompt (length 9000) is longer than the maximum model length of 8192.","type":"BadRequestError","code":400}}`, model.ReasonContextLength},
		{"Mistral's limit", 429, `{"object":"error","message":"Requests rate limit exceeded","type":"rate_limited","code":"1300"}`, model.ReasonRateLimit},
		{"a deployment that is not there", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, model.ReasonNotFound},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got := "none"
			if f, isError := parseFault(c.status, []byte(c.body)); isError {
				r := f.response()
				got = "refused"
				if r.Failure != nil {
					got = r.Failure.Reason
				} else if r.Refusal == "" {
					t.Error("a refusal without a word")
				}
			}
			if got != c.want {
				t.Errorf("status %d, %s: %s, want %s", c.status, c.body, got, c.want)
			}
		})
	}
}

func FuzzAnErrorAlwaysMeansSomething(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"x","code":"content_filter","innererror":{"code":"y"}}}`))
	f.Add(429, []byte(`[{"error":{"details":[{"retryDelay":"7s"}]}}]`))
	f.Add(200, []byte(`{"error":{"metadata":{"reasons":[1]}}}`))
	f.Add(422, []byte(`{"detail":[{"msg":"x"}]}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		parsed, isError := parseFault(status, body)
		if status >= 400 && !isError {
			t.Fatalf("status %d is no error", status)
		}
		r := parsed.response()
		if r.Failure == nil && r.Refusal == "" {
			t.Fatalf("neither a failure nor a refusal: %+v", r)
		}
		if r.Failure != nil && (r.Failure.Reason == "" || r.Failure.Message == "" || r.Failure.StopsTarget && r.Failure.Retry != nil) {
			t.Fatalf("a failure that says too little, or to stop and to go on: %+v", r.Failure)
		}
		if text := r.Refusal + failureText(r); len(text) > 2200 || utf8.ValidString(string(body)) && json.Valid(body) && !utf8.ValidString(string(text)) {
			t.Fatalf("a text of %d bytes: %.80q", len(text), text)
		}
	})
}

func failureText(r model.Response) model.Untrusted {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Message
}

func TestALongMessageIsCutBetweenLetters(t *testing.T) {
	f, _ := parseFault(500, []byte(`{"error":{"message":"`+strings.Repeat("é", 3000)+`"}}`))
	if text := f.String(); len(text) > 2100 || !utf8.ValidString(text) || !strings.HasSuffix(text, "é…") {
		t.Errorf("String is %d bytes and ends in %q", len(text), text[len(text)-10:])
	}
}
