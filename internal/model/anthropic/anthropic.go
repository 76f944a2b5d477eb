// Package anthropic calls Anthropic's Messages API once for each answer. Package schedule repeats calls.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// apiVersion is the API version of the requests.
const apiVersion = "2023-06-01"

// Client is a model.Client of one target.
type Client struct{ *wire.Endpoint }

// New returns a client of a target.
func New(t config.Target, access wire.Access) (*Client, error) {
	address, err := endpoint(t.Address())
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set("Anthropic-Version", apiVersion)
	o := wire.Options{URL: address, Header: header, Access: access, KeyHeader: "X-Api-Key",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}
	if access.KeyFile != nil { // a token of a cloud gateway, which expires
		o.KeyHeader, o.KeyPrefix = "Authorization", "Bearer "
	}
	return &Client{wire.New(o)}, nil
}

// Answer makes one call.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if r.Parameters.ResponseFormat == "json_object" {
		return wire.RejectedResponse("the Messages API does not support responseFormat json_object; use json_schema, or ask " +
			"for JSON in the prompt"), nil
	}
	body, err := json.Marshal(newRequest(r))
	if err != nil {
		return wire.RejectedResponse("the request is not JSON: %v", err), nil
	}
	return c.Call(ctx, body, func(reply wire.Reply) model.Response { return readAnswer(reply, r.Tools != "") })
}

// endpoint returns the address of messages. The base address may end in the API's /v1 or not.
func endpoint(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, errors.New("base_url is not an address")
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, "/v1/messages"):
	case strings.HasSuffix(path, "/v1"):
		path += "/messages"
	default:
		path += "/v1/messages"
	}
	u.Path, u.RawPath = path, ""
	return u, nil
}

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

// newRequest converts r into Anthropic's form, which has system messages apart from the conversation.
func newRequest(r model.Request) request {
	out := request{Model: r.Model, MaxTokens: config.MaxOutputTokens("anthropic"), Messages: []model.Message{},
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
	return out
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
	Type       string          `json:"type"`
	Model      string          `json:"model"`
	Content    []part          `json:"content"`
	StopReason string          `json:"stop_reason"`
	Usage      json.RawMessage `json:"usage"`
}

// part is a block of an answer.
type part struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`  // of a tool_use
	Input json.RawMessage `json:"input"` // as Name
}

// readAnswer converts a message into a response. Tool calls are an answer if tools were offered.
func readAnswer(r wire.Reply, offered bool) model.Response {
	var m message
	if err := json.Unmarshal(r.Body, &m); err != nil {
		return wire.MalformedResponse("the answer is not a message: %v", err)
	}
	out := m.response(offered)
	out.Model = m.Model
	// Tokens that go through the provider's cache are counted apart.
	out.Usage = model.ReadUsage(m.Usage, "output_tokens", "input_tokens", "cache_creation_input_tokens",
		"cache_read_input_tokens")
	return out
}

func (m message) response(offered bool) model.Response {
	out, unknown := m.textAndCalls(offered)
	out.Finish = m.StopReason
	ending := model.EndingOf(m.StopReason)
	switch {
	case m.Type != "message":
		return wire.MalformedResponse("the answer is of type %s instead of message", wire.Quote(m.Type))
	case ending == model.EndingRefused:
		return out
	case ending == model.EndingUnknown && len(out.ToolCalls) == 0:
		return wire.UnreadableResponse("the answer has the unknown stop reason %s", wire.Quote(m.StopReason))
	case slices.ContainsFunc(out.ToolCalls, func(c model.ToolCall) bool { return c.Name == "" }):
		return wire.UnreadableResponse("the answer calls a tool without a name")
	case unknown != "":
		return wire.UnreadableResponse("the answer has a block of type %s; expected text", wire.Quote(unknown))
	case len(m.Content) == 0 && ending == model.EndingComplete:
		return wire.MalformedResponse("the answer's content is empty")
	}
	return out
}

// textAndCalls joins the text blocks and collects the tool calls. It skips reasoning text. unknown is the type of the
// first other block.
func (m message) textAndCalls(offered bool) (out model.Response, unknown string) {
	var text strings.Builder
	for _, b := range m.Content {
		switch {
		case b.Type == "text":
			text.WriteString(b.Text)
		case b.Type == "thinking", b.Type == "redacted_thinking":
		case b.Type == "tool_use" && offered:
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(b.Name),
				Arguments: model.Untrusted(b.Input)})
		default:
			unknown = cmp.Or(unknown, b.Type)
		}
	}
	out.Text = model.Untrusted(text.String())
	return out, unknown
}
