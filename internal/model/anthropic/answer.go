package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/usage"
	"github.com/failproof/failproof/internal/model/wire"
)

// message is the part of an answer that is read.
type message struct {
	Type       string          `json:"type"`
	Model      string          `json:"model"`
	Content    []block         `json:"content"`
	StopReason string          `json:"stop_reason"`
	Usage      json.RawMessage `json:"usage"`
}

func readAnswer(r wire.Reply) model.Response {
	var m message
	if err := json.Unmarshal(r.Body, &m); err != nil {
		return wire.Malformed("the answer is no message: %v", err)
	}
	out := m.response()
	out.Model = m.Model
	told := usage.Read(m.Usage)
	out.Usage = model.Usage{
		// What goes through the provider's cache is counted apart from the rest of the prompt.
		TokensIn:  told.Tokens("input_tokens") + told.Tokens("cache_creation_input_tokens") + told.Tokens("cache_read_input_tokens"),
		TokensOut: told.Tokens("output_tokens"),
	}
	return out
}

func (m message) response() model.Response {
	text, unknown := m.text()
	out := model.Response{Text: model.Untrusted(text), Finish: m.StopReason}
	ending := model.EndingOf(m.StopReason)
	switch {
	case m.Type != "message":
		return wire.Malformed("the answer is of type %s instead of message", wire.Quote(m.Type))
	case ending == model.EndingRefused:
		return out
	case ending == model.EndingUnknown:
		return wire.Unreadable("the answer ends with the stop reason %s, which is no answer's", wire.Quote(m.StopReason))
	case unknown != "":
		return wire.Unreadable("the answer has a block of type %s, which is no text", wire.Quote(unknown))
	case len(m.Content) == 0 && ending == model.EndingComplete:
		return wire.Malformed("the answer's content is empty")
	}
	return out
}

// text joins the blocks of text; thoughts are not the answer. unknown is the type of the first block of another kind.
func (m message) text() (text, unknown string) {
	var all strings.Builder
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			all.WriteString(b.Text)
		case "thinking", "redacted_thinking":
		default:
			if unknown == "" {
				unknown = b.Type
			}
		}
	}
	return all.String(), unknown
}
