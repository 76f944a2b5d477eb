package model

import (
	"bytes"
	"encoding/json"
	"strings"
)

// ToolCall is a call of a tool that a model asks for. Nobody runs it.
type ToolCall struct {
	Name      Untrusted `json:"name"`
	Arguments Untrusted `json:"arguments,omitempty"` // JSON as the model wrote it, which may be faulty; "" for none
}

// UnmarshalJSON reads arguments that are a text, as they are written, and those that people write as the JSON itself.
func (c *ToolCall) UnmarshalJSON(text []byte) error {
	var in struct {
		Name      Untrusted       `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*c = ToolCall{Name: in.Name}
	if len(in.Arguments) == 0 || json.Unmarshal(in.Arguments, &c.Arguments) == nil { // null is none
		return nil
	}
	var body bytes.Buffer
	if err := json.Compact(&body, in.Arguments); err != nil {
		return err
	}
	c.Arguments = Untrusted(body.String())
	return nil
}

// WithCalls is what an answer says to people: its text, and a line for each tool that it calls, name(arguments).
func WithCalls(text Untrusted, calls []ToolCall) Untrusted {
	lines := make([]string, 0, 1+len(calls))
	if text != "" || len(calls) == 0 {
		lines = append(lines, string(text))
	}
	for _, c := range calls {
		lines = append(lines, string(c.Name)+"("+string(c.Arguments)+")")
	}
	return Untrusted(strings.Join(lines, "\n"))
}

// Tool is a tool that a model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON Schema of its arguments
	Strict      bool            `json:"-"`
}

// ToolList are the tools of a request, for providers that have another form for them.
func (r Request) ToolList() (tools []Tool) {
	var list []struct {
		Function struct {
			Tool
			Strict bool `json:"strict"`
		} `json:"function"`
	}
	if r.Tools != "" && json.Unmarshal([]byte(r.Tools), &list) != nil {
		panic("model: tools that were not checked")
	}
	for _, t := range list {
		t.Function.Tool.Strict = t.Function.Strict
		tools = append(tools, t.Function.Tool)
	}
	return tools
}
