package provider

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// addMessages adds r in Anthropic's form, which has system messages apart from the conversation.
func addMessages(body object, _ *Client, r model.Request) error {
	if r.Parameters.ResponseFormat == "json_object" {
		return errors.New("the Messages API does not support responseFormat json_object; use json_schema, or ask for " +
			"JSON in the prompt")
	}
	body["max_tokens"] = *cmp.Or(r.Parameters.MaxTokens, new(config.MaxOutputTokens("anthropic")))
	var system []object
	var tools []tool
	messages := []model.Message{}
	for _, m := range r.Messages {
		if m.Role == model.RoleSystem {
			system = append(system, object{"type": "text", "text": m.Content})
		} else {
			messages = append(messages, m)
		}
	}
	if body["messages"] = messages; system != nil {
		body["system"] = system
	}
	for _, t := range r.ToolList() {
		if len(t.Parameters) == 0 {
			t.Parameters = json.RawMessage(`{"type":"object"}`) // the API requires a schema
		}
		tools = append(tools, tool{t.Name, t.Description, t.Parameters})
	}
	if tools != nil {
		body["tools"] = tools
	}
	if _, schema := r.AnswerForm(); schema != "" {
		body["output_config"] = object{"format": object{"type": "json_schema", "schema": envelope(schema)["schema"]}}
	}
	return nil
}

// tool is a tool in Anthropic's form.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
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
