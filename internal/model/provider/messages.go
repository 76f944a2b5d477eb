package provider

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// messagesRequest is the body of POST /v1/messages.
type messagesRequest struct {
	Model        string          `json:"model"`
	MaxTokens    int             `json:"max_tokens"`
	System       []block         `json:"system,omitempty"`
	Messages     []model.Message `json:"messages"`
	Temperature  *float64        `json:"temperature,omitempty"`
	TopP         *float64        `json:"top_p,omitempty"`
	OutputConfig *outputConfig   `json:"output_config,omitempty"`
	Tools        []tool          `json:"tools,omitempty"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type outputConfig struct {
	Format outputFormat `json:"format"`
}

type outputFormat struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

// newMessagesRequest returns r in Anthropic's form, which has system messages apart from the conversation.
func newMessagesRequest(_ *Client, r model.Request) (any, error) {
	if r.Parameters.ResponseFormat == "json_object" {
		return nil, errors.New("the Messages API does not support responseFormat json_object; use json_schema, or ask for " +
			"JSON in the prompt")
	}
	out := messagesRequest{Model: r.Model, MaxTokens: config.MaxOutputTokens("anthropic"), Messages: []model.Message{},
		Temperature: r.Parameters.Temperature, TopP: r.Parameters.TopP}
	for _, t := range r.ToolList() {
		converted := tool{t.Name, t.Description, t.Parameters}
		if len(t.Parameters) == 0 {
			converted.InputSchema = json.RawMessage(`{"type":"object"}`) // the API requires a schema
		}
		out.Tools = append(out.Tools, converted)
	}
	if r.Parameters.MaxTokens != nil {
		out.MaxTokens = *r.Parameters.MaxTokens
	}
	for _, m := range r.Messages {
		if m.Role == model.RoleSystem {
			out.System = append(out.System, block{Type: "text", Text: m.Content})
			continue
		}
		out.Messages = append(out.Messages, m)
	}
	if _, schema := r.AnswerForm(); schema != "" {
		out.OutputConfig = &outputConfig{outputFormat{Type: "json_schema", Schema: withoutEnvelope([]byte(schema))}}
	}
	return out, nil
}

// withoutEnvelope returns a schema without the envelope that OpenAI's API requires.
func withoutEnvelope(schema []byte) json.RawMessage {
	var envelope struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(schema, &envelope) == nil && envelope.Schema != nil {
		return envelope.Schema
	}
	return schema
}

// message has the fields of an answer that are read.
type message struct {
	common
	Type       string `json:"type"`
	Content    []part `json:"content"`
	StopReason string `json:"stop_reason"`
}

// part is a block of an answer.
type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`  // of a tool_use
	Input json.RawMessage `json:"input"` // as Name
}

func (m *message) response(offered bool) model.Response {
	if m.Type != "message" {
		return wire.MalformedResponse("the answer is of type %s instead of message", wire.Quote(m.Type))
	}
	out := wire.Content{Finish: m.StopReason}
	for _, b := range m.Content {
		switch {
		case b.Type == "text":
			out.Texts = append(out.Texts, b.Text)
		case b.Type == "thinking", b.Type == "redacted_thinking":
			out.Texts = append(out.Texts, "") // reasoning alone is an empty answer
		case b.Type == "tool_use" && offered:
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(b.Name), Arguments: arguments(b.Input)})
		default:
			out.Unknown = cmp.Or(out.Unknown, b.Type, "unnamed")
		}
	}
	return out.Response()
}
