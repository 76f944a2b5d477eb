package anthropic

import (
	"encoding/json"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
)

// request is the body of POST /v1/messages.
type request struct {
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

// toolsOf are the tools of a request, each with the schema that the API asks for.
func toolsOf(r model.Request) (tools []tool) {
	for _, t := range r.ToolList() {
		schema := t.Parameters
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object"}`)
		}
		tools = append(tools, tool{t.Name, t.Description, schema})
	}
	return tools
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

// requestOf puts r into Anthropic's form, in which system messages stand before the talk, wherever the prompt had them.
func requestOf(r model.Request) request {
	out := request{Model: r.Model, MaxTokens: config.MostOut("anthropic"), Messages: []model.Message{},
		Temperature: r.Parameters.Temperature, TopP: r.Parameters.TopP, Tools: toolsOf(r)}
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
	if _, schema := r.Form(); schema != "" {
		out.OutputConfig = &outputConfig{outputFormat{Type: "json_schema", Schema: bare([]byte(schema))}}
	}
	return out
}

// bare is a schema without the envelope that OpenAI's API wants around it.
func bare(schema []byte) json.RawMessage {
	var envelope struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(schema, &envelope) == nil && envelope.Schema != nil {
		return envelope.Schema
	}
	return schema
}
