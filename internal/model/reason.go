package model

// Reasons of a Failure, as its Reason. A client uses those up to ReasonCrash; the last two are said of a request that was
// never asked, or not to its end.
const (
	ReasonRateLimit     = "rate_limit"       // asked too often; may be answered later
	ReasonQuota         = "quota"            // no money left, a spending limit reached
	ReasonAuth          = "auth"             // the key is missing or wrong
	ReasonNotFound      = "not_found"        // the target knows no such model, or no such address
	ReasonTimeout       = "timeout"          // the target itself, or what stands before it, says that it took too long
	ReasonServer        = "server"           // the target is overloaded or broken
	ReasonTransport     = "transport"        // the connection failed or broke off
	ReasonProtocol      = "protocol"         // what came back is no answer in the target's protocol
	ReasonContextLength = "context_length"   // the request is longer than the model reads: the candidate's own
	ReasonRejected      = "rejected_request" // the request is bad: the candidate's own
	ReasonOversize      = "oversize"         // the answer is larger than is read
	ReasonCrash         = "crash"            // the command died

	ReasonBudget    = "budget"    // a limit of the run is used up
	ReasonCancelled = "cancelled" // the run was told to stop
)

// NotAsked reports a failure that stands for a request which nobody was asked, or was not let finish: it says nothing of
// the target.
func (f *Failure) NotAsked() bool {
	return f != nil && (f.Reason == ReasonBudget || f.Reason == ReasonCancelled)
}
