package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/text"
)

// Lengths in bytes to which the texts of an error are shortened.
const (
	messageBytes = 2000
	codeBytes    = 80
)

// fault is an error that a provider reported. Its cause may be outside (an outage, a limit, a key), in the prompt under
// test (an invalid or too long request), or a content filter. The words and codes of all providers are read together,
// because most providers speak OpenAI's protocol but have errors of their own.
type fault struct {
	Status  int      // HTTP status; for a successful status, the status that the error names; 0: none
	Codes   []string // the error's code, type and status words
	Param   string   // the field of the request with the error; "" if not named
	Message string

	After time.Duration // wait before a retry; 0: not stated
	Retry *bool         // the provider states whether a retry helps (x-should-retry); nil: not stated

	namedStatus int // a status from 400 to 599 among the codes; 0: none
}

// response returns the error as a response: a refusal if the provider's content filter stopped the request, otherwise a
// failure.
func (f fault) response() model.Response {
	reason := f.reason()
	if reason == filtered {
		words := cmp.Or(text.TruncateBytes(f.Message, messageBytes), f.String())
		return model.Response{Refusal: model.Untrusted(words), Finish: "content_filter"}
	}
	failure := &model.Failure{Message: model.Untrusted(f.String()), Reason: reason, Status: f.Status,
		StopsTarget: reason == model.ReasonQuota || reason == model.ReasonAuth}
	if !failure.StopsTarget {
		failure.Retry = f.retry(reason)
	}
	return model.Response{Failure: failure, MayCost: reason == model.ReasonTimeout}
}

// String returns the error on one line: its status, code and message.
func (f fault) String() string {
	var parts []string
	if f.Status > 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", f.Status))
	}
	if len(f.Codes) > 0 {
		parts = append(parts, text.TruncateBytes(f.Codes[0], codeBytes))
	}
	all := slices.DeleteFunc([]string{strings.Join(parts, " "), text.TruncateBytes(f.Message, messageBytes)},
		func(part string) bool { return part == "" })
	return cmp.Or(strings.Join(all, ": "), "an error without a message")
}

// retry returns how a request that failed for the given reason is retried, or nil if a retry would not help.
func (f fault) retry(reason string) *model.Retry {
	if f.Retry != nil && !*f.Retry {
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

type object map[string]json.RawMessage

// parseFault reads the error in the body of a response. isError reports whether the response is an error: status is 400
// or above, or the body names an error. The providers have these forms:
//
//   - {"error": {…}} (OpenAI, Azure, Anthropic, OpenRouter, llama.cpp), or the same in a list (Gemini);
//   - {"error": "…"} (Ollama);
//   - fields at the top (vLLM, Azure's gateway);
//   - {"detail": …} (Python servers).
func parseFault(status int, body []byte) (f fault, isError bool) {
	f = fault{Status: status}
	top := objectOf(body)
	inner, found := top["error"]
	switch {
	case found && isPresent(inner):
		f.readValue(inner)
		f.addCode("code", top["code"])
		isError = true
	case status >= 400, textOf(top["object"]) == "error", textOf(top["type"]) == "error":
		f.readFields(top)
		isError = true
	}
	f.settleStatus()
	return f, isError
}

// ErrorResponse returns the response for value, which a successful HTTP response has under the key "error". If value is
// null, false or empty, there is no error, and isError is false.
func ErrorResponse(value []byte) (r model.Response, isError bool) {
	if !isPresent(value) {
		return r, false
	}
	f := fault{Status: 200}
	f.readValue(value)
	f.settleStatus()
	return f.response(), true
}

// isPresent reports whether a JSON value is something other than null, false or an empty string.
func isPresent(value []byte) bool {
	switch string(bytes.TrimSpace(value)) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

// objectOf returns the JSON object of a body or, if the body is a list, the first object of the list.
func objectOf(body []byte) object {
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

func (f *fault) readValue(value []byte) {
	var fields object
	if json.Unmarshal(value, &fields) == nil {
		f.readFields(fields)
		return
	}
	f.Message = textOf(value)
}

func (f *fault) readFields(o object) {
	for _, key := range []string{"code", "type", "status", "statusCode"} {
		f.addCode(key, o[key])
	}
	f.Param, f.Message = textOf(o["param"]), cmp.Or(textOf(o["message"]), textOf(o["detail"]))
	var within object
	if json.Unmarshal(o["innererror"], &within) == nil { // Azure's content filter
		f.addCode("code", within["code"])
	}
	within = nil
	if json.Unmarshal(o["metadata"], &within) == nil { // OpenRouter
		f.addCode("error_type", within["error_type"])
		if isPresent(within["reasons"]) || isPresent(within["flagged_input"]) {
			f.Codes = append(f.Codes, "moderation")
		}
	}
	f.readRetryInfo(o["details"])
}

// addCode records value, which the error has under key, as one of the error's codes. A number is no code. The first
// number from 400 to 599 is the HTTP status that the error names, and other numbers are ignored.
func (f *fault) addCode(key string, value json.RawMessage) {
	word := textOf(value)
	if n, err := strconv.Atoi(word); err == nil {
		if f.namedStatus == 0 && n >= 400 && n < 600 {
			f.namedStatus = n
		}
		return
	}
	if word != "" && !(key == "type" && word == "error") {
		f.Codes = append(f.Codes, word)
	}
}

// settleStatus replaces an HTTP status below 400 by the status that the error names, or by 0.
func (f *fault) settleStatus() {
	if f.Status < 400 {
		f.Status = f.namedStatus
	}
}

// readRetryInfo reads the wait before a retry from Gemini's google.rpc.RetryInfo, such as {"retryDelay": "7s"}.
func (f *fault) readRetryInfo(details []byte) {
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

// textOf returns the text of a JSON value. A string or a number is the text. Of a list, as Python servers send it, the
// text is what its items have under "msg". For other values textOf returns "".
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
