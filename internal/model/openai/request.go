package openai

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/model"
)

// chatRequest is the body of POST /chat/completions. What is nil is not sent; a temperature of 0 is.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []model.Message `json:"messages"`
	Temperature         *float64        `json:"temperature,omitempty"`
	TopP                *float64        `json:"top_p,omitempty"`
	MaxTokens           *int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int            `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	Seed                *int            `json:"seed,omitempty"`
	Stop                []string        `json:"stop,omitempty"`
	ResponseFormat      *format         `json:"response_format,omitempty"`
	Tools               json.RawMessage `json:"tools,omitempty"`
}

type format struct {
	Type       string          `json:"type"`
	JSONSchema json.RawMessage `json:"json_schema,omitempty"`
}

// chatRequest puts r into the form of Chat Completions. OpenAI and Azure take a limit of tokens as max_completion_tokens with every model, and
// as max_tokens with older ones only; all others know max_tokens, and not all the new name.
func (c *Client) chatRequest(r model.Request) chatRequest {
	out := chatRequest{Model: r.Model, Messages: r.Messages, Temperature: r.Parameters.Temperature, TopP: r.Parameters.TopP,
		ReasoningEffort: c.target.ReasoningEffort, Seed: c.target.Seed, Stop: c.target.Stop, Tools: json.RawMessage(r.Tools)}
	switch kind, schema := r.Form(); {
	case schema != "":
		out.ResponseFormat = &format{Type: kind, JSONSchema: named([]byte(schema))}
	case kind != "":
		out.ResponseFormat = &format{Type: kind}
	}
	if c.newer {
		out.MaxCompletionTokens = r.Parameters.MaxTokens
	} else {
		out.MaxTokens = r.Parameters.MaxTokens
	}
	return out
}

// envelope is what the API wants around a schema: {"name", "strict", "schema"}.
type envelope struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// named is a schema in its envelope. One that is there stays.
func named(schema []byte) json.RawMessage {
	var e envelope
	if json.Unmarshal(schema, &e) == nil && e.Schema != nil {
		return schema
	}
	wrapped, err := json.Marshal(envelope{"answer", schema})
	if err != nil {
		return schema // no JSON: the request as a whole then says so
	}
	return wrapped
}
