package wire

import (
	"fmt"
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

// fault is what a provider said went wrong: nobody's prompt (an outage, a limit, a key), the candidate's own (a request that is bad or too
// long), or a refusal by a filter. The words and codes of all providers are read, since most speak OpenAI's protocol with errors of their own.
type fault struct {
	Status  int      // of HTTP, or the one that the error names beside a success; 0: neither
	Codes   []string // the error's code, type and status words
	Param   string   // the field of the request that it is about; "" if none is named
	Message string

	After time.Duration // ask again at the earliest; 0: not said
	Retry *bool         // the provider says whether asking again helps (x-should-retry); nil: it does not

	named int // a status that the error's own code names
}

// response is what becomes of the request: a refusal by the provider's filter, or a failure.
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
		return "an error without a word"
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
