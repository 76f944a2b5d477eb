package wire

import (
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
	switch inner := top.value("error"); {
	case isPresent(inner):
		f.read(inner)
		f.addCode(top.value("code"))
		isError = true
	case status >= 400, top.value("object") == "error", top.value("type") == "error":
		all := map[string]any{}
		for key := range top {
			all[key] = top.value(key)
		}
		f.read(all)
		isError = true
	}
	f.settleStatus()
	return f, isError
}

// ErrorResponse returns the response for value, which a successful HTTP response has under the key "error". If value is
// null, false or empty, there is no error, and isError is false.
func ErrorResponse(value any) (r model.Response, isError bool) {
	if !isPresent(value) {
		return r, false
	}
	f := fault{Status: 200}
	f.read(value)
	f.settleStatus()
	return f.response(), true
}

func isPresent(value any) bool { return value != nil && value != false && value != "" }

// object is a JSON object whose values are decoded when they are needed.
type object map[string]json.RawMessage

func (o object) value(key string) (v any) {
	_ = json.Unmarshal(o[key], &v) // the value of a missing key is nil
	return v
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

// read reads an error, which is an object or a message.
func (f *fault) read(v any) {
	o, isObject := v.(map[string]any)
	if !isObject {
		f.Message = textOf(v)
		return
	}
	for _, key := range []string{"code", "type", "status", "statusCode"} {
		f.addCode(o[key])
	}
	f.Param, f.Message = textOf(o["param"]), cmp.Or(textOf(o["message"]), textOf(o["detail"]))
	azure, _ := o["innererror"].(map[string]any) // of its content filter
	f.addCode(azure["code"])
	openRouter, _ := o["metadata"].(map[string]any)
	f.addCode(openRouter["error_type"])
	if isPresent(openRouter["reasons"]) || isPresent(openRouter["flagged_input"]) {
		f.Codes = append(f.Codes, "moderation")
	}
	gemini, _ := o["details"].([]any)
	for _, detail := range gemini { // one is google.rpc.RetryInfo, such as {"retryDelay": "7s"}
		info, _ := detail.(map[string]any)
		if wait, err := time.ParseDuration(textOf(info["retryDelay"])); err == nil && wait > 0 {
			f.After = wait
		}
	}
}

// addCode records a value as one of the error's codes. A number is no code. The first number from 400 to 599 is the
// HTTP status that the error names, and other numbers are ignored. The word "error" says nothing.
func (f *fault) addCode(value any) {
	word := textOf(value)
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		if f.namedStatus == 0 && n >= 400 && n < 600 {
			f.namedStatus = int(n)
		}
		return
	}
	if word != "" && word != "error" {
		f.Codes = append(f.Codes, word)
	}
}

// settleStatus replaces an HTTP status below 400 by the status that the error names, or by 0.
func (f *fault) settleStatus() {
	if f.Status < 400 {
		f.Status = f.namedStatus
	}
}

// textOf returns the text of a JSON value: a string, a number, or the texts that the items of a list have under "msg",
// as Python servers send them. For other values it returns "".
func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var all []string
		for _, item := range v {
			detail, _ := item.(map[string]any)
			all = append(all, textOf(detail["msg"]))
		}
		return strings.Join(all, "; ")
	}
	return ""
}
