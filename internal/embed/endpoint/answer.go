package endpoint

import (
	"encoding/json"
	"fmt"

	"github.com/failproof/failproof/internal/embed"
)

// maxDimensions bounds a vector; the longest in use have some 8,000 numbers.
const maxDimensions = 1 << 16

// read takes the vectors out of an answer, in the order of the texts, scaled to unit length. One without a direction, all zeros or beyond
// what a number holds, is none.
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
			return nil, unreadable("has an index that is out of range or there twice")
		}
		if err := c.check(d.Vector); err != nil {
			return nil, err
		}
		if taken[at] = true; embed.Unit(d.Vector) {
			out[at] = embed.Narrow(d.Vector)
		}
	}
	return out, nil
}

// check compares the length of a vector with that of the first one that this client got.
func (c *Client) check(vector []float64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dimensions == 0 && len(vector) > 0 && len(vector) <= maxDimensions {
		c.dimensions = len(vector)
	}
	if len(vector) == 0 || len(vector) != c.dimensions {
		return embed.Faultf(embed.DimensionMismatch, "the embedding endpoint answered with a vector of %d numbers; expected %d, as many as the first one", len(vector), c.dimensions)
	}
	return nil
}

func unreadable(format string, args ...any) error {
	return embed.Faultf(embed.EndpointAnswer, "the embedding endpoint's answer %s", fmt.Sprintf(format, args...))
}
