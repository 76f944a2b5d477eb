// Package endpoint embeds texts with a server that has OpenAI's API: POST {base}/embeddings with model and input. No
// other package below embed sends texts. The key is sent to the configured host only, in a header; no error contains
// the key.
package endpoint

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/text"
)

// Version identifies how this package processes texts and vectors. Another version may give other vectors.
const Version = "http/1"

// timeout is the longest time to wait for one whole answer. A batch takes long on a small machine.
const timeout = 60 * time.Second

// Options configure a Client. BaseURL and Model are required.
type Options struct {
	BaseURL   string            // such as https://api.openai.com/v1, without a query; /embeddings is added
	Model     string            // as the server names it
	Key       string            // sent as a bearer token; "" sends none
	Transport http.RoundTripper // nil: the transport that is used for targets
}

// Client is an embed.Embedder. Its vectors should be cached, because some servers return slightly different vectors for
// the same text.
type Client struct {
	address     string
	fingerprint string
	model, key  string
	http        *http.Client

	mu         sync.Mutex
	dimensions int // the length of every vector; 0 before the first vector
}

// New returns a client with the options o. Its error is an *embed.Fault.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	switch {
	case err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http"):
		return nil, embed.Faultf(embed.ReasonEndpointUnreachable,
			"the embedding endpoint is not an http or https address")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, embed.Faultf(embed.ReasonEndpointUnreachable,
			"the address of the embedding endpoint has a user, a query or a fragment; remove it")
	}
	if !strings.HasSuffix(base.Path, "/embeddings") {
		base = base.JoinPath("embeddings")
	}
	client := wire.NewHTTPClient(base)
	if o.Transport != nil {
		client.Transport = o.Transport
	}
	// A hash, because a public report must not show the address.
	sum := sha256.Sum256([]byte(base.String()))
	return &Client{
		address:     base.String(),
		fingerprint: Version + " " + o.Model + " at " + hex.EncodeToString(sum[:6]),
		model:       o.Model, key: o.Key, http: client,
	}, nil
}

// Fingerprint identifies the model and the endpoint, without the address.
func (c *Client) Fingerprint() string { return c.fingerprint }

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Embed embeds each text. A blank text is not sent and has no vector.
func (c *Client) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	var ask []question
	for i, one := range texts {
		if strings.TrimSpace(one) == "" {
			continue
		}
		short := text.FirstBytes(one, maxText)
		ask = append(ask, question{at: i, text: short})
		out[i].Truncated = len(short) < len(one)
	}
	if err := c.askAll(ctx, ask, maxTexts, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Limits of a request. OpenAI accepts 2,048 texts of 8,192 tokens each and 300,000 tokens in all (API reference,
// "Create embeddings"). A token has at least one byte, so maxBytes is below that sum. maxTexts is lower, so that small
// servers answer within the deadline.
const (
	maxTexts = 256
	maxBytes = 256 << 10
	maxText  = 16 << 10 // bytes; longer texts are truncated
	// bytes; a rejected text of this length or less is not shortened, because even a small model reads this many tokens
	minText = 1 << 7
)

// question is a text to embed, with the index of its result.
type question struct {
	at   int
	text string
}

// fitting returns how many of the first questions in ask fit into a request of at most limit texts.
func fitting(ask []question, limit int) int {
	bytes := 0
	for n, q := range ask {
		bytes += len(q.text)
		if n == limit || n > 0 && bytes > maxBytes {
			return n
		}
	}
	return len(ask)
}

// ask embeds one batch and writes the vectors to out. If the server rejects a batch, ask divides it in halves; if the
// server rejects a single text, ask shortens it. A text that is rejected at any length gets no vector, so that the
// other texts are still embedded.
func (c *Client) ask(ctx context.Context, batch []question, out []embed.Embedding) error {
	vectors, refused, err := c.offer(ctx, batch)
	if err == nil {
		for i, q := range batch {
			out[q.at].Vector = vectors[i]
		}
		return nil
	}
	first := batch[0]
	switch {
	case !refused:
	case len(batch) > 1:
		return c.askAll(ctx, batch, len(batch)/2, out)
	case len(first.text) > minText:
		out[first.at].Truncated = true
		return c.ask(ctx, []question{{at: first.at, text: text.FirstBytes(first.text, len(first.text)/2)}}, out)
	case c.answers(ctx):
		return nil
	}
	return cmp.Or(ctx.Err(), err)
}

// offer sends a batch and returns its vectors. refused reports whether the server rejects the texts. A rejection has
// status 400, 413 or 422. A repeated status 500 is a rejection too if the server embeds another text, because llama.cpp
// sends status 500 for a text above its batch size.
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

// answers reports whether the server embeds a harmless text.
func (c *Client) answers(ctx context.Context) bool {
	_, err := c.post(ctx, []question{{text: "text"}})
	return err == nil
}

// askAll embeds all questions, in batches of at most limit texts, and writes the vectors to out.
func (c *Client) askAll(ctx context.Context, questions []question, limit int, out []embed.Embedding) error {
	for len(questions) > 0 {
		n := fitting(questions, limit)
		if err := c.ask(ctx, questions[:n], out); err != nil {
			return err
		}
		questions = questions[n:]
	}
	return nil
}

// statusOf returns the HTTP status of err, or 0 if err has none.
func statusOf(err error) int {
	if fault, ok := errors.AsType[*embed.Fault](err); ok {
		return fault.Status
	}
	return 0
}
