package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model"
)

// Content is what a provider's message says.
type Content struct {
	Texts         []string // parts of the text, each of which may be empty
	Refusal       string
	Finish        string
	MayLackFinish bool // a message without a finish reason is complete
	ToolCalls     []model.ToolCall
	Unknown       string // type of the first part that is no text, reasoning or call of an offered tool; "" for none
}

// Response returns the content as a response: an answer, a refusal, or the failure that the message has no answer.
func (c Content) Response() model.Response {
	ending := model.EndingOf(c.Finish)
	switch {
	case c.Refusal != "", ending == model.EndingRefused:
	case slices.ContainsFunc(c.ToolCalls, func(t model.ToolCall) bool { return t.Name == "" }):
		return UnreadableResponse("the answer calls a tool without a name")
	case c.Unknown != "":
		return UnreadableResponse("the answer has a part of type %s; expected text", Quote(c.Unknown))
	case len(c.ToolCalls) > 0:
	case ending == model.EndingUnknown && (c.Finish != "" || !c.MayLackFinish):
		return UnreadableResponse("the answer has the unknown finish reason %s", Quote(c.Finish))
	case len(c.Texts) == 0 && ending != model.EndingTruncated:
		return MalformedResponse("the answer has no text")
	}
	return model.Response{Text: model.Untrusted(cmp.Or(strings.Join(c.Texts, ""), c.Refusal)), Refusal: model.Untrusted(c.Refusal),
		Finish: c.Finish, ToolCalls: c.ToolCalls}
}
