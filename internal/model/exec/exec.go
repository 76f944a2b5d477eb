// Package exec runs a command for each answer. The command reads the request from standard input as a JSON object,
// and writes the answer to standard output. There is no shell, and the command gets a small environment of its own.
// At the deadline it is killed with all processes that it started. Package schedule repeats calls.
package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/redact"
	"github.com/failproof/failproof/internal/suiteid"
)

// Limits of one attempt.
const (
	maxOutput = 4 << 20 // bytes of standard output
	maxStderr = 2000    // bytes at the end of standard error
	waitDelay = 2 * time.Second
)

// Client is a model.Client of one target.
type Client struct {
	command []string
	dir     string // working folder
	env     []string
	timeout time.Duration
	redact  *redact.Redactor
}

// New returns a client of a target, whose program must exist. The command runs in dir, an absolute path, or in the
// current folder if dir is "". A relative path to the program begins there. The command gets the environment variables
// in kept, and the key in the variable that the target names.
func New(t config.Target, dir, key string) (*Client, error) {
	if len(t.Command) == 0 {
		return nil, errors.New("command is empty")
	}
	program := t.Command[0]
	if filepath.IsAbs(dir) && filepath.Base(program) != program && !filepath.IsAbs(program) {
		program = filepath.Join(dir, program)
	}
	program, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("command: %w", err)
	}
	c := &Client{
		command: append([]string{program}, t.Command[1:]...),
		dir:     dir,
		timeout: time.Duration(t.TimeoutSeconds * float64(time.Second)),
		redact:  redact.New([]string{key}, nil),
	}
	for _, name := range passedEnv {
		if value, ok := os.LookupEnv(name); ok {
			c.env = append(c.env, name+"="+value)
		}
	}
	if t.APIKeyEnv != "" && key != "" {
		c.env = append(c.env, t.APIKeyEnv+"="+key)
	}
	return c, nil
}

// Close does nothing, because no command outlives its answer.
func (c *Client) Close() error { return nil }

// Answer runs the command once. It returns an error if ctx ended; any other failure is in the response.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	body, err := json.Marshal(request{Version: protocol, SuiteID: suiteid.AuthorID(r.SuiteID), CaseID: r.CaseID,
		Trial: r.Trial, Model: r.Model,
		Messages: r.Messages, Parameters: r.Parameters})
	if err != nil {
		return model.FailedResponse(model.ReasonRejected, "the request is not JSON: %v", err), nil
	}
	began := time.Now()
	callCtx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	out := &output{onOverflow: cancel}
	stderr := &stderrTail{}
	cmd := exec.CommandContext(callCtx, c.command[0], c.command[1:]...)
	// identifies the processes that the command starts
	mark := fmt.Sprintf("FAILPROOF_ANSWER=%d.%d.%d", os.Getpid(), time.Now().UnixNano(), markCount.Add(1))
	cmd.Env = append(slices.Clip(c.env), mark)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = c.dir, bytes.NewReader(append(body, '\n')), waitDelay
	err = run(cmd, mark, out, stderr)
	if ctx.Err() != nil {
		return model.Response{}, fmt.Errorf("run %s: %w", c.command[0], ctx.Err())
	}
	answer := c.response(callCtx, err, out, stderr)
	answer.Latency = time.Since(began)
	return answer.Redacted(c.redact.Text), nil
}

// markCount is the number of commands started so far. It makes the mark of each command unique.
var markCount atomic.Int64

// response returns the response of a command that ended with err. A command that exits with 0 has answered, whatever
// it wrote to standard error.
func (c *Client) response(ctx context.Context, err error, out *output, stderr *stderrTail) model.Response {
	var exit *exec.ExitError
	switch {
	case out.overflowed:
		return mayCostFailure(model.ReasonOversize, "the command's answer is larger than %d MiB", maxOutput>>20)
	case err == nil:
		return decode(out.text.Bytes(), stderr)
	case ctx.Err() != nil:
		r := mayCostFailure(model.ReasonTimeout, "the command gave no answer within %s%s", c.timeout, stderr.quoteEnd())
		r.Failure.LimitSeconds, r.Failure.Retry = c.timeout.Seconds(), &model.Retry{Max: 1}
		return r
	case errors.As(err, &exit):
		return mayCostFailure(model.ReasonCrash, "the command crashed: %s%s", exit.ProcessState, stderr.quoteEnd())
	}
	return model.FailedResponse(model.ReasonCrash, "the command did not run: %v", err)
}

// mayCostFailure returns the failure of a command that has run and may have cost money.
func mayCostFailure(reason, format string, args ...any) model.Response {
	r := model.FailedResponse(reason, format, args...)
	r.MayCost = true
	return r
}

// output keeps a command's output up to the limit, and ends the command beyond it.
type output struct {
	text       bytes.Buffer
	overflowed bool
	onOverflow func()
}

func (o *output) Write(p []byte) (int, error) {
	if o.text.Len()+len(p) > maxOutput {
		o.overflowed = true
		o.onOverflow()
		return 0, errors.New("too much output")
	}
	return o.text.Write(p)
}

// stderrTail keeps the end of what a command writes to its standard error.
type stderrTail struct{ text []byte }

func (t *stderrTail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[max(0, len(p)-maxStderr):]...)
	t.text = append(t.text[:0], t.text[max(0, len(t.text)-maxStderr):]...)
	return len(p), nil
}

// quoteEnd returns the end of a message that quotes standard error.
func (t *stderrTail) quoteEnd() string {
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return "; it wrote: " + text
	}
	return ""
}

// protocol is the version of the request and the reply.
const protocol = 1

// request is the input of a command; see docs/reference/targets.md.
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

// reasons are the failure reasons that a command may return.
var reasons = []string{"", model.ReasonRateLimit, model.ReasonQuota, model.ReasonAuth,
	model.ReasonNotFound, model.ReasonTimeout,
	model.ReasonServer, model.ReasonTransport, model.ReasonProtocol, model.ReasonContextLength, model.ReasonRejected}

// decode converts a command's output into a response.
func decode(text []byte, stderr *stderrTail) model.Response {
	var r reply
	if err := model.CheckJSON(text); err != nil {
		return mayCostFailure(model.ReasonProtocol, "the command's answer is not valid JSON: %v%s", err,
			stderr.quoteEnd())
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return mayCostFailure(model.ReasonProtocol, "the command's answer has an unknown form: %v", err)
	}
	if problem := r.problem(); problem != "" {
		return mayCostFailure(model.ReasonProtocol, "the command's answer %s", problem)
	}
	if r.FinishReason != "" && model.EndingOf(r.FinishReason) == model.EndingUnknown {
		return mayCostFailure(model.ReasonUnreadable, "the command's answer has the unknown finish reason %+q",
			r.FinishReason[:min(len(r.FinishReason), model.MaxWordBytes)])
	}
	return r.response()
}

// problem returns what makes a reply invalid, or "".
func (r reply) problem() string {
	switch {
	case r.Text == nil && r.Error == "" && r.Refusal == "":
		return "has none of text, refusal and error"
	case r.Text != nil && r.Error != "":
		return "has a text and an error"
	case !slices.Contains(reasons, r.Reason):
		return fmt.Sprintf("has the unknown reason %+q", r.Reason[:min(len(r.Reason), model.MaxWordBytes)])
	case r.Reason != "" && r.Error == "":
		return "has a reason without an error"
	case r.RetryAfter != nil && r.Error == "":
		return "has a retry_after without an error"
	}
	return ""
}

func (r reply) response() model.Response {
	out := model.Response{Refusal: model.Untrusted(r.Refusal), Finish: r.FinishReason, Model: r.Model,
		Usage: model.ReadUsage(r.Usage, "output_tokens", "input_tokens")}
	out.Usage.Cost = model.ReadCost(r.Usage)
	switch {
	case r.Error != "":
		out.Failure = &model.Failure{Message: model.Untrusted(r.Error), Reason: r.Reason, Retry: r.retry(),
			StopsTarget: r.Reason == model.ReasonQuota || r.Reason == model.ReasonAuth}
		out.MayCost = r.Reason == model.ReasonTimeout
	case r.Text != nil:
		out.Text = model.Untrusted(*r.Text)
	default:
		out.Text = out.Refusal
	}
	return out
}

// retry returns whether and when a retry may help, by the kind of failure and the time that the command names.
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
