package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// responsesRequest is the body of POST /responses. The server stores nothing, so every request has all messages.
type responsesRequest struct {
	Model           string          `json:"model"`
	Input           []model.Message `json:"input"`
	Store           bool            `json:"store"`
	Temperature     *float64        `json:"temperature,omitempty"`
	TopP            *float64        `json:"top_p,omitempty"`
	MaxOutputTokens *int            `json:"max_output_tokens,omitempty"`
	Reasoning       *reasoning      `json:"reasoning,omitempty"`
	Text            *textOptions    `json:"text,omitempty"`
	Tools           []flatTool      `json:"tools,omitempty"`
}

// flatTool is a tool in the form of the Responses API. The fields that Chat Completions nests in the field function are
// at its top level. strict is always sent, because its default is true only in the Responses API.
type flatTool struct {
	Type string `json:"type"`
	model.Tool
	Strict bool `json:"strict"`
}

type reasoning struct {
	Effort string `json:"effort"`
}

type textOptions struct {
	Format json.RawMessage `json:"format"`
}

// newResponsesRequest returns r in the form of the Responses API.
func (c *Client) newResponsesRequest(r model.Request) responsesRequest {
	out := responsesRequest{Model: r.Model, Input: r.Messages, Temperature: r.Parameters.Temperature,
		TopP:            r.Parameters.TopP,
		MaxOutputTokens: r.Parameters.MaxTokens}
	for _, t := range r.ToolList() {
		out.Tools = append(out.Tools, flatTool{Type: "function", Tool: t, Strict: t.Strict})
	}
	if c.target.ReasoningEffort != "" {
		out.Reasoning = &reasoning{c.target.ReasoningEffort}
	}
	if kind, schema := r.AnswerForm(); kind != "" {
		out.Text = &textOptions{flatFormat(kind, schema)}
	}
	return out
}

// flatFormat returns a response format in the form of the Responses API. The members of the envelope around the schema
// become members of the format.
func flatFormat(kind, schema string) json.RawMessage {
	members := map[string]json.RawMessage{}
	if schema != "" {
		_ = json.Unmarshal(withEnvelope([]byte(schema)), &members) // package suite has checked it
	}
	members["type"] = json.RawMessage(`"` + kind + `"`) // one of three constants
	text, _ := json.Marshal(members)
	return text
}

// response has the fields of an answer of the Responses API that are read.
type response struct {
	Object            string `json:"object"`
	Model             string `json:"model"`
	Status            string `json:"status"`
	IncompleteDetails struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []outputItem    `json:"output"`
	Usage  json.RawMessage `json:"usage"`
}

type outputItem struct {
	Type      string          `json:"type"`
	Content   []outputPart    `json:"content"`
	Name      string          `json:"name"`      // name of the called function, in an item of type function_call
	Arguments json.RawMessage `json:"arguments"` // arguments of the called function
}

type outputPart struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// readResponse returns an answer of the Responses API as a response. offered reports whether the request offered tools;
// only then are tool calls an answer.
func readResponse(r wire.Reply, offered bool) model.Response {
	var answer response
	if err := json.Unmarshal(r.Body, &answer); err != nil {
		return wire.MalformedResponse("the answer is not a response: %v", err)
	}
	out := answer.response(offered)
	out.Model = answer.Model
	out.Usage = model.ReadUsage(answer.Usage, "output_tokens", "input_tokens")
	return out
}

func (a response) response(offered bool) model.Response {
	if a.Object != "response" {
		return wire.MalformedResponse("the answer is of the object %s instead of response", wire.Quote(a.Object))
	}
	out, hasText, unknown := a.textAndCalls(offered)
	if out.Finish = a.Status; a.Status == "incomplete" {
		out.Finish = a.IncompleteDetails.Reason
	}
	ending := model.EndingOf(out.Finish)
	switch {
	case out.Refusal != "", ending == model.EndingRefused:
		return out
	case ending == model.EndingUnknown:
		return wire.UnreadableResponse("the answer has the unknown status %s", wire.Quote(out.Finish))
	case slices.ContainsFunc(out.ToolCalls, func(c model.ToolCall) bool { return c.Name == "" }):
		return wire.UnreadableResponse("the answer calls a tool without a name")
	case unknown != "":
		return wire.UnreadableResponse("the answer has an output of type %s; expected text", wire.Quote(unknown))
	case !hasText && len(out.ToolCalls) == 0 && ending == model.EndingComplete:
		return wire.MalformedResponse("the answer's output has no text")
	}
	return out
}

// textAndCalls returns a response with the joined texts and the tool calls of an answer, without reasoning. hasText
// reports whether there is a text. unknown is the type of the first part of another kind, such as a tool call if no
// tool was offered.
func (a response) textAndCalls(offered bool) (out model.Response, hasText bool, unknown string) {
	var text strings.Builder
	for _, item := range a.Output {
		switch {
		case item.Type == "message":
			for _, p := range item.Content {
				switch p.Type {
				case "output_text":
					text.WriteString(p.Text)
					hasText = true
				case "refusal":
					out.Refusal += model.Untrusted(p.Refusal)
				default:
					unknown = cmp.Or(unknown, p.Type)
				}
			}
		case item.Type == "reasoning":
		case item.Type == "function_call" && offered:
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(item.Name),
				Arguments: arguments(item.Arguments)})
		default:
			unknown = cmp.Or(unknown, item.Type)
		}
	}
	out.Text = cmp.Or(model.Untrusted(text.String()), out.Refusal)
	return out, hasText, unknown
}
