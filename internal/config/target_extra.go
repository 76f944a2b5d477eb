package config

import (
	"cmp"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/body"
)

// APIs of OpenAI.
const (
	APIChat      = "chat"
	APIResponses = "responses"
)

// maxExtraBody bounds what is added to a body, in bytes of JSON.
const maxExtraBody = 16 << 10

// ownMembers are the members of a body that failproof writes or that an answer could not be read with, by what to write instead.
var ownMembers = map[string]map[string]string{
	APIChat: {
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "max_tokens": "`max_tokens`", "max_completion_tokens": "`max_tokens`",
		"reasoning_effort": "`reasoning_effort`", "seed": "`seed`", "stop": "`stop`", "response_format": "`structured_output`",
		"messages": "", "stream": "", "stream_options": "", "n": "", "tools": "", "tool_choice": "", "functions": "", "function_call": "", "modalities": "", "audio": "",
	},
	APIResponses: {
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "max_output_tokens": "`max_tokens`", "reasoning": "`reasoning_effort`", "text": "`structured_output`",
		"input": "", "instructions": "", "prompt": "", "stream": "", "stream_options": "", "store": "", "background": "", "conversation": "", "previous_response_id": "",
		"tools": "", "tool_choice": "",
	},
}

// extraBody reads what is added to a body, as JSON.
func (r *reader) extraBody(n *document.Node, api string) string {
	if n.AsMap() == nil || len(n.Keys) == 0 {
		return ""
	}
	for _, key := range n.Keys {
		instead, own := ownMembers[cmp.Or(api, APIChat)][key.Text]
		switch {
		case own && instead != "":
			r.faultAt(key.Pos, "extra-body", "`%s` is set by %s of the target, not by extra_body", document.Line(key.Text), instead)
		case own:
			r.faultAt(key.Pos, "extra-body", "`%s` is failproof's to write, or gives answers that it cannot read; leave it out", document.Line(key.Text))
		}
	}
	text := body.JSON(n)
	switch {
	case len(text) > maxExtraBody:
		r.errorAt(n, "extra-body", "extra_body is %d bytes of JSON; at most %d are allowed", len(text), maxExtraBody)
	case looksSecret(text):
		r.errorAt(n, "extra-body", "extra_body holds what looks like a key, which must not stand in a file; send it in a header, from a variable")
	}
	return text
}
