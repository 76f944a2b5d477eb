package exec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// protocol is the version of the messages below.
const protocol = 1

// request is what a command reads: docs/targets.md describes it.
type request struct {
	Version    int              `json:"version"`
	SuiteID    string           `json:"suite_id"`
	CaseID     string           `json:"case_id"`
	Trial      int              `json:"trial"`
	Model      string           `json:"model,omitempty"`
	Messages   []model.Message  `json:"messages"`
	Parameters model.Parameters `json:"parameters"`
}

type reply struct {
	Text         *string         `json:"text"`
	Refusal      string          `json:"refusal"`
	FinishReason string          `json:"finish_reason"`
	Model        string          `json:"model"`
	Usage        json.RawMessage `json:"usage"`

	Error      string   `json:"error"`
	Reason     string   `json:"reason"`
	RetryAfter *float64 `json:"retry_after"` // seconds
}

// reasons are those that a command may name.
var reasons = []string{"", model.ReasonRateLimit, model.ReasonQuota, model.ReasonAuth, model.ReasonNotFound, model.ReasonTimeout,
	model.ReasonServer, model.ReasonTransport, model.ReasonProtocol, model.ReasonContextLength, model.ReasonRejected}

// decode makes a response of what a command wrote.
func decode(text []byte, failures *tail) model.Response {
	var r reply
	if err := model.SoundJSON(text); err != nil {
		return worked(model.ReasonProtocol, "the command's answer is no sound JSON: %v%s", err, failures.said())
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return worked(model.ReasonProtocol, "the command's answer is of no known form: %v", err)
	}
	if wrong := r.wrong(); wrong != "" {
		return worked(model.ReasonProtocol, "the command's answer %s", wrong)
	}
	if r.FinishReason != "" && model.EndingOf(r.FinishReason) == model.EndingUnknown {
		return worked(model.ReasonUnreadable, "the command's answer ends with the finish reason %+q, which is no answer's", r.FinishReason[:min(len(r.FinishReason), model.WordBytes)])
	}
	return r.response()
}

// wrong says what contradicts itself in a reply, or "".
func (r reply) wrong() string {
	switch {
	case r.Text == nil && r.Error == "" && r.Refusal == "":
		return "has none of text, refusal and error"
	case r.Text != nil && r.Error != "":
		return "has a text and an error"
	case !slices.Contains(reasons, r.Reason):
		return fmt.Sprintf("names the reason %+q, which is not known", r.Reason[:min(len(r.Reason), model.WordBytes)])
	case r.Reason != "" && r.Error == "":
		return "has a reason without an error"
	case r.RetryAfter != nil && r.Error == "":
		return "has a retry_after without an error"
	}
	return ""
}

func (r reply) response() model.Response {
	out := model.Response{Refusal: model.Untrusted(r.Refusal), Finish: r.FinishReason, Model: r.Model, Usage: model.ReadUsage(r.Usage, "output_tokens", "input_tokens")}
	out.Usage.Cost = model.ReadCost(r.Usage)
	switch {
	case r.Error != "":
		out.Failure = &model.Failure{Message: model.Untrusted(r.Error), Reason: r.Reason, Retry: r.retry(),
			Stop: r.Reason == model.ReasonQuota || r.Reason == model.ReasonAuth}
		out.MayCost = r.Reason == model.ReasonTimeout
	case r.Text != nil:
		out.Text = model.Untrusted(*r.Text)
	default:
		out.Text = out.Refusal
	}
	return out
}

// retry says whether asking again may help: for reasons that pass, and where the command names a time.
func (r reply) retry() *model.Retry {
	switch {
	case r.Reason == model.ReasonQuota || r.Reason == model.ReasonAuth:
		return nil
	case r.RetryAfter != nil:
		seconds := min(max(*r.RetryAfter, 0), (365 * 24 * time.Hour).Seconds())
		return &model.Retry{After: time.Duration(seconds * float64(time.Second))}
	case r.Reason == model.ReasonRateLimit, r.Reason == model.ReasonServer, r.Reason == model.ReasonTransport:
		return &model.Retry{}
	case r.Reason == model.ReasonTimeout:
		return &model.Retry{Max: 1}
	}
	return nil
}
