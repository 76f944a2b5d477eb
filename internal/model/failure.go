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

// Reasons of a Failure, as its Reason. A client uses those up to ReasonUnrecorded; the three after it are said of a request
// that was never asked, or not to its end.
const (
	ReasonRateLimit     = "rate_limit"       // asked too often; may be answered later
	ReasonQuota         = "quota"            // no money left, a spending limit reached
	ReasonAuth          = "auth"             // the key is missing or wrong
	ReasonNotFound      = "not_found"        // the target knows no such model, or no such address
	ReasonTimeout       = "timeout"          // the target itself, or what stands before it, says that it took too long
	ReasonServer        = "server"           // the target is overloaded or broken
	ReasonTransport     = "transport"        // the connection failed or broke off
	ReasonProtocol      = "protocol"         // what came back is no answer in the target's protocol
	ReasonUnreadable    = "unreadable"       // what came is in the protocol and is no answer: a call of a tool, an ending that is not known
	ReasonContextLength = "context_length"   // the request is longer than the model reads: the candidate's own
	ReasonRejected      = "rejected_request" // the request is bad: the candidate's own
	ReasonOversize      = "oversize"         // the answer is larger than is read
	ReasonCrash         = "crash"            // the command died

	ReasonStale      = "stale_recording"   // the recorded answer was made for another request, or by a target that is asked otherwise
	ReasonUnrecorded = "missing_recording" // no answer is recorded

	ReasonVerdict      = "no_verdict"    // the judge said neither that a criterion is met nor that it is not
	ReasonStaleVerdict = "stale_verdict" // the recorded verdict is of another judge, criterion, question or answer

	ReasonBudget    = "budget"    // a limit of the run is used up
	ReasonCancelled = "cancelled" // the run was told to stop
	ReasonShard     = "shard"     // a part of the run was asked elsewhere, and what it was told is missing

	ReasonInternal = "internal_error" // failproof itself broke on the case: a bug
)

// NotAsked reports a failure that stands for a request which nobody was asked, or was not let finish: it says nothing of
// the target.
func (f *Failure) NotAsked() bool {
	return f != nil && (f.Reason == ReasonBudget || f.Reason == ReasonCancelled || f.Reason == ReasonShard)
}
