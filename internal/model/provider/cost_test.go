package provider_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model/modeltest"
)

// Where somebody may have worked for it, a failure may have to be paid for.
func TestWhichFailuresMayCost(t *testing.T) {
	const half = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"choices\""
	for _, c := range []struct {
		rule string
		step modeltest.Step
		want bool
	}{
		{"an answer is no failure", modeltest.JSON(modeltest.Completion("yes")), false},
		{"a time that is up", modeltest.NeverStep, true},
		{"a success that is no JSON", modeltest.Reply(200, "<p>", "Content-Type: text/html"), true},
		{"a success that is no completion", modeltest.JSON(`{"choices":[]}`), true},
		{"a success that breaks off", modeltest.Raw(half, false), true},
		{"a call of a tool", modeltest.JSON(`{"choices":[{"message":{"tool_calls":[{}]},"finish_reason":"tool_calls"}]}`), true},
		{"a gateway that waited in vain", modeltest.Reply(504, `{}`), true},
		{"an error inside a success", modeltest.JSON(`{"error":{"message":"busy","code":503}}`), false},
		{"an outage", modeltest.Reply(503, `{}`), false},
		{"a limit", modeltest.Reply(429, `{}`), false},
		{"a bad request", modeltest.Reply(400, `{}`), false},
		{"a connection that breaks before a word", modeltest.Raw("", true), false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			target := config.Target{BaseURL: modeltest.Serve(t, c.step).URL, TimeoutSeconds: 20}
			if c.rule == "a time that is up" {
				target.TimeoutSeconds = 0.05
			}
			if got := ask(t, target, hello); got.MayCost != c.want {
				t.Errorf("MayCost = %v, want %v: %+v", got.MayCost, c.want, got.Failure)
			}
		})
	}
}
