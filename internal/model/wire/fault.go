package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// How much of an error's texts is kept, in bytes.
const (
	messageBytes = 2000
	codeBytes    = 80
)

// fault is an error that a provider reported: nobody's fault (an outage, a limit, a key), the candidate's own (a
// request that is bad or too long), or a filter's refusal. It reads the words and codes of all providers, since most
// speak OpenAI's protocol with errors of their own.
type fault struct {
	Status  int      // of HTTP, or the one that the error names beside a success; 0: neither
	Codes   []string // the error's code, type and status words
	Param   string   // the field of the request that it is about; "" if none is named
	Message string

	After time.Duration // ask again at the earliest; 0: not said
	Retry *bool         // the provider says whether asking again helps (x-should-retry); nil: it does not

	named int // a status that the error's own code names
}

// response returns the request's response: a refusal by the provider's filter, or a failure.
func (f fault) response() model.Response {
	reason := f.reason()
	if reason == filtered {
		return model.Response{Refusal: model.Untrusted(f.words()), Finish: "content_filter"}
	}
	return model.Response{Failure: &model.Failure{
		Message: model.Untrusted(f.String()), Reason: reason, Status: f.Status, Retry: f.retry(reason),
		Stop: reason == model.ReasonQuota || reason == model.ReasonAuth,
	}, MayCost: reason == model.ReasonTimeout}
}

// words is what the filter said, and never empty.
func (f fault) words() string {
	if f.Message != "" {
		return cut(f.Message, messageBytes)
	}
	return f.String()
}

// String is the fault in one line: its status, code and message.
func (f fault) String() string {
	var parts []string
	if f.Status > 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", f.Status))
	}
	if len(f.Codes) > 0 {
		parts = append(parts, cut(f.Codes[0], codeBytes))
	}
	head := strings.Join(parts, " ")
	switch {
	case head == "" && f.Message == "":
		return "an error without a message"
	case head == "":
		return cut(f.Message, messageBytes)
	case f.Message == "":
		return head
	}
	return head + ": " + cut(f.Message, messageBytes)
}

// retry says whether and how often to ask again.
func (f fault) retry(reason string) *model.Retry {
	stop := reason == model.ReasonQuota || reason == model.ReasonAuth
	if stop || f.Retry != nil && !*f.Retry {
		return nil
	}
	switch reason {
	case model.ReasonRateLimit, model.ReasonServer:
		return &model.Retry{After: f.After}
	case model.ReasonTimeout, model.ReasonProtocol:
		return &model.Retry{After: f.After, Max: 1}
	}
	if f.Retry != nil {
		return &model.Retry{After: f.After}
	}
	return nil
}

// cut shortens a text to n bytes, and says so.
func cut(s string, n int) string {
	if head := text.Head(s, n); head != s {
		return head + "…"
	}
	return s
}

type object map[string]json.RawMessage

// parseFault reads the error in a body, in any provider's form: {"error": {…}} (OpenAI, Azure, Anthropic, OpenRouter,
// llama.cpp), the same in a list (Gemini), {"error": "…"} (Ollama), the error's own fields at the top (vLLM, Azure's
// gateway), {"detail": …} (servers in Python). isError is false if there is none; with a status below 400 only a body
// that calls itself an error is one.
func parseFault(status int, body []byte) (f fault, isError bool) {
	f = fault{Status: status}
	top := topOf(body)
	inner, found := top["error"]
	switch {
	case found && isSomething(inner):
		f.read(inner)
		f.text("code", top["code"])
		isError = true
	case status >= 400, textOf(top["object"]) == "error", textOf(top["type"]) == "error":
		f.fields(top)
		isError = true
	}
	f.settleStatus()
	return f, isError
}

// Failed reads the value of an "error" key beside an answer, if it is an error.
func Failed(value []byte) (r model.Response, isError bool) {
	if !isSomething(value) {
		return r, false
	}
	f := fault{Status: 200}
	f.read(value)
	f.settleStatus()
	return f.response(), true
}

// isSomething reports whether a value stands for an error: it is not null, false or empty.
func isSomething(value []byte) bool {
	switch string(bytes.TrimSpace(value)) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

// topOf is the object of a body, or the first one of a list.
func topOf(body []byte) object {
	var top object
	if json.Unmarshal(body, &top) == nil {
		return top
	}
	var list []object
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return nil
}

func (f *fault) read(value []byte) {
	var fields object
	if json.Unmarshal(value, &fields) == nil {
		f.fields(fields)
		return
	}
	f.Message = textOf(value)
}

func (f *fault) fields(o object) {
	for _, key := range []string{"code", "type", "status", "statusCode"} {
		f.text(key, o[key])
	}
	f.Param, f.Message = textOf(o["param"]), cmp.Or(textOf(o["message"]), textOf(o["detail"]))
	var within object
	if json.Unmarshal(o["innererror"], &within) == nil { // Azure's content filter
		f.text("code", within["code"])
	}
	within = nil
	if json.Unmarshal(o["metadata"], &within) == nil { // OpenRouter
		f.text("error_type", within["error_type"])
		if isSomething(within["reasons"]) || isSomething(within["flagged_input"]) {
			f.Codes = append(f.Codes, "moderation")
		}
	}
	f.retryInfo(o["details"])
}

// text notes a code. A code that is an HTTP status becomes the status, unless that is more specific.
func (f *fault) text(key string, value json.RawMessage) {
	word := textOf(value)
	if n, err := strconv.Atoi(word); err == nil {
		if f.named == 0 && n >= 400 && n < 600 {
			f.named = n
		}
		return
	}
	if word != "" && !(key == "type" && word == "error") {
		f.Codes = append(f.Codes, word)
	}
}

// settleStatus takes the status that the error names where HTTP's says nothing.
func (f *fault) settleStatus() {
	if f.Status < 400 {
		f.Status = f.named
	}
}

// retryInfo reads Gemini's google.rpc.RetryInfo: {"retryDelay": "7s"}.
func (f *fault) retryInfo(details []byte) {
	var list []struct {
		RetryDelay string `json:"retryDelay"`
	}
	if json.Unmarshal(details, &list) != nil {
		return
	}
	for _, d := range list {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			f.After = wait
		}
	}
}

// textOf returns a text or a number as written; "" for other values, except for Python's list of details.
func textOf(value []byte) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(value, &number) == nil {
		return number.String()
	}
	var details []struct {
		Msg string `json:"msg"`
	}
	if json.Unmarshal(value, &details) != nil {
		return ""
	}
	var all []string
	for _, d := range details {
		all = append(all, d.Msg)
	}
	return strings.Join(all, "; ")
}
