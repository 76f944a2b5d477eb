package endpoint

import (
	"cmp"
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
	minText  = 1 << 7   // bytes; a text that is refused is not cut shorter than this: a small model reads as many tokens
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

// ask fills in the answers of one batch. A batch that the server refuses is asked in halves, and a single text is cut. One that it refuses
// however short, while it takes others, has no embedding: what one text is like must not decide what becomes of the rest.
func (c *Client) ask(ctx context.Context, batch []question, out []embed.Embedding) error {
	vectors, refused, err := c.offer(ctx, batch)
	if err == nil {
		for i, q := range batch {
			out[q.at].Vector = vectors[i]
		}
		return nil
	}
	first, many := batch[0], len(batch) > 1
	switch {
	case !refused:
	case many:
		half := len(batch) / 2
		if statusOf(err) == http.StatusRequestEntityTooLarge {
			c.lower(half) // the others may mean one text of the batch
		}
		return c.askAll(ctx, batch, half, out)
	case len(first.text) > minText:
		out[first.at].Truncated = true
		return c.ask(ctx, []question{{at: first.at, text: text.Head(first.text, len(first.text)/2)}}, out)
	case c.answers(ctx):
		return nil
	}
	return cmp.Or(ctx.Err(), err)
}

// offer asks for a batch, and says whether it is the texts that are refused: 413 and 422 mean that, 400 may, and so may 500 (llama.cpp, of a
// text beyond its batch size) where it stays and other texts are answered.
func (c *Client) offer(ctx context.Context, batch []question) (vectors [][]float64, refused bool, err error) {
	vectors, err = c.post(ctx, batch)
	if statusOf(err) == http.StatusInternalServerError && c.answers(ctx) {
		vectors, err = c.post(ctx, batch)
		return vectors, statusOf(err) == http.StatusInternalServerError, err
	}
	switch statusOf(err) {
	case http.StatusRequestEntityTooLarge, http.StatusBadRequest, http.StatusUnprocessableEntity:
		return nil, true, err
	}
	return vectors, false, err
}

// answers reports whether the server embeds a text that nobody can object to.
func (c *Client) answers(ctx context.Context) bool {
	_, err := c.post(ctx, []question{{text: "text"}})
	return err == nil
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
