// Package model defines requests to targets and their responses, with the request key. It knows no provider, network
// or file.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/text"
)

// Untrusted is text written by a model or in a file of a pull request. Only package render prints it.
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

// Request is one call of a target. The request key does not include SuiteID, CaseID, Trial, Rerun and
// NoRetry.
type Request struct {
	SuiteID string
	CaseID  string
	Trial   int  // 1, 2, …
	Rerun   int  // 0 for the first answers; 1, 2, … for reruns
	NoRetry bool // never retried, because the caller wants to know whether an answer comes

	Provider   string
	Model      string
	Messages   []Message
	Parameters Parameters

	Vars map[string]string // variables sent in addition to the messages; nil: none. Read only
	// JSON Schema of the answer for a target that takes one; "": none, or that of Parameters
	AnswerSchema string
	// the tools that may be called, in the JSON of Chat Completions; "": none
	Tools    string
	Settings map[string]string // further settings of the target, by key, without secrets. Read only
}

// Recorded is the provider that reads answers from files.
const Recorded = "recorded"

const jsonSchema = "json_schema"

// AnswerForm returns the form that the answer must have: the response format of the parameters, or else JSON that
// matches AnswerSchema. The kind is "" if no form is required. The schema is "" if the kind needs none.
func (r Request) AnswerForm() (kind, schema string) {
	switch p := r.Parameters; {
	case p.ResponseFormat == jsonSchema:
		return jsonSchema, p.JSONSchema
	case p.ResponseFormat != "":
		return p.ResponseFormat, ""
	case r.AnswerSchema != "":
		return jsonSchema, r.AnswerSchema
	}
	return "", ""
}

// Key returns the SHA-256, in lower-case hex, of the rendered messages, model, parameters, provider and the target's
// other settings. Equal keys mean byte-identical requests. For a recorded target, the key has no provider, and has the
// model and parameters of the suite's file; the recording names the target that answered.
func (r Request) Key() string {
	sum := r.Sum()
	return hex.EncodeToString(sum[:])
}

// Sum returns the same SHA-256 as Key, in bytes.
func (r Request) Sum() [sha256.Size]byte {
	if r.Provider == Recorded {
		r.Provider = ""
	}
	return sha256.Sum256(text.Must(json.Marshal(struct { // numbers, strings and maps of them always marshal
		Provider     string            `json:"provider"`
		Model        string            `json:"model"`
		Messages     []Message         `json:"messages"`
		Parameters   Parameters        `json:"parameters"`
		Vars         map[string]string `json:"vars,omitempty"`
		AnswerSchema string            `json:"answer_schema,omitempty"`
		Tools        string            `json:"tools,omitempty"`
		Settings     map[string]string `json:"settings,omitempty"`
	}{r.Provider, r.Model, r.Messages, r.Parameters, r.Vars, r.AnswerSchema, r.Tools, r.Settings})))
}

// Response is one answer, or the failure to get one. Its JSON leaves out the fields of recordings and retries, which do
// not outlive a run.
type Response struct {
	Text    Untrusted `json:"text,omitempty"`
	Refusal Untrusted `json:"refusal,omitempty"` // the provider's own refusal field; "" if it gave none
	// finish or stop reason as the provider wrote it: stop, length, content_filter, refusal, …
	Finish  string   `json:"finish,omitempty"`
	Failure *Failure `json:"failure,omitempty"` // nil if an answer came

	// tool calls, in addition to the text or in place of a text
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`

	Model   string        `json:"model,omitempty"` // the answering model's name at the provider; "" if unknown
	Latency time.Duration `json:"latency_ns,omitempty"`
	Usage   Usage         `json:"usage,omitzero"`
	// reused from the journal or the other side: no call was made
	Cached  bool `json:"cached,omitempty"`
	Sampled bool `json:"-"` // a recorded answer that was sampled from a model: another sample may differ
	Stale   bool `json:"-"` // a stale recorded answer that counts all the same
	// a hand-written recorded answer, unchanged from the base although the request changed
	Unchanged bool `json:"-"`

	Verdicts []Verdict `json:"-"` // of a recorded answer; read only

	Attempts int `json:"attempts,omitempty"` // calls of a live target for this answer; 0 for none
	// how long the target wants to get no further request; 0: not stated
	Pause time.Duration `json:"-"`
	// with a failure: the target may charge an unknown amount for the call
	MayCost bool `json:"may_cost,omitempty"`
}

// Verdict is a judge's recorded verdict on an answer and a criterion.
type Verdict struct {
	Key       string `json:"key"` // of the question and of the judge; see package judge
	Criterion string `json:"criterion"`
	// the verdict is on whether a text can show the criterion at all, not on this answer
	Shows bool      `json:"shows,omitempty"`
	Met   bool      `json:"met"`
	Why   Untrusted `json:"why,omitempty"`
}

// Failure is the reason why no answer came.
type Failure struct {
	Message Untrusted `json:"message"`
	// the deadline that passed, in seconds; 0 for none
	LimitSeconds float64 `json:"limit_seconds,omitempty"`
	// the client's name for the reason (stale_recording, rate_limit, …); if set, Message is not searched for causes
	Reason string `json:"reason,omitempty"`
	Status int    `json:"status,omitempty"` // HTTP status; 0 if there is none
	Retry  *Retry `json:"-"`                // nil: a retry would not help
	// no request to this target can succeed: no money, no valid key
	StopsTarget bool `json:"-"`
	End         *End `json:"end,omitempty"` // nil: the target itself failed
}

// Retry describes when the same request may succeed.
type Retry struct {
	After time.Duration // the shortest wait; 0 if the target named none
	Max   int           // largest number of useful retries; 0: no limit
}

// Usage is the tokens and the cost of an answer.
type Usage struct {
	TokensIn  int  `json:"tokens_in,omitempty"`  // of this answer; 0: unknown
	TokensOut int  `json:"tokens_out,omitempty"` // as TokensIn
	Cost      Cost `json:"cost,omitzero"`        // of all calls for this answer, retries included
}

// Tokens are the token counts of one answer in files.
type Tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Cost is the cost of calls. The zero Cost is unknown.
type Cost struct {
	USD   float64 `json:"usd"`
	Known bool    `json:"known,omitempty"` // stated by the target, or computed from its price
	// USD includes upper bounds for calls of unknown usage
	Estimated bool `json:"estimated,omitempty"`
}

// USD returns a known cost.
func USD(v float64) Cost { return Cost{USD: v, Known: true} }

// Plus adds the known costs.
func (c Cost) Plus(d Cost) Cost {
	return Cost{USD: c.USD + d.USD, Known: c.Known || d.Known, Estimated: c.Estimated || d.Estimated}
}

// Dollars returns the amount, or nil if it is unknown.
func (c Cost) Dollars() *float64 {
	if !c.Known {
		return nil
	}
	return &c.USD
}

// Client answers requests. Its error is a failure of this program (canceled, recordings unreadable). A target's
// failure is in Response.Failure. A Client is safe for concurrent use.
type Client interface {
	Answer(ctx context.Context, r Request) (Response, error)
}

// JournalKey identifies an answer that is kept from run to run.
type JournalKey struct {
	Request string `json:"request"` // digest of the request and its destination
	// 1, 2, …: number among the run's cases with equal requests; each of these cases gets its own answer
	Occurrence int `json:"occurrence"`
	Trial      int `json:"trial"` // 1, 2, …
	// the comparison that the answer belongs to; "" for none
	Comparison string `json:"pair,omitempty"`
}

// Journal keeps answers between runs, so that an interrupted run can continue and a repeated one makes no call twice.
// It is safe for concurrent use.
type Journal interface {
	// Find returns a kept answer. A key without a Comparison matches an answer of any comparison.
	Find(k JournalKey) (Response, bool)
	// Store keeps an answer. When Store returns, the answer survives the end of the process.
	Store(k JournalKey, q Request, r Response)
}

// Echo answers with the last message of the request, to try a suite without a model.
type Echo struct{}

// Answer returns the content of the request's last message.
func (Echo) Answer(ctx context.Context, r Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	if len(r.Messages) == 0 {
		return Response{}, nil
	}
	last := r.Messages[len(r.Messages)-1]
	return Response{Text: Untrusted(last.Content), Finish: "stop", Model: "echo"}, nil
}

// FailedResponse returns a response with a failure that a retry would not change.
func FailedResponse(reason, format string, args ...any) Response {
	return Response{Failure: &Failure{Reason: reason, Message: Untrusted(fmt.Sprintf(format, args...))}}
}

// MaxWordBytes is the largest number of bytes that are kept of a field whose value is one word, such as a finish
// reason. The rest is cut.
const MaxWordBytes = 100

// Redacted returns r with the finish reason, the model's name, the refusal and the failure's message redacted. It
// truncates the first two, which should be single words. The answer itself stays unchanged, because the checks must see
// a leaked secret. The answer is redacted when it is stored.
func (r Response) Redacted(redact func(string) string) Response {
	word := func(s string) string {
		s = redact(s)
		return strings.ToValidUTF8(s[:min(len(s), MaxWordBytes)], "")
	}
	r.Finish, r.Model = word(r.Finish), word(r.Model)
	r.Refusal = Untrusted(redact(string(r.Refusal)))
	if r.Failure != nil {
		r.Failure.Message = Untrusted(strings.ToValidUTF8(redact(string(r.Failure.Message)), "\ufffd"))
	}
	return r
}

// Reasons of a Failure. Clients use the reasons from ReasonRateLimit to ReasonUnrecorded. ReasonBudget, ReasonCancelled
// and ReasonShard are for requests that were not made or not completed.
const (
	ReasonRateLimit = "rate_limit" // the rate limit is reached; a later call may succeed
	ReasonQuota     = "quota"      // no money left, a spending limit reached
	ReasonNoKey     = "no_key"     // the variable of the key is not set
	ReasonAuth      = "auth"       // the key is wrong
	ReasonForbidden = "forbidden"  // this run may not call the target
	ReasonNotFound  = "not_found"  // unknown model or address
	ReasonTimeout   = "timeout"    // the target, or a server before it, reports a timeout
	ReasonServer    = "server"     // the target is overloaded or broken
	ReasonTransport = "transport"  // the connection failed or broke off
	ReasonProtocol  = "protocol"   // the response does not follow the target's protocol
	// a valid response without an answer: a tool call, an unknown finish reason
	ReasonUnreadable    = "unreadable"
	ReasonContextLength = "context_length"   // the request is too long for the model, because of the prompt under test
	ReasonRejected      = "rejected_request" // the request is invalid, because of the prompt under test
	ReasonOversize      = "oversize"         // the answer exceeds the size limit
	ReasonCrash         = "crash"            // the command crashed

	// the answer was recorded for another request, or the target has other settings now
	ReasonStale      = "stale_recording"
	ReasonUnrecorded = "missing_recording" // no answer is recorded

	ReasonVerdict = "no_verdict" // the judge did not say whether a criterion is met
	// the embedding endpoint failed, so the answer was not compared with the expected one
	ReasonSimilarity   = "no_similarity"
	ReasonStaleVerdict = "stale_verdict" // the recorded verdict belongs to another judge, criterion, question or answer

	ReasonBudget    = "budget"    // a limit of the run is reached
	ReasonCancelled = "cancelled" // the run was canceled
	ReasonShard     = "shard"     // the shard with the answer is missing

	ReasonInternal = "internal_error" // a bug in failproof
)

// End is how and why the run ended a request early.
type End struct {
	State EndState `json:"state"`
	// the reason in words: limits.max_calls (200) is used up; "" if the run gave up only this target
	Why string `json:"why,omitempty"`
}

// EndState is the progress of a request when the run ended it.
type EndState string

// The states of an ended request.
const (
	EndNotCalled EndState = "not_asked"
	EndCutOff    EndState = "cut_off"    // the call was under way
	EndUnjudged  EndState = "not_judged" // an answer came too late to judge it
)

var endStates = map[EndState]string{EndNotCalled: "not asked", EndCutOff: "cut off", EndUnjudged: "not judged"}

// EndFailure returns the failure of a request that the run ended in the given state. why is the reason in words.
func EndFailure(reason string, state EndState, why string) *Failure {
	return &Failure{Reason: reason, Message: Untrusted(endStates[state] + ": " + why),
		End: &End{State: state, Why: why}}
}

// NotCompleted reports whether the request was not made or not completed, so that the failure says nothing about the
// target.
func (f *Failure) NotCompleted() bool {
	return f != nil && (f.Reason == ReasonBudget || f.Reason == ReasonCancelled || f.Reason == ReasonShard)
}
