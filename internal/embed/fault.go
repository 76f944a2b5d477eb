package embed

import (
	"fmt"
	"strconv"
)

// Reason says in one word why an embedder is of no use; it stands in warnings and reports.
type Reason string

// Reasons. EndpointStatus makes the one of an endpoint that refused.
const (
	ModelMissing         Reason = "model_missing"
	ModelElsewhere       Reason = "model_elsewhere" // the revision that names the model does not hold its files, nor does the working folder
	ModelInvalid         Reason = "model_invalid"
	ChecksumMismatch     Reason = "checksum_mismatch"
	ChecksumMissing      Reason = "checksum_missing"
	UnsupportedModel     Reason = "unsupported_model"
	UnsupportedTokenizer Reason = "unsupported_tokenizer"
	EndpointUnreachable  Reason = "endpoint_unreachable"
	EndpointAnswer       Reason = "endpoint_answer"
	Timeout              Reason = "timeout"
	DimensionMismatch    Reason = "dimension_mismatch"
	KeyMissing           Reason = "key_missing"
	Disabled             Reason = "disabled"
)

// EndpointStatus is the reason of an endpoint that answered with an HTTP status other than 200.
func EndpointStatus(status int) Reason { return Reason("endpoint_status_" + strconv.Itoa(status)) }

// Fault is an embedder that cannot be used. Its text names no key and quotes nothing that came over the network.
type Fault struct {
	Reason Reason
	Text   string // what was tried, what was found, and what to do
	Path   string // of the repository's file that it is about; "" otherwise
}

func (f *Fault) Error() string { return f.Text }

// Faultf makes a Fault.
func Faultf(reason Reason, format string, args ...any) *Fault {
	return &Fault{Reason: reason, Text: fmt.Sprintf(format, args...)}
}
