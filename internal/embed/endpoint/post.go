package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/text"
)

// Limits of repeated requests.
const (
	tries        = 4                // after 1, 2 and 4 seconds, unless the server names a time
	maxWait      = 60 * time.Second // if the server names a longer time, there is no further try
	maxDeadlines = 2                // tries that may time out
)

// maxAnswer is the largest answer in decoded bytes. 256 vectors of 3,072 numbers are 10 MB.
const maxAnswer = 64 << 20

// post sends a batch and returns its vectors. It tries again until an answer comes or no further try makes sense. If
// ctx has ended, post returns the error of ctx, because the answer may be incomplete.
func (c *Client) post(ctx context.Context, batch []question) (vectors [][]float64, err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			vectors, err = nil, ctx.Err()
		}
	}()
	texts := make([]string, len(batch))
	for i, q := range batch {
		texts[i] = q.text
	}
	body := text.MustJSON(map[string]any{"model": c.model, "input": texts})
	deadlines := 0
	for try := 1; ; try++ {
		raw, after, err := c.once(ctx, body)
		if err == nil {
			return c.read(raw, len(batch))
		}
		if errors.Is(err, context.DeadlineExceeded) {
			deadlines++
		}
		wait := cmp.Or(after, time.Second<<(try-1))
		if !mayPass(err) || try == tries || wait > maxWait || deadlines >= maxDeadlines {
			return nil, faultOf(err)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// once sends one request and reads the answer within the timeout. The error for a status other than 200 is an
// *embed.Fault, and after is the wait that the server names; 0: none.
func (c *Client) once(ctx context.Context, body []byte) (raw []byte, after time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "failproof")
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		status := response.StatusCode
		after, _ = wire.RetryAfter(response.Header, time.Now())
		return nil, after, &embed.Fault{Reason: embed.StatusReason(status), Status: status,
			Text: fmt.Sprintf("the embedding endpoint answered with status %d%s", status, advice(status))}
	}
	raw, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if len(raw) > maxAnswer {
		return nil, 0, unreadable("is larger than %d MiB", maxAnswer>>20)
	}
	return raw, 0, err
}

// mayPass reports whether another try may succeed after err.
func mayPass(err error) bool {
	fault, ok := errors.AsType[*embed.Fault](err)
	return !ok || fault.Status == http.StatusTooManyRequests || fault.Status >= 500
}

// faultOf returns the *embed.Fault for err, the error of once. It contains neither the address nor the key, and nothing
// of the answer.
func faultOf(err error) error {
	var asked *url.Error
	var fault *embed.Fault
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.Is(err, context.DeadlineExceeded):
		return embed.Faultf(embed.ReasonTimeout, "the embedding endpoint did not answer within %s", timeout)
	case errors.As(err, &asked):
		err = asked.Err // its own text would show the address
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return embed.Faultf(embed.ReasonEndpointUnreachable, "the embedding endpoint's name cannot be resolved")
	}
	if dial, ok := errors.AsType[*net.OpError](err); ok {
		err = dial.Err // without the addresses
	}
	return embed.Faultf(embed.ReasonEndpointUnreachable, "the embedding endpoint cannot be reached: %v", err)
}

func advice(status int) string {
	switch {
	case status >= 300 && status < 400:
		return "; redirects are not followed, so use the final address"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "; check the key and that it allows embeddings"
	case status == http.StatusNotFound:
		return "; check the address and that the server has the model"
	}
	return ""
}

// maxDimensions is the largest length of a vector. The longest vectors in use have some 8,000 numbers.
const maxDimensions = 1 << 16

// read returns the vectors in raw, an answer to a request with want texts. They have the order of the texts and unit
// length. A vector without a direction, such as one of zeros only, is nil.
func (c *Client) read(raw []byte, want int) ([][]float64, error) {
	var answer struct {
		Data []struct {
			Index  *int      `json:"index"`
			Vector []float64 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, unreadable("is not JSON of the shape {\"data\": [{\"index\": 0, \"embedding\": [number, …]}, …]}")
	}
	if len(answer.Data) != want {
		return nil, unreadable("has %d embeddings for %d texts", len(answer.Data), want)
	}
	out, taken := make([][]float64, want), make([]bool, want)
	for i, d := range answer.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= want || taken[at] {
			return nil, unreadable("has an index that is out of range or repeated")
		}
		if err := c.check(d.Vector); err != nil {
			return nil, err
		}
		if taken[at] = true; embed.Normalize(d.Vector) {
			out[at] = embed.RoundToFloat32(d.Vector)
		}
	}
	return out, nil
}

// check returns an error if vector is empty, too long, or not as long as the client's first vector.
func (c *Client) check(vector []float64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dimensions == 0 && len(vector) > 0 && len(vector) <= maxDimensions {
		c.dimensions = len(vector)
	}
	if len(vector) == 0 || len(vector) != c.dimensions {
		return embed.Faultf(embed.ReasonDimensionMismatch,
			"the embedding endpoint answered with a vector of %d numbers; expected %d as in the first one",
			len(vector), c.dimensions)
	}
	return nil
}

func unreadable(format string, args ...any) error {
	return embed.Faultf(embed.ReasonEndpointAnswer, "the embedding endpoint's answer %s", fmt.Sprintf(format, args...))
}
