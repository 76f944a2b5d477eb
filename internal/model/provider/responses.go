package provider

import (
	"cmp"
	"encoding/json"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// addResponses adds r in the form of the Responses API. The server stores nothing, so every request has all messages.
func addResponses(body object, c *Client, r model.Request) error {
	body["input"], body["store"] = r.Messages, false
	set(body, "max_output_tokens", r.Parameters.MaxTokens)
	if c.target.ReasoningEffort != "" {
		body["reasoning"] = object{"effort": c.target.ReasoningEffort}
	}
	if kind, schema := r.AnswerForm(); kind != "" {
		format := object{}
		if schema != "" { // the members of the envelope around the schema become members of the format
			for name, value := range envelope(schema) {
				format[name] = value
			}
		}
		format["type"] = kind
		body["text"] = object{"format": format}
	}
	var tools []flatTool
	for _, t := range r.ToolList() {
		tools = append(tools, flatTool{"function", t})
	}
	if tools != nil {
		body["tools"] = tools
	}
	return nil
}

// flatTool is a tool in the form of the Responses API. The fields that Chat Completions nests in the field function are
// at its top level.
type flatTool struct {
	Type string `json:"type"`
	model.Tool
}

// response has the fields of an answer of the Responses API that are read.
type response struct {
	common
	Object            string `json:"object"`
	Status            string `json:"status"`
	IncompleteDetails struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []outputItem `json:"output"`
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

func (r *response) response(offered bool) model.Response {
	if r.Object != "response" {
		return wire.MalformedResponse("the answer is of the object %s instead of response", wire.Quote(r.Object))
	}
	out := wire.Content{Finish: r.Status}
	if r.Status == "incomplete" {
		out.Finish = r.IncompleteDetails.Reason
	}
	if model.EndingOf(out.Finish) == model.EndingUnknown { // with calls of tools too
		return wire.UnreadableResponse("the answer has the unknown status %s", wire.Quote(out.Finish))
	}
	for _, item := range r.Output {
		switch {
		case item.Type == "message":
			for _, p := range item.Content {
				switch p.Type {
				case "output_text":
					out.Texts = append(out.Texts, p.Text)
				case "refusal":
					out.Refusal += p.Refusal
				default:
					out.Unknown = cmp.Or(out.Unknown, p.Type, "unnamed")
				}
			}
		case item.Type == "reasoning":
		case item.Type == "function_call" && offered:
			out.ToolCalls = append(out.ToolCalls, model.ToolCall{Name: model.Untrusted(item.Name),
				Arguments: arguments(item.Arguments)})
		default:
			out.Unknown = cmp.Or(out.Unknown, item.Type, "unnamed")
		}
	}
	return out.Response()
}
