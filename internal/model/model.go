// Package model says what is asked of a target and what came back.
// It holds types and the request key only: no provider, no network, no file.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Untrusted is text that a model, or a file of a pull request, wrote. Package render alone turns it into output.
type Untrusted string

// Roles of a message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Message is one rendered message of a prompt.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Parameters are the sampling settings sent with a request; nil and "" mean "not sent".
type Parameters struct {
	Temperature    *float64 `json:"temperature,omitempty"`
	TopP           *float64 `json:"top_p,omitempty"`
	MaxTokens      *int     `json:"max_tokens,omitempty"`
	ResponseFormat string   `json:"response_format,omitempty"`
	JSONSchema     string   `json:"json_schema,omitempty"`
}

// Request is one question to a target. Suite, Case and Trial say whose it is and are not part of its key.
type Request struct {
	SuiteID string
	CaseID  string
	Trial   int // 1, 2, …

	Provider   string
	Model      string
	Messages   []Message
	Parameters Parameters
}

// Key is the SHA-256, in lower-case hex, of what the model would be sent: rendered messages, model, parameters and
// provider. Equal keys mean byte-identical requests.
func (r Request) Key() string {
	body, err := json.Marshal(struct {
		Provider   string     `json:"provider"`
		Model      string     `json:"model"`
		Messages   []Message  `json:"messages"`
		Parameters Parameters `json:"parameters"`
	}{r.Provider, r.Model, r.Messages, r.Parameters})
	if err != nil {
		// Strings, numbers from a checked file and slices of them always marshal.
		panic("model: request key: " + err.Error())
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Response is one answer, or the failure that came instead.
type Response struct {
	Text    Untrusted
	Refusal Untrusted // the provider's own refusal field; "" if it gave none
	Finish  string    // finish or stop reason as the provider wrote it: stop, length, content_filter, refusal, …
	Failure *Failure  // nil if an answer came

	Model   string // the model that answered, as the provider names it; "" if unknown
	Latency time.Duration
	Usage   Usage
	Cached  bool // an answer that was kept, or that the other side was given: nobody was asked

	Attempts int           // how often a live target was asked for it; 0 where nobody was
	Pause    time.Duration // the target wants no further request for so long; 0: it did not say
}

// Failure is why no answer came.
type Failure struct {
	Message      Untrusted
	LimitSeconds float64 // the deadline that passed, in seconds; 0 if no deadline did
	Reason       string  // a client's own name for the failure (stale_recording, rate_limit, …): then Message is not searched for causes
	Retry        *Retry  // nil: asking again would not help
	Stop         bool    // this target answers nothing more, whatever it is asked: no money, no valid key
}

// Retry says that the same request may be answered later.
type Retry struct {
	After time.Duration // at the earliest; 0 if the target named no time
	Max   int           // further attempts that make sense; 0: as many as the caller allows
}

// Usage is what an answer cost; zero values mean "not told".
type Usage struct {
	TokensIn  int
	TokensOut int
	CostUSD   float64
}

// Client answers requests. Its error is a fault of our world (cancelled, recordings unreadable); what the target
// itself got wrong is Response.Failure. A Client is safe for concurrent use.
type Client interface {
	Answer(ctx context.Context, r Request) (Response, error)
}
