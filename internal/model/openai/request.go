package openai

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/model"
)

// request is the body of POST /chat/completions. What is nil is not sent; a temperature of 0 is.
type request struct {
	Model               string          `json:"model"`
	Messages            []model.Message `json:"messages"`
	Temperature         *float64        `json:"temperature,omitempty"`
	TopP                *float64        `json:"top_p,omitempty"`
	MaxTokens           *int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens *int            `json:"max_completion_tokens,omitempty"`
	ResponseFormat      *format         `json:"response_format,omitempty"`
}

type format struct {
	Type       string          `json:"type"`
	JSONSchema json.RawMessage `json:"json_schema,omitempty"`
}

// request puts r into OpenAI's form. OpenAI and Azure take a limit of tokens as max_completion_tokens with every model, and
// as max_tokens with older ones only; all others know max_tokens, and not all the new name.
func (c *Client) request(r model.Request) request {
	out := request{Model: r.Model, Messages: r.Messages, Temperature: r.Parameters.Temperature, TopP: r.Parameters.TopP,
		ResponseFormat: formatOf(r.Parameters)}
	if c.newer {
		out.MaxCompletionTokens = r.Parameters.MaxTokens
	} else {
		out.MaxTokens = r.Parameters.MaxTokens
	}
	return out
}

func formatOf(p model.Parameters) *format {
	switch p.ResponseFormat {
	case "":
		return nil
	case "json_schema":
		return &format{Type: "json_schema", JSONSchema: named([]byte(p.JSONSchema))}
	}
	return &format{Type: p.ResponseFormat}
}

// named is a schema in the envelope that the API wants around it: {"name", "strict", "schema"}. One that is there stays.
func named(schema []byte) json.RawMessage {
	var envelope struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(schema, &envelope) == nil && envelope.Schema != nil {
		return schema
	}
	wrapped, err := json.Marshal(struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	}{"answer", schema})
	if err != nil {
		return schema // no JSON: the request as a whole then says so
	}
	return wrapped
}
