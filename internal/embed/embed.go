// Package embed says what an embedding is, who makes one and why there may be none.
// It knows no model, no file and no network: those are its children.
package embed

import (
	"context"
	"fmt"
	"math"
	"strconv"
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Fingerprint names the model, its weights, its tokenizer and the arithmetic. Vectors of different fingerprints
	// must not be compared.
	Fingerprint() string
	// Embed returns one embedding a text, in the order of texts. A *Fault says that the embedder is of no use to this
	// run; any other error is the context's.
	Embed(ctx context.Context, texts []string) ([]Embedding, error)
}

// Embedding is a text as a direction.
type Embedding struct {
	Vector    []float64 // of unit length; nil where the text has nothing that the model knows
	Tokens    int       // word pieces that the vector is made of; 0 where that is not told
	Words     int       // words that were read; 0 where that is not told
	Unknown   int       // of these, the ones that the model lacks or has letter by letter only
	Truncated bool      // the text is longer than what the model reads
}

// Cosine returns the cosine of two embeddings, in [-1, 1]; false for an empty vector, or for vectors of different
// lengths. Sums are made in order and products are rounded, so that every machine gets the same bits.
func Cosine(a, b Embedding) (cosine float64, ok bool) {
	if len(a.Vector) == 0 || len(a.Vector) != len(b.Vector) {
		return 0, false
	}
	dot, aa, bb := 0.0, 0.0, 0.0
	for i, x := range a.Vector {
		y := b.Vector[i]
		dot += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	cosine = dot / math.Sqrt(float64(aa*bb))
	if math.IsNaN(cosine) || math.IsInf(cosine, 0) {
		return 0, false
	}
	return max(-1, min(1, cosine)), true
}

// Unit scales v to unit length in place and reports whether it has a direction: a vector of zeros, or with a value that
// is not finite, has none.
func Unit(v []float64) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	norm := math.Sqrt(sum)
	if !(norm > 0) || math.IsInf(norm, 1) {
		return false
	}
	for i := range v {
		v[i] /= norm
	}
	return true
}

// Narrow rounds v to float32 in place, the precision of models, servers and the cache.
func Narrow(v []float64) []float64 {
	for i, x := range v {
		v[i] = float64(float32(x))
	}
	return v
}

// Reason is a word for why an embedder cannot be used. It stands in warnings and reports.
type Reason string

// Reasons. EndpointStatus makes the one of an endpoint that refused.
const (
	ModelMissing Reason = "model_missing"
	// the revision that names the model does not hold its files, nor does the working folder
	ModelElsewhere       Reason = "model_elsewhere"
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

// EndpointStatus returns the reason for an endpoint's HTTP status other than 200.
func EndpointStatus(status int) Reason { return Reason("endpoint_status_" + strconv.Itoa(status)) }

// Fault is the error of an embedder that cannot be used. Its text names no key and quotes nothing from the network.
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
