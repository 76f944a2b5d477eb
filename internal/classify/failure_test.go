package classify

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/failproof/failproof/internal/model"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		pattern *regexp.Regexp
		yes, no []string
	}{
		{
			pattern: timeoutWords,
			yes: []string{
				"timeout", "request timed out", "Request timed out after 30s", "context deadline exceeded",
				"DEADLINE_EXCEEDED: try later",
				"connect ETIMEDOUT 10.0.0.1:443", "ESOCKETTIMEDOUT", "net/http: i/o timeout",
				"ReadTimeoutError: Read timed out. (read timeout=30)",
				"The operation exceeded the time limit", "deadline of 30 s was exceeded",
				"the model took too long to respond", "no answer within 30 seconds", "time-out",
			},
			no: []string{"out of time zones", "runtime output was lost", "JavaScript runtime out of memory",
				"connection reset by peer", "a timely outcome", "rate limit exceeded"},
		},
		{
			pattern: timeoutParameter,
			yes: []string{"Unsupported parameter: 'timeout'", "invalid value for timeout",
				"unexpected keyword argument 'timeout'"},
			no: []string{"timeout: unknown host", "request timed out: unsupported parameter"},
		},
		{
			pattern: crashWords,
			yes: []string{
				"panic: runtime error: index out of range", "thread 'main' panicked at src/main.rs:1",
				"Segmentation fault (core dumped)", "signal: killed",
				"SIGKILL", "CUDA out of memory. Tried to allocate 2 GiB", "container was OOMKilled", "exit status 1",
				"process exited with code 137", "exit code: 134",
				"exited with status -11", "the model server crashed", "worker died",
				"java.lang.OutOfMemoryError: Java heap space", "fatal error: stack overflow",
			},
			no: []string{
				"connection reset by peer", "exit status 0", "exited with code 0", "the zoom factor is wrong",
				"room not found", "unexpected EOF",
				"invalid exit strategy", "panicle not found", "out of memorable names",
			},
		},
		{
			pattern: filterWords,
			yes: []string{
				"Error code: 400 - {'error': {'code': 'content_filter'}}", "400 content_policy_violation",
				"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
				"Invalid prompt: your prompt was flagged as potentially violating our usage policy (invalid_prompt)",
				"Your request was rejected as a result of our safety system.", "The prompt was blocked.",
				"promptFeedback.blockReason: SAFETY", "cyber_policy",
			},
			no: []string{"Your IP was blocked.", "request blocked by firewall", "the filter is empty",
				"file content is empty", "this violates the JSON schema"},
		},
		{
			pattern: outageWords,
			yes: []string{
				"429 Rate limit reached for gpt-5-mini on tokens per min (TPM)", "You exceeded your current quota",
				"insufficient_quota: check your billing details",
				"Your credit balance is too low to access the API", "Incorrect API key provided (invalid_request_error)",
				"invalid x-api-key", "Overloaded",
				"503 Service Unavailable", "read: connection reset by peer", "ECONNREFUSED", "unexpected EOF",
			},
			no: []string{"context_length_exceeded", "unsupported parameter: top_p",
				"prompt is too long: 210000 tokens > 200000 maximum"},
		},
		{
			pattern: rejectedWords,
			yes: []string{
				"context_length_exceeded", "This model's maximum context length is 8192 tokens, however you requested " +
					"9000", "prompt is too long: 210000 tokens > 200000 maximum",
				"invalid_request_error: messages: at least one message is required", "Unsupported parameter: 'top_p'",
				"Unknown parameter: seed", "Unsupported value: 'temperature' does not support 0",
				"Bad Request", "max_tokens is too large: 99999", "input is too long for requested model",
				"model_context_window_exceeded",
			},
			no: []string{"model not found", "something went wrong", "stream ended early"},
		},
	} {
		for _, text := range c.yes {
			if !c.pattern.MatchString(text) {
				t.Errorf("%s does not match %q", c.pattern, text)
			}
		}
		for _, text := range c.no {
			if c.pattern.MatchString(text) {
				t.Errorf("%s matches %q in %q", c.pattern, c.pattern.FindString(text), text)
			}
		}
	}
}

func TestFailure(t *testing.T) {
	const own = reasonRejected
	for _, c := range []struct {
		message string
		primary Category
		reason  string
	}{
		{"context deadline exceeded", Timeout, ""},
		{"Post \"https://api.example.com\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)", Timeout, ""},
		{"504 Gateway Timeout", Timeout, ""},
		{"HTTP 504", Timeout, ""},
		{"status 408", Timeout, ""},
		{"error code: 524", Timeout, ""},
		{"524", Timeout, ""},
		{"line 504: unexpected token", Error, ""},
		{"400 Unsupported parameter: 'timeout'", Error, own},
		{"fatal: timeout after panic", Timeout, ""},

		{"exit status 2", Crash, ""},
		{"exit status 0: no output", Error, ""},
		{"connection reset by peer", Error, ""},
		{"unexpected EOF", Error, ""},

		{"400 Bad Request", Error, own},
		{"Error code: 400 - {'error': {'message': 'Unsupported value', 'type': 'invalid_request_error'}}", Error, own},
		{"HTTP/1.1 422 Unprocessable Entity", Error, own},
		{"{\"error\":{\"status\":\"INVALID_ARGUMENT\",\"code\": 400}}", Error, own},
		{"prompt is too long: 210000 tokens > 200000 maximum", Error, own},
		{"This model's maximum context length is 500 tokens", Error, own},
		{"openai: unsupported parameter: top_p", Error, own},

		{"401 Unauthorized: invalid_request_error", Error, ""},
		{"403 Forbidden", Error, ""},
		{"404 model_not_found", Error, ""},
		{"429 Too Many Requests: request too large on tokens per min", Error, ""},
		{"400 invalid_request_error: Your credit balance is too low", Error, ""},
		{"400 INVALID_ARGUMENT: API key not valid", Error, ""},
		{"invalid_request_error: Incorrect API key provided", Error, ""},
		{"500 Internal Server Error", Error, ""},
		{"529 Overloaded", Error, ""},
		{"something went wrong", Error, ""},

		{"400 content_filter", Refusal, ""},
		{"Error code: 400 - {'code': 'content_policy_violation'}", Refusal, ""},
		{"400 Invalid prompt: your prompt was flagged (invalid_prompt)", Refusal, ""},
		{"500 content_filter failed", Error, ""},
		{"403 Your IP was blocked.", Error, ""},
	} {
		t.Run(c.message, func(t *testing.T) {
			got := classifyFailure(model.Failure{Message: model.Untrusted(c.message)})
			if got.Primary != c.primary || got.Details.Reason != c.reason || got.Details.CausedByPromptOrModel != (c.reason == own) {
				t.Errorf("%s, reason %q, candidate's own %v; want %s, %q", got.Primary, got.Details.Reason, got.Details.CausedByPromptOrModel, c.primary, c.reason)
			}
			if string(got.Details.ErrorDetails) != c.message {
				t.Errorf("error_details %q, want the message", got.Details.ErrorDetails)
			}
		})
	}
}

func TestLimitSeconds(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"request timed out after 30s", 30},
		{"timed out after 30 seconds", 30},
		{"timeout of 30000ms exceeded", 30},
		{"timeout of 1500 milliseconds exceeded", 1.5},
		{"deadline of 2m exceeded", 120},
		{"timed out after 1m30s", 90},
		{"timed out after 1h0m5s", 3605},
		{"exceeded the time limit of 2.5 s", 2.5},
		{"no answer within 10 minutes", 600},
		{"30s timeout", 30},
		{"the 45-second time limit was reached", 45},
		{"Read timed out. (read timeout=30)", 30},
		{"timeout=7.5", 7.5},
		{"timeout", 0},
		{"context deadline exceeded", 0},
		{"timed out after 3 attempts", 0},
		{"timed out on port 443", 0},
	} {
		if got := limitSeconds(c.text); got != c.want {
			t.Errorf("limitSeconds(%q) = %v, want %v", c.text, got, c.want)
		}
	}
}

func TestAReasonThatAClientNamesSettlesTheCategory(t *testing.T) {
	for reason, want := range map[string]Classification{
		model.ReasonTimeout:       {Primary: Timeout, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request", Reason: "timeout"}},
		model.ReasonCrash:         {Primary: Crash, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request"}},
		model.ReasonContextLength: {Primary: Error, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request", Reason: "context_length", CausedByPromptOrModel: true}},
		model.ReasonRejected:      {Primary: Error, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request", Reason: "rejected_request", CausedByPromptOrModel: true}},
		model.ReasonServer:        {Primary: Error, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request", Reason: "server"}},
		model.ReasonNotFound:      {Primary: Error, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request", Reason: "not_found"}},
		"":                        {Primary: Crash, Details: Details{ErrorDetails: "exit status 2: 400 Bad Request"}},
	} {
		got := classifyFailure(model.Failure{Message: "exit status 2: 400 Bad Request", Reason: reason})
		if !reflect.DeepEqual(got, want) {
			t.Errorf("reason %q: %+v, want %+v", reason, got, want)
		}
	}
}

func TestIsBlank(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \n\t": true, "\u00a0\u3000": true, "\u200b\u200d\ufeff": true, "\x00\x1b": true,
		"a": false, ".": false, "\u200ba": false, "👍": false,
	} {
		if got := isBlank(text); got != want {
			t.Errorf("isBlank(%q) = %v, want %v", text, got, want)
		}
	}
}

// A judge's request that its provider rejects says nothing of the candidate.
func TestAnUnansweredQuestionIsNotTheCandidatesFault(t *testing.T) {
	for _, reason := range []string{model.ReasonRejected, model.ReasonContextLength} {
		c := UnscoredError(model.Failure{Reason: reason, Message: "HTTP 400: too long"})
		if c.Primary != Error || c.Details.CausedByPromptOrModel || c.Details.Reason != reason || !c.Unscored() {
			t.Errorf("%s: %+v", reason, c)
		}
	}
}

func TestAQuestionThatTheRunEndedSaysHowAndWhy(t *testing.T) {
	const why = "limits.max_calls (2) is used up"
	got, want := classifyFailure(*model.EndFailure(model.ReasonBudget, model.EndNotCalled, why)), model.End{State: model.EndNotCalled, Why: why}
	if got.End == nil || *got.End != want || string(got.Details.ErrorDetails) != "not asked: "+why {
		t.Errorf("%+v, end %+v", got, got.End)
	}
}
