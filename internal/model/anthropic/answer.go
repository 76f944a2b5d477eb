package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// message is the part of an answer that is read.
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
	Input json.RawMessage `json:"input"` // likewise
}

// readAnswer makes a response of a message. Calls of tools are an answer where tools were offered.
func readAnswer(r wire.Reply, offered bool) model.Response {
	var m message
	if err := json.Unmarshal(r.Body, &m); err != nil {
		return wire.Malformed("the answer is no message: %v", err)
	}
	out := m.response(offered)
	out.Model = m.Model
	// What goes through the provider's cache is counted apart from the rest of the prompt.
	out.Usage = model.ReadUsage(m.Usage, "output_tokens", "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
	return out
}

func (m message) response(offered bool) model.Response {
	text, calls, unknown := m.said(offered)
	out := model.Response{Text: model.Untrusted(text), ToolCalls: calls, Finish: m.StopReason}
	ending := model.EndingOf(m.StopReason)
	switch {
	case m.Type != "message":
		return wire.Malformed("the answer is of type %s instead of message", wire.Quote(m.Type))
	case ending == model.EndingRefused:
		return out
	case ending == model.EndingUnknown && len(calls) == 0:
		return wire.Unreadable("the answer ends with the stop reason %s, which is no answer's", wire.Quote(m.StopReason))
	case slices.ContainsFunc(calls, func(c model.ToolCall) bool { return c.Name == "" }):
		return wire.Unreadable("the answer calls a tool without a name")
	case unknown != "":
		return wire.Unreadable("the answer has a block of type %s, which is no text", wire.Quote(unknown))
	case len(m.Content) == 0 && ending == model.EndingComplete:
		return wire.Malformed("the answer's content is empty")
	}
	return out
}

// said joins the blocks of text and gathers the calls of tools; thoughts are not the answer. unknown is the type of the first block of
// another kind.
func (m message) said(offered bool) (text string, calls []model.ToolCall, unknown string) {
	var all strings.Builder
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			all.WriteString(b.Text)
		case "thinking", "redacted_thinking":
		default:
			if b.Type == "tool_use" && offered {
				calls = append(calls, model.ToolCall{Name: model.Untrusted(b.Name), Arguments: model.Untrusted(b.Input)})
			} else if unknown == "" {
				unknown = b.Type
			}
		}
	}
	return all.String(), calls, unknown
}
