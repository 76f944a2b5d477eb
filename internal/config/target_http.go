package config

import (
	"cmp"
	"errors"
	"net/url"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model/body"
	"github.com/failproof/failproof/internal/text"
)

// HTTP describes the request to the user's own application and how to read its response.
type HTTP struct {
	URL    string
	Method string // "": POST
	Body   *body.Template
	Answer Answer
}

// Answer has the expressions that find the parts of an answer in an application's response. All fields except Text may
// be nil.
type Answer struct {
	Text         *expect.Extract // the answer
	Refusal      *expect.Extract // the words of a refusal; empty if the answer is not a refusal
	FinishReason *expect.Extract
	Model        *expect.Extract // the model that answered
	Usage        *expect.Extract // an object with input_tokens, output_tokens and cost_usd
}

// answerPart is an expression of an Answer with its key.
type answerPart struct {
	key  string
	expr **expect.Extract
}

func (a *Answer) parts() []answerPart {
	return []answerPart{{"text", &a.Text}, {"refusal", &a.Refusal}, {"finish_reason", &a.FinishReason},
		{"model", &a.Model}, {"usage", &a.Usage}}
}

// String returns the expressions on one line, each after the name of its key.
func (a Answer) String() string {
	var all []string
	for _, part := range a.parts() {
		if *part.expr != nil {
			all = append(all, part.key+": "+(*part.expr).String())
		}
	}
	return strings.Join(all, "; ")
}

func readHTTP(r *reader, n *document.Node) (h HTTP) {
	if node := n.Get("body"); node != nil && node.Kind == document.Map {
		template, faults := body.Parse(node)
		for _, f := range faults {
			r.ErrorAt(f.At, "body", "in body: %s", f.Message)
		}
		if variables, all := template.Variables(); len(faults) == 0 && len(variables) == 0 && !all &&
			!template.Uses(body.Prompt) && !template.Uses(body.Messages) {
			r.ErrorAt(n.KeyPos("body"), "body", "the body contains nothing of a case; write \"{{ prompt }}\", "+
				"\"{{ messages }}\" or \"{{ vars.NAME }}\" in it")
		}
		h.Body = template
	}
	switch node := n.Get("answer"); {
	case node == nil:
	case node.Kind == document.String:
		h.Answer.Text = readExtract(r, node)
	default:
		for _, part := range h.Answer.parts() {
			*part.expr = readExtract(r, node.Get(part.key))
		}
	}
	return h
}

// readExtract returns the compiled expression in n. It returns nil if n has none, or if the expression has an error,
// which it reports.
func readExtract(r *reader, n *document.Node) *expect.Extract {
	if n.AsText() == "" {
		return nil
	}
	x, err := expect.CompileExtract(n.Text)
	if fault, ok := errors.AsType[*expect.CompileError](err); ok {
		at := ""
		if runes := []rune(n.Text); fault.Offset > 0 && fault.Offset <= len(runes) {
			at = " at " + document.Quote(string(runes[fault.Offset:]))
		}
		r.ErrorAt(n.Pos, "expression", "%s%s; it sees response.json, response.status and response.headers",
			fault.Message, at)
	}
	return x
}

// checkHTTP reports keys that the target of an application needs and n lacks, keys that it ignores, and a rejected
// address.
func checkHTTP(r *reader, t Target, n *document.Node) {
	if t.Provider != ProviderHTTP {
		return
	}
	r.reportProblem(n, "url", "url", withoutUser(t.HTTP.URL), applicationURLProblem(t.HTTP.URL, t.AllowHTTP))
	if t.HTTP.Body == nil {
		return
	}
	for _, key := range []string{"temperature", "top_p", "max_tokens"} {
		if n.Get(key) != nil && !t.HTTP.Body.Uses(body.Parameters) {
			r.ErrorAt(n.KeyPos(key), "contradiction", "`%s` is not sent: the body has no \"{{ parameters }}\"", key)
		}
	}
	switch sent := t.HTTP.Body.Uses(body.Model); {
	case sent && t.Model == "":
		r.ErrorAt(n.Pos, "missing-key", "`model` is missing in target %s; its body has {{ model }}",
			document.Quote(t.Name))
	case !sent && t.Model != "":
		r.ErrorAt(n.KeyPos("model"), "contradiction", "`model` is not sent: the body has no \"{{ model }}\"")
	}
}

// applicationURLProblem returns why the address of an application is rejected, or "".
func applicationURLProblem(address string, allowHTTP bool) string {
	u, err := url.Parse(address)
	wrong := addressProblem(u, err, allowHTTP)
	switch {
	case strings.Contains(address, "{{"):
		return "cannot contain {{ … }}; only the body can"
	case wrong != "":
		return wrong
	case u.Fragment != "" || u.ForceQuery:
		return "has a fragment or an empty query; leave it out"
	case looksSecret(address):
		return "contains something like a key; send it in a header, from a variable"
	}
	return ""
}

// Values of Target.API.
const (
	APIChat      = "chat"
	APIResponses = "responses"
)

// maxExtraBody is the largest extra_body, in bytes of JSON.
const maxExtraBody = 16 << 10

// reservedMembers has, for each API, the members of a request body that extra_body must not set. failproof sets them
// itself, or they would make answers unreadable. Each member maps to the key of the target that sets it, or to "".
var reservedMembers = map[string]map[string]string{
	APIChat: text.ByName(map[string]string{
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "seed": "`seed`", "stop": "`stop`",
		"max_tokens|max_completion_tokens": "`max_tokens`", "reasoning_effort": "`reasoning_effort`",
		"response_format": "`structured_output`",
		"messages|stream|stream_options|n|tools|tool_choice|functions|function_call|modalities|audio": "",
	}),
	APIResponses: text.ByName(map[string]string{
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "max_output_tokens": "`max_tokens`",
		"reasoning": "`reasoning_effort`", "text": "`structured_output`",
		"input|instructions|prompt|stream|stream_options|store|background|conversation|previous_response_id": "",
		"tools|tool_choice": "",
	}),
}

// readExtraBody returns extra_body as JSON, or "" if it is empty. It reports members that extra_body must not set.
func readExtraBody(r *reader, n *document.Node, api string) string {
	if n.AsMap() == nil || len(n.Keys) == 0 {
		return ""
	}
	for _, key := range n.Keys {
		instead, reserved := reservedMembers[cmp.Or(api, APIChat)][key.Text]
		switch {
		case reserved && instead != "":
			r.ErrorAt(key.Pos, "extra-body", "`%s` is set by %s of the target, not by extra_body",
				document.Line(key.Text), instead)
		case reserved:
			r.ErrorAt(key.Pos, "extra-body", "failproof sets `%s` itself, or cannot read answers with it; remove "+
				"it", document.Line(key.Text))
		}
	}
	extra := string(text.MustJSON(n.Value()))
	switch {
	case len(extra) > maxExtraBody:
		r.ErrorAt(n.Pos, "extra-body", "extra_body is %d bytes of JSON; at most %d are allowed", len(extra),
			maxExtraBody)
	case looksSecret(extra):
		r.ErrorAt(n.Pos, "extra-body",
			"extra_body contains something like a key; send keys in a header, from a variable")
	}
	return extra
}
