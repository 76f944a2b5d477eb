package shard

import (
	"encoding/json"
	"time"

	"github.com/failproof/failproof/internal/model"
)

// formVersion is the form of the file.
const formVersion = 1

// Head is the first line of a file: which part of which run it is.
type Head struct {
	Form    int    `json:"failproof_shard"`
	Version string `json:"version"` // of failproof
	Plan    string `json:"plan"`    // a digest of all that the run asks, the other parts' included
	Part
}

// Tail is the last line: the part was asked to its end.
type Tail struct {
	Answers int     `json:"answers"` // lines between head and tail
	Calls   int     `json:"calls"`   // what they took
	In      int     `json:"tokens_in"`
	Out     int     `json:"tokens_out"`
	CostUSD float64 `json:"cost_usd"`
}

// Place names a first answer of a run: whose it is.
type Place struct {
	Side   string `json:"side"`
	Target string `json:"target"`
	Suite  string `json:"suite"`
	Case   string `json:"case"`
	Trial  int    `json:"trial"`
	Key    string `json:"key"` // of the request
}

// record is an answer, or why none came.
type record struct {
	Place
	Text    string   `json:"text,omitempty"`
	Refusal string   `json:"refusal,omitempty"`
	Finish  string   `json:"finish,omitempty"`
	Model   string   `json:"model,omitempty"`
	Latency int64    `json:"latency_ns,omitempty"`
	In      int      `json:"tokens_in,omitempty"`
	Out     int      `json:"tokens_out,omitempty"`
	Cost    cost     `json:"cost,omitzero"`
	Cached  bool     `json:"cached,omitempty"`
	Asked   int      `json:"attempts,omitempty"`
	MayCost bool     `json:"may_cost,omitempty"`
	Failure *failure `json:"failure,omitempty"`

	ToolCalls []model.ToolCall `json:"tool_calls,omitempty"`
}

type cost struct {
	USD       float64 `json:"usd"`
	Known     bool    `json:"known,omitempty"`
	Estimated bool    `json:"estimated,omitempty"`
}

// failure has nothing about asking again, which was done where it made sense.
type failure struct {
	Message string  `json:"message"`
	Limit   float64 `json:"limit_seconds,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	Status  int     `json:"status,omitempty"`
}

func newRecord(p Place, r model.Response) record {
	out := record{Place: p, Text: string(r.Text), Refusal: string(r.Refusal), Finish: r.Finish, Model: r.Model, Latency: int64(r.Latency),
		In: r.Usage.TokensIn, Out: r.Usage.TokensOut, Cost: cost(r.Usage.Cost), Cached: r.Cached, Asked: r.Attempts, MayCost: r.MayCost, ToolCalls: r.ToolCalls}
	if f := r.Failure; f != nil {
		out.Failure = &failure{Message: string(f.Message), Limit: f.LimitSeconds, Reason: f.Reason, Status: f.Status}
	}
	return out
}

func (r record) response() model.Response {
	out := model.Response{Text: model.Untrusted(r.Text), Refusal: model.Untrusted(r.Refusal), Finish: r.Finish, Model: r.Model, Latency: time.Duration(r.Latency),
		Usage: model.Usage{TokensIn: r.In, TokensOut: r.Out, Cost: model.Cost(r.Cost)}, Cached: r.Cached, Attempts: r.Asked, MayCost: r.MayCost, ToolCalls: r.ToolCalls}
	if f := r.Failure; f != nil {
		out.Failure = &model.Failure{Message: model.Untrusted(f.Message), LimitSeconds: f.Limit, Reason: f.Reason, Status: f.Status}
	}
	return out
}

// line is a value in JSON on a line of its own.
func line(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("shard: " + err.Error()) // strings and finite numbers always marshal
	}
	return append(text, '\n')
}
