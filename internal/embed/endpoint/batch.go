package endpoint

import (
	"context"
	"errors"
	"net/http"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/text"
)

// Limits of a request. OpenAI takes 2,048 texts of 8,192 tokens each and 300,000 tokens in all (API reference,
// "Create embeddings"); a token has at least a byte. Fewer texts keep small servers within the deadline.
const (
	maxTexts = 256
	maxBytes = 256 << 10
	maxText  = 16 << 10 // bytes; longer texts are cut and say so
	minText  = 1 << 10  // bytes; a text that is refused is not cut shorter than this
)

// question is a text and the place of its answer.
type question struct {
	at   int
	text string
}

// fitting is how many of the questions go into the next request.
func (c *Client) fitting(ask []question) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes := 0
	for n, q := range ask {
		bytes += len(q.text)
		if n == c.batch || n > 0 && bytes > maxBytes {
			return n
		}
	}
	return len(ask)
}

// ask fills in the answers of one batch. A batch that the server finds too large is asked in halves; a single text that it
// finds too long is cut.
func (c *Client) ask(ctx context.Context, batch []question, out []embed.Embedding) error {
	vectors, err := c.post(ctx, batch)
	if err == nil {
		for i, q := range batch {
			out[q.at].Vector = vectors[i]
		}
		return nil
	}
	first := batch[0]
	switch status := statusOf(err); {
	case status != http.StatusRequestEntityTooLarge && status != http.StatusBadRequest && status != http.StatusUnprocessableEntity:
		return err
	case len(batch) > 1:
		half := len(batch) / 2
		if status == http.StatusRequestEntityTooLarge {
			c.lower(half) // the others may mean one text of the batch
		}
		return c.askAll(ctx, batch, half, out)
	case len(first.text) > minText:
		out[first.at].Truncated = true
		return c.ask(ctx, []question{{at: first.at, text: text.Head(first.text, len(first.text)/2)}}, out)
	}
	return err
}

// askAll asks in batches of at most so many texts.
func (c *Client) askAll(ctx context.Context, questions []question, most int, out []embed.Embedding) error {
	for len(questions) > 0 {
		n := min(most, c.fitting(questions))
		if err := c.ask(ctx, questions[:n], out); err != nil {
			return err
		}
		questions = questions[n:]
	}
	return nil
}

// lower remembers how many texts the server takes at once.
func (c *Client) lower(batch int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.batch = min(c.batch, batch)
}

// statusOf is the status that a server refused with, or 0.
func statusOf(err error) int {
	var status *statusError
	if errors.As(err, &status) {
		return status.code
	}
	return 0
}
