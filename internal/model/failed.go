package model

import (
	"fmt"
	"strings"
)

// Failed is a failure that asking again would not change.
func Failed(reason, format string, args ...any) Response {
	return Response{Failure: &Failure{Reason: reason, Message: Untrusted(fmt.Sprintf(format, args...))}}
}

// WordBytes is how much is kept of what should be a word: a finish reason, a model's name.
const WordBytes = 100

// Clean takes secrets out of whatever is said beside the answer, and cuts what should be a word. The answer itself stays what it is:
// whoever judges it must see whether it leaks, and those who store it redact it.
func (r Response) Clean(redact func(string) string) Response {
	word := func(s string) string {
		s = redact(s)
		return strings.ToValidUTF8(s[:min(len(s), WordBytes)], "")
	}
	r.Finish, r.Model = word(r.Finish), word(r.Model)
	r.Refusal = Untrusted(redact(string(r.Refusal)))
	if r.Failure != nil {
		r.Failure.Message = Untrusted(strings.ToValidUTF8(redact(string(r.Failure.Message)), "\ufffd"))
	}
	return r
}
