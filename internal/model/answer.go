package model

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Ending is the meaning of a finish or stop reason.
type Ending int

const (
	EndingUnknown   Ending = iota // an unknown reason: there may be no answer, or not all of it
	EndingComplete                // the model said all that it wanted
	EndingTruncated               // it was truncated at a length limit
	EndingRefused                 // the model declined, or its provider's filter stopped it
)

// EndingOf returns the meaning of a finish or stop reason in the words of a provider: OpenAI and Azure (stop, length,
// content_filter; in the Responses API also completed and max_output_tokens), Anthropic (end_turn, max_tokens,
// refusal), Gemini (STOP, MAX_TOKENS, SAFETY, RECITATION; also after "content_filter:"), Bedrock (guardrail_intervened,
// content_filtered), Cohere (COMPLETE, ERROR_TOXIC), Mistral (model_length) and servers of open models (eos).
func EndingOf(finish string) Ending {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(finish)), ":")
	switch strings.ReplaceAll(strings.TrimPrefix(word, "finish_reason_"), "-", "_") {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "complete", "completed":
		return EndingComplete
	case "length", "max_tokens", "max_output_tokens", "max_length", "model_length", "model_context_window_exceeded":
		return EndingTruncated
	case "refusal", "content_filter", "content_filtered", "contentfilter", "error_toxic", "guardrail_intervened",
		"safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety",
		"image_prohibited_content", "blocked":
		return EndingRefused
	}
	return EndingUnknown
}

// maxTokens is the largest accepted count of tokens. The longest contexts have about ten million.
const maxTokens = 1_000_000_000

// ReadUsage reads token counts from a target's JSON object. output names the member with the output tokens, and inputs
// names the members whose sum is the input tokens. Each count is rounded up. A count that is missing or cannot be read
// is 0, because a paid answer must not be lost for it.
func ReadUsage(object json.RawMessage, output string, inputs ...string) (u Usage) {
	tokens := func(name string) int {
		v, known := numberMember(object, name)
		if !known || v > maxTokens {
			return 0
		}
		return int(math.Ceil(v))
	}
	for _, name := range inputs {
		u.TokensIn += tokens(name)
	}
	u.TokensOut = tokens(output)
	return u
}

// ReadCost reads the member cost_usd of an object.
func ReadCost(object json.RawMessage) (c Cost) {
	c.USD, c.Known = numberMember(object, "cost_usd")
	return c
}

// numberMember returns the value of the member name, which is a number, or a string with only a number. It returns
// false for any other value, and for a negative number.
func numberMember(object json.RawMessage, name string) (v float64, known bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return 0, false
	}
	var text string
	if json.Unmarshal(members[name], &text) != nil {
		text = string(members[name])
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// ToolCall is a tool call that a model requests. failproof never runs it.
type ToolCall struct {
	Name      Untrusted `json:"name"`
	Arguments Untrusted `json:"arguments,omitempty"` // JSON as the model wrote it, possibly invalid; "" for none
}

// UnmarshalJSON reads arguments as a string, or as a JSON object, as people write them.
func (c *ToolCall) UnmarshalJSON(text []byte) error {
	var in struct {
		Name      Untrusted       `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*c = ToolCall{Name: in.Name}
	if len(in.Arguments) == 0 || json.Unmarshal(in.Arguments, &c.Arguments) == nil { // null becomes ""
		return nil
	}
	var body bytes.Buffer
	if err := json.Compact(&body, in.Arguments); err != nil {
		return err
	}
	c.Arguments = Untrusted(body.String())
	return nil
}

// FormatAnswer formats an answer for people: its text, and a line name(arguments) for each tool call.
func FormatAnswer(text Untrusted, calls []ToolCall) Untrusted {
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
	Strict      bool            `json:"strict"`               // always written: Responses has another default
}

// ToolList returns the tools of a request, for providers whose API does not take them in the form of Chat Completions.
func (r Request) ToolList() (tools []Tool) {
	var list []struct {
		Function Tool `json:"function"`
	}
	if r.Tools != "" && json.Unmarshal([]byte(r.Tools), &list) != nil {
		panic("model: tools that were not checked")
	}
	for _, t := range list {
		tools = append(tools, t.Function)
	}
	return tools
}
