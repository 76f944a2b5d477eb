// Package endpoint embeds texts by asking a server that speaks the OpenAI shape: POST {base}/embeddings with model and
// input. Texts leave the machine here and nowhere else in embed. The key goes to the one host it is for, in a header; no
// error names it.
package endpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/text"
)

// Version is of what is made of an answer; another one gives other vectors.
const Version = "http/1"

// defaultTimeout is for one whole answer, with its body. A batch on a small machine takes its time.
const defaultTimeout = 60 * time.Second

// Options of a Client. BaseURL and Model are required.
type Options struct {
	BaseURL   string            // such as https://api.openai.com/v1, without query; /embeddings is added
	Model     string            // as the server names it
	Key       string            // sent as a bearer token; "" sends none
	Timeout   time.Duration     // of one whole answer; 0 is 60 seconds
	Transport http.RoundTripper // what carries requests; nil is the one that targets are asked by
}

// Client is an embed.Embedder. Vectors of one text differ a little from call to call with some servers, so keep them.
type Client struct {
	address     string
	fingerprint string
	model, key  string
	timeout     time.Duration
	http        *http.Client

	mu         sync.Mutex
	dimensions int // of the first vector; all others must have as many
	batch      int // texts in a request, lowered where the server takes fewer
}

// New makes a client. Its error is an *embed.Fault.
func New(o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.BaseURL, "/"))
	switch {
	case err != nil || base.Host == "" || (base.Scheme != "https" && base.Scheme != "http"):
		return nil, embed.Faultf(embed.EndpointUnreachable, "the embedding endpoint is not an http or https address")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return nil, embed.Faultf(embed.EndpointUnreachable, "the address of the embedding endpoint holds a user, a query or a fragment; give the address alone")
	}
	if !strings.HasSuffix(base.Path, "/embeddings") {
		base = base.JoinPath("embeddings")
	}
	client := wire.Client(base)
	if o.Transport != nil {
		client.Transport = o.Transport
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	// The address itself may name a host that a public report should not.
	sum := sha256.Sum256([]byte(base.String()))
	return &Client{
		address:     base.String(),
		fingerprint: Version + " " + o.Model + " at " + hex.EncodeToString(sum[:6]),
		model:       o.Model, key: o.Key, timeout: o.Timeout, batch: maxTexts,
		http: client,
	}, nil
}

// Fingerprint names model and endpoint; it does not show the address.
func (c *Client) Fingerprint() string { return c.fingerprint }

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Embed returns one embedding a text, in the order of texts. A blank text is not sent and has no vector.
func (c *Client) Embed(ctx context.Context, texts []string) ([]embed.Embedding, error) {
	out := make([]embed.Embedding, len(texts))
	var ask []question
	for i, one := range texts {
		if strings.TrimSpace(one) == "" {
			continue
		}
		short := text.Head(one, maxText)
		ask = append(ask, question{at: i, text: short})
		out[i].Truncated = len(short) < len(one)
	}
	if err := c.askAll(ctx, ask, maxTexts, out); err != nil {
		return nil, err
	}
	return out, nil
}
