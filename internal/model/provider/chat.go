package provider

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// addChat adds r in the form of the Chat Completions API. OpenAI and Azure take max_completion_tokens for every model,
// and max_tokens only for older models. All other servers take max_tokens.
func addChat(body object, c *Client, r model.Request) error {
	body["messages"] = r.Messages
	set(body, "reasoning_effort", c.target.ReasoningEffort)
	set(body, "seed", c.target.Seed)
	if len(c.target.Stop) > 0 {
		body["stop"] = c.target.Stop
	}
	if r.Tools != "" {
		body["tools"] = json.RawMessage(r.Tools)
	}
	switch kind, schema := r.AnswerForm(); {
	case schema != "":
		body["response_format"] = object{"type": kind, "json_schema": envelope(schema)}
	case kind != "":
		body["response_format"] = object{"type": kind}
	}
	if c.needsCompletionTokens {
		set(body, "max_completion_tokens", r.Parameters.MaxTokens)
	} else {
		set(body, "max_tokens", r.Parameters.MaxTokens)
	}
	return nil
}

// envelope returns the members of the object that OpenAI's API requires around a schema. The schema may have one
// already.
func envelope(schema string) (members map[string]json.RawMessage) {
	if json.Unmarshal([]byte(schema), &members) == nil && members["schema"] != nil {
		return members
	}
	return map[string]json.RawMessage{"name": json.RawMessage(`"answer"`), "schema": json.RawMessage(schema)}
}

// completion has the fields of a Chat Completions answer that are read.
type completion struct {
	common
	Choices        []choice `json:"choices"`
	PromptFeedback struct { // sent by Gemini
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
}

type choice struct {
	Message      *chatMessage `json:"message"`
	FinishReason string       `json:"finish_reason"`
	Error        any          `json:"error"` // sent by OpenRouter if the model failed midway
}

type chatMessage struct {
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
	m := cmp.Or(c.Message, &chatMessage{})
	texts, unknown := textsOf(m.Content)
	// Some servers send complete answers without a finish reason.
	out := wire.Content{Texts: texts, Refusal: m.Refusal, Finish: c.FinishReason, Unknown: unknown,
		MayLackFinish: strings.Join(texts, "") != ""}
	for _, call := range m.ToolCalls {
		if !offered {
			out.Unknown = "tool_calls"
			break
		}
		out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(call.Function.Name),
			Arguments: arguments(call.Function.Arguments)})
	}
	return out.Response()
}

// arguments returns the arguments of a tool call. raw is a JSON string that contains them, or the arguments themselves.
func arguments(raw json.RawMessage) model.Untrusted {
	var text string
	if json.Unmarshal(raw, &text) == nil { // null becomes ""
		return model.Untrusted(text)
	}
	return model.Untrusted(raw)
}

// textsOf returns the texts of a message without its reasoning. raw is one text, null or a list of parts. unknown is
// the type of the first part that is neither text nor reasoning, or "".
func textsOf(raw json.RawMessage) (texts []string, unknown string) {
	var text *string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		if text != nil {
			texts = []string{*text}
		}
		return texts, ""
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return nil, "object"
	}
	for _, p := range parts {
		switch p.Type {
		case "text":
			texts = append(texts, p.Text)
		case "thinking", "reasoning":
		default:
			unknown = cmp.Or(unknown, p.Type, "unnamed")
		}
	}
	return texts, unknown
}
