// Package embed defines embeddings, embedders and the reasons why an embedder cannot be used. Its subpackages read
// models and files, and call servers.
package embed

import (
	"context"
	"fmt"
	"math"
	"strconv"
)

// Embedder turns texts into vectors. It is safe for concurrent use.
type Embedder interface {
	// Fingerprint identifies the model, its weights, its tokenizer and the arithmetic. Vectors of different
	// fingerprints must not be compared.
	Fingerprint() string
	// Embed returns one embedding for each text, in order. Its error is a *Fault or the error of ctx. After a *Fault,
	// the embedder cannot be used in this run.
	Embed(ctx context.Context, texts []string) ([]Embedding, error)
}

// Embedding is the direction of a text in the model's space.
type Embedding struct {
	Vector       []float64 // of unit length; nil if the model knows nothing of the text
	Tokens       int       // word pieces in the vector; 0 if unknown
	Words        int       // words that were read; 0 if unknown
	UnknownWords int       // words that the model lacks or has as single letters only
	Truncated    bool      // the text is longer than the model reads
}

// Cosine returns the cosine of a and b, in [-1, 1]. It returns false if a vector is empty or only zeros, or if the
// lengths differ. Sums have a fixed order and products are rounded, so that every machine gets the same bits.
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

// Normalize scales v to unit length in place. It returns false if v has only zeros, or a value that is not finite.
func Normalize(v []float64) bool {
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

// RoundToFloat32 rounds the values of v in place to float32, the precision of models, servers and the cache. It returns
// v.
func RoundToFloat32(v []float64) []float64 {
	for i, x := range v {
		v[i] = float64(float32(x))
	}
	return v
}

// Reason is a code that says why an embedder cannot be used, for warnings and reports.
type Reason string

// Reasons why an embedder cannot be used. StatusReason returns further ones for HTTP statuses.
const (
	ReasonModelMissing Reason = "model_missing"
	// the revision that names the model lacks a file, and the working folder does not have the right one
	ReasonModelElsewhere       Reason = "model_elsewhere"
	ReasonModelInvalid         Reason = "model_invalid"
	ReasonChecksumMismatch     Reason = "checksum_mismatch"
	ReasonChecksumMissing      Reason = "checksum_missing"
	ReasonUnsupportedModel     Reason = "unsupported_model"
	ReasonUnsupportedTokenizer Reason = "unsupported_tokenizer"
	ReasonEndpointUnreachable  Reason = "endpoint_unreachable"
	ReasonEndpointAnswer       Reason = "endpoint_answer"
	ReasonTimeout              Reason = "timeout"
	ReasonDimensionMismatch    Reason = "dimension_mismatch"
	ReasonKeyMissing           Reason = "key_missing"
	ReasonDisabled             Reason = "disabled"
)

// StatusReason returns the reason for an endpoint's HTTP status other than 200.
func StatusReason(status int) Reason { return Reason("endpoint_status_" + strconv.Itoa(status)) }

// Fault is the error of an embedder that cannot be used. Its text names no key and quotes nothing from the network.
type Fault struct {
	Reason Reason
	Text   string // for people: the problem and what to do
	Path   string // the file of the repository with the problem; "" if there is none
	Status int    // the HTTP status of the endpoint; 0 if the problem is not a status
}

func (f *Fault) Error() string { return f.Text }

// Faultf returns a Fault with a formatted text.
func Faultf(reason Reason, format string, args ...any) *Fault {
	return &Fault{Reason: reason, Text: fmt.Sprintf(format, args...)}
}
