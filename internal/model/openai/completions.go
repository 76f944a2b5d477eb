package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// chatRequest is the body of POST /chat/completions. Nil fields are not sent. A temperature of 0 is not nil, and is
// sent.
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

// newChatRequest returns r in the form of the Chat Completions API. OpenAI and Azure take max_completion_tokens for
// every model, and max_tokens only for older models. All other servers take max_tokens.
func (c *Client) newChatRequest(r model.Request) chatRequest {
	out := chatRequest{Model: r.Model, Messages: r.Messages, Temperature: r.Parameters.Temperature,
		TopP:            r.Parameters.TopP,
		ReasoningEffort: c.target.ReasoningEffort, Seed: c.target.Seed, Stop: c.target.Stop,
		Tools: json.RawMessage(r.Tools)}
	switch kind, schema := r.AnswerForm(); {
	case schema != "":
		out.ResponseFormat = &format{Type: kind, JSONSchema: withEnvelope([]byte(schema))}
	case kind != "":
		out.ResponseFormat = &format{Type: kind}
	}
	if c.needsCompletionTokens {
		out.MaxCompletionTokens = r.Parameters.MaxTokens
	} else {
		out.MaxTokens = r.Parameters.MaxTokens
	}
	return out
}

// envelope is the object that the API requires around a schema.
type envelope struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
}

// withEnvelope returns schema in an envelope, or unchanged if it has one already.
func withEnvelope(schema []byte) json.RawMessage {
	var e envelope
	if json.Unmarshal(schema, &e) == nil && e.Schema != nil {
		return schema
	}
	wrapped, err := json.Marshal(envelope{"answer", schema})
	if err != nil {
		return schema // no JSON: the API rejects it
	}
	return wrapped
}

// completion has the fields of a Chat Completions answer that are read.
type completion struct {
	Model          string          `json:"model"`
	Choices        []choice        `json:"choices"`
	Usage          json.RawMessage `json:"usage"`
	PromptFeedback struct {        // sent by Gemini
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
}

type choice struct {
	Message      *message        `json:"message"`
	FinishReason string          `json:"finish_reason"`
	Error        json.RawMessage `json:"error"` // sent by OpenRouter if the model failed midway
}

type message struct {
	Content   json.RawMessage `json:"content"` // a text, null or a list of parts
	Refusal   string          `json:"refusal"`
	ToolCalls []toolCall      `json:"tool_calls"`
}

type toolCall struct {
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string that contains JSON; some servers send the JSON itself
	} `json:"function"`
}

// readCompletion returns a Chat Completions answer as a response. offered reports whether the request offered tools;
// only then are tool calls an answer.
func readCompletion(r wire.Reply, offered bool) model.Response {
	var c completion
	if err := json.Unmarshal(r.Body, &c); err != nil {
		return wire.MalformedResponse("the answer is not a completion: %v", err)
	}
	out := c.response(offered)
	out.Model = c.Model
	out.Usage = model.ReadUsage(c.Usage, "completion_tokens", "prompt_tokens")
	return out
}

// response returns the first choice as a response. A server may send more than the requested one.
func (c completion) response(offered bool) model.Response {
	if len(c.Choices) == 0 {
		if c.PromptFeedback.BlockReason != "" {
			return model.Response{Finish: "content_filter", Refusal: model.Untrusted("the prompt was blocked: " +
				c.PromptFeedback.BlockReason)}
		}
		return wire.MalformedResponse("the answer has no choices")
	}
	first := c.Choices[0]
	if failure, isError := wire.ErrorResponse(first.Error); isError {
		return failure
	}
	if first.Message == nil && model.EndingOf(first.FinishReason) != model.EndingRefused {
		return wire.MalformedResponse("the answer's choice has no message")
	}
	return first.response(offered)
}

func (c choice) response(offered bool) model.Response {
	m := cmp.Or(c.Message, &message{})
	text, hasText, known := textOf(m.Content)
	out := model.Response{Text: model.Untrusted(cmp.Or(text, m.Refusal)), Refusal: model.Untrusted(m.Refusal),
		Finish: c.FinishReason}
	ending := model.EndingOf(c.FinishReason)
	switch {
	case m.Refusal != "", ending == model.EndingRefused:
		return out
	case offered && len(m.ToolCalls) > 0 && known:
		for _, call := range m.ToolCalls {
			if call.Function.Name == "" {
				return wire.UnreadableResponse("the answer calls a tool without a name")
			}
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(call.Function.Name),
				Arguments: arguments(call.Function.Arguments)})
		}
		return out
	case ending == model.EndingUnknown && (c.FinishReason != "" || text == ""): // some servers send complete answers without a reason
		return wire.UnreadableResponse("the answer has the unknown finish reason %s", wire.Quote(c.FinishReason))
	case len(m.ToolCalls) > 0:
		return wire.UnreadableResponse("the answer calls a tool, but none was offered")
	case !known:
		return wire.UnreadableResponse("the answer's content has a part that is not text")
	case !hasText && ending == model.EndingComplete:
		return wire.MalformedResponse("the answer's message has no content")
	}
	return out
}

// arguments returns the arguments of a tool call. raw is a JSON string that contains them, or the arguments themselves.
func arguments(raw json.RawMessage) model.Untrusted {
	var text string
	if json.Unmarshal(raw, &text) == nil { // null becomes ""
		return model.Untrusted(text)
	}
	return model.Untrusted(raw)
}

// textOf returns the text of a message without its reasoning. raw is the text or a list of parts. hasText reports
// whether there is a text. known is false if a part is neither text nor reasoning.
func textOf(raw json.RawMessage) (text string, hasText, known bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", false, true
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, true, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", false, false
	}
	var all strings.Builder
	for _, p := range parts {
		switch p.Type {
		case "text":
			all.WriteString(p.Text)
			hasText = true
		case "thinking", "reasoning":
		default:
			return "", false, false
		}
	}
	return all.String(), hasText, true
}
