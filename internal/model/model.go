// Package model says what is asked of a target and what came back.
// It holds types, the request key and what all answers are read by: no provider, no network, no file.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Untrusted is text that a model, or a file of a pull request, wrote. Only package render turns it into output.
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

// Request is one question to a target. Suite, Case, Trial and Once are no part of its key.
type Request struct {
	SuiteID string
	CaseID  string
	Trial   int  // 1, 2, …
	Fresh   int  // 0 for the first answers; 1, 2, … for those to a case that is asked again
	Once    bool // a failure is not asked again: whether an answer comes is what is asked

	Provider   string
	Model      string
	Messages   []Message
	Parameters Parameters

	Vars map[string]string // of the case, those that the target sends beside the messages; nil: none. Read only
	// JSON Schema of the answer, where the target takes it; "": it is sent none, or that of Parameters
	AnswerSchema string
	// JSON on one line: the tools that may be called, as Chat Completions has them; "": none
	Tools    string
	Settings map[string]string // what else the target's configuration has sent, by key; no secret is in it. Read only
}

// Recorded is the provider whose answers are read from files.
const Recorded = "recorded"

const jsonSchema = "json_schema"

// Form returns the form in which the answer is asked for: the one that the prompt's file names, or else the schema of
// the answer if the target accepts one. kind is "" for none, and schema "" if the kind needs none.
func (r Request) Form() (kind, schema string) {
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

// Key returns the SHA-256, in lower-case hex, of what the model is sent: rendered messages, model, parameters,
// provider, and the target's other settings. Equal keys mean byte-identical requests. A recorded answer's request has
// no provider, and the model and parameters of its suite's file; its recording says which target gave it.
func (r Request) Key() string {
	sum := r.Sum()
	return hex.EncodeToString(sum[:])
}

// Sum is the key in bytes.
func (r Request) Sum() [sha256.Size]byte {
	if r.Provider == Recorded {
		r.Provider = ""
	}
	body, err := json.Marshal(struct {
		Provider     string            `json:"provider"`
		Model        string            `json:"model"`
		Messages     []Message         `json:"messages"`
		Parameters   Parameters        `json:"parameters"`
		Vars         map[string]string `json:"vars,omitempty"`
		AnswerSchema string            `json:"answer_schema,omitempty"`
		Tools        string            `json:"tools,omitempty"`
		Settings     map[string]string `json:"settings,omitempty"`
	}{r.Provider, r.Model, r.Messages, r.Parameters, r.Vars, r.AnswerSchema, r.Tools, r.Settings})
	if err != nil {
		panic("model: request key: " + err.Error()) // numbers of a checked file, texts and maps of them always marshal
	}
	return sha256.Sum256(body)
}

// Response is one answer, or the failure in its place. Its JSON holds what outlives a run, without what a recording
// says of it, and when to ask again.
type Response struct {
	Text    Untrusted `json:"text,omitempty"`
	Refusal Untrusted `json:"refusal,omitempty"` // the provider's own refusal field; "" if it gave none
	// finish or stop reason as the provider wrote it: stop, length, content_filter, refusal, …
	Finish  string   `json:"finish,omitempty"`
	Failure *Failure `json:"failure,omitempty"` // nil if an answer came

	// what the model asks to be called, beside its text or in place of it
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`

	Model   string        `json:"model,omitempty"` // the model that answered, as the provider names it; "" if unknown
	Latency time.Duration `json:"latency_ns,omitempty"`
	Usage   Usage         `json:"usage,omitzero"`
	// an answer that was kept, or that the other side was given: nobody was asked
	Cached bool `json:"cached,omitempty"`
	Drawn  bool `json:"-"` // a recorded answer that was drawn from a model: another draw may be otherwise
	Stale  bool `json:"-"` // a recorded answer that does not hold for what is asked, and counts all the same
	// a recorded answer that somebody wrote, and that is the base's, although what is asked changed
	Kept bool `json:"-"`

	Verdicts []Verdict `json:"-"` // recorded beside a recorded answer; read only

	Attempts int `json:"attempts,omitempty"` // how often a live target was asked for it; 0 where nobody was
	// the target wants no further request for so long; 0: it did not say
	Pause time.Duration `json:"-"`
	// beside a failure: the target may have worked for it, and want money, without telling how much
	MayCost bool `json:"may_cost,omitempty"`
}

// Verdict is a judge's recorded verdict on an answer and a criterion.
type Verdict struct {
	Key       string    `json:"key"` // of the question, and of who was asked; see package judge
	Criterion string    `json:"criterion"`
	Shows     bool      `json:"shows,omitempty"` // it says whether the text of an answer can show the criterion, and nothing of this answer
	Met       bool      `json:"met"`
	Why       Untrusted `json:"why,omitempty"`
}

// Failure is why no answer came.
type Failure struct {
	Message Untrusted `json:"message"`
	// the deadline that passed, in seconds; 0 if no deadline did
	LimitSeconds float64 `json:"limit_seconds,omitempty"`
	// a client's own name for the failure (stale_recording, rate_limit, …): then Message is not searched for causes
	Reason string `json:"reason,omitempty"`
	Status int    `json:"status,omitempty"` // of HTTP, where the target said so; 0 otherwise
	Retry  *Retry `json:"-"`                // nil: asking again would not help
	// this target answers nothing more, whatever it is asked: no money, no valid key
	Stop bool `json:"-"`
	End  *End `json:"end,omitempty"` // nil: the target itself failed
}

// Retry says that the same request may be answered later.
type Retry struct {
	After time.Duration // at the earliest; 0 if the target named no time
	Max   int           // further attempts that make sense; 0: as many as the caller allows
}

// Usage is what an answer took.
type Usage struct {
	TokensIn  int  `json:"tokens_in,omitempty"`  // of this answer; 0: not told
	TokensOut int  `json:"tokens_out,omitempty"` // likewise
	Cost      Cost `json:"cost,omitzero"`        // of all calls that were made for it
}

// Cost is what calls cost. The zero Cost is not known.
type Cost struct {
	USD   float64 `json:"usd"`
	Known bool    `json:"known,omitempty"` // the target told it, or has a price
	// of some calls nobody told what they took, and USD counts what they may have cost at most
	Estimated bool `json:"estimated,omitempty"`
}

// USD is a cost that is known.
func USD(v float64) Cost { return Cost{USD: v, Known: true} }

// Plus adds up what is known.
func (c Cost) Plus(d Cost) Cost {
	return Cost{USD: c.USD + d.USD, Known: c.Known || d.Known, Estimated: c.Estimated || d.Estimated}
}

// Dollars returns the amount; nil where it is not known.
func (c Cost) Dollars() *float64 {
	if !c.Known {
		return nil
	}
	return &c.USD
}

// Client answers requests. Its error is one of our side (cancelled, recordings unreadable); a target's error is
// Response.Failure. A Client is safe for concurrent use.
type Client interface {
	Answer(ctx context.Context, r Request) (Response, error)
}

// Address identifies one answer among those that are kept from run to run.
type Address struct {
	Request    string `json:"request"`    // what is sent, and where to: equal for equal questions to one target
	Occurrence int    `json:"occurrence"` // 1, 2, …: cases of a run that ask the same are asked each for itself
	Trial      int    `json:"trial"`      // 1, 2, …
	// which comparison it was asked for; "" for a request that is not compared with another one
	Pair string `json:"pair,omitempty"`
}

// Journal keeps answers between runs, so that an interrupted run goes on, and a repeated one asks nothing again. It is
// safe for concurrent use. What it cannot keep is asked again.
type Journal interface {
	// Find returns a kept answer. For an address without a Pair, an answer of any comparison will do.
	Find(a Address) (Response, bool)
	// Keep keeps an answer. It returns once the answer outlives the process.
	Keep(a Address, q Request, r Response)
}

// Echo answers with the last message that it is sent, to try a suite without a model.
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

// Failed is a failure that asking again would not change.
func Failed(reason, format string, args ...any) Response {
	return Response{Failure: &Failure{Reason: reason, Message: Untrusted(fmt.Sprintf(format, args...))}}
}

// WordBytes is how many bytes are kept of a field that should be a word: a finish reason, a model's name.
const WordBytes = 100

// Clean redacts what stands beside the answer, and cuts fields that should be a word. The answer stays as it is: its
// judges must see whether it leaks a secret, and whoever stores it redacts it.
func (r Response) Clean(redact func(string) string) Response {
	word := func(s string) string {
		s = redact(s)
		return strings.ToValidUTF8(s[:min(len(s), WordBytes)], "")
	}
	r.Finish, r.Model = word(r.Finish), word(r.Model)
	r.Refusal = Untrusted(redact(string(r.Refusal)))
	if r.Failure != nil {
		r.Failure.Message = Untrusted(strings.ToValidUTF8(redact(string(r.Failure.Message)), "\ufffd"))
	}
	return r
}

// Reasons of a Failure, as its Reason. A client uses those up to ReasonUnrecorded; the three after it are said of a
// request that was never asked, or not to its end.
const (
	ReasonRateLimit = "rate_limit" // the rate limit is reached; a later call may succeed
	ReasonQuota     = "quota"      // no money left, a spending limit reached
	ReasonNoKey     = "no_key"     // the variable of the key is not set
	ReasonAuth      = "auth"       // the key is wrong
	ReasonForbidden = "forbidden"  // this run may not ask the target
	ReasonNotFound  = "not_found"  // the target knows no such model, or no such address
	ReasonTimeout   = "timeout"    // the target itself, or what stands before it, says that it took too long
	ReasonServer    = "server"     // the target is overloaded or broken
	ReasonTransport = "transport"  // the connection failed or broke off
	ReasonProtocol  = "protocol"   // what came back is no answer in the target's protocol
	// what came is in the protocol and is no answer: a call of a tool, an ending that is not known
	ReasonUnreadable    = "unreadable"
	ReasonContextLength = "context_length"   // the request is longer than the model reads: the candidate's own
	ReasonRejected      = "rejected_request" // the request is bad: the candidate's own
	ReasonOversize      = "oversize"         // the answer is larger than is read
	ReasonCrash         = "crash"            // the command died

	// the recorded answer was made for another request, or by a target that is asked otherwise
	ReasonStale      = "stale_recording"
	ReasonUnrecorded = "missing_recording" // no answer is recorded

	ReasonVerdict      = "no_verdict"    // the judge said neither that a criterion is met nor that it is not
	ReasonStaleVerdict = "stale_verdict" // the recorded verdict is of another judge, criterion, question or answer

	ReasonBudget    = "budget"    // a limit of the run is used up
	ReasonCancelled = "cancelled" // the run was told to stop
	ReasonShard     = "shard"     // a part of the run was asked elsewhere, and what it was told is missing

	ReasonInternal = "internal_error" // failproof itself broke on the case: a bug
)

// End says how a run ended a question, and why.
type End struct {
	State EndState `json:"state"`
	// the reason in words: limits.max_calls (200) is used up; "" if only the target was given up
	Why string `json:"why,omitempty"`
}

// EndState is how far a question had come when it was ended.
type EndState string

// The states of a question that was ended.
const (
	EndUnasked  EndState = "not_asked"
	EndCutOff   EndState = "cut_off"    // the target was at work
	EndUnjudged EndState = "not_judged" // an answer came, too late to judge it
)

var endWords = map[EndState]string{EndUnasked: "not asked", EndCutOff: "cut off", EndUnjudged: "not judged"}

// Ended returns the failure of a question that was ended.
func Ended(reason string, state EndState, why string) *Failure {
	return &Failure{Reason: reason, Message: Untrusted(endWords[state] + ": " + why), End: &End{State: state, Why: why}}
}

// NotAsked reports a failure that stands for a request which nobody was asked, or was not let finish: it says nothing
// of the target.
func (f *Failure) NotAsked() bool {
	return f != nil && (f.Reason == ReasonBudget || f.Reason == ReasonCancelled || f.Reason == ReasonShard)
}
