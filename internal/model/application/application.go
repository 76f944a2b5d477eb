// Package application calls the user's own application over HTTP, once for each answer. The configuration defines the
// request and where the response has the answer. Package schedule repeats calls.
package application

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/expect"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/text"
)

// Client is a model.Client of one target.
type Client struct {
	*wire.Endpoint
	target config.HTTP
}

// New returns a client of a target. A key is sent as a bearer token.
func New(t config.Target, with wire.Access) (*Client, error) {
	at, err := url.Parse(t.HTTP.URL)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("url is not an address")
	}
	return &Client{wire.New(wire.Options{URL: at, Method: t.HTTP.Method, Access: with,
		KeyIn: "Authorization", KeyWord: "Bearer ",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}), t.HTTP}, nil
}

// Answer makes one call.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if role := c.target.Body.Unsent(r); role != "" {
		return wire.Rejected("the prompt has a message of the role %s that the target's body does not send; write "+
			"\"{{ messages }}\" into the body", role), nil
	}
	return c.Ask(ctx, c.target.Body.Fill(r), c.read)
}

func (c *Client) read(r wire.Reply) model.Response {
	from := taker{reply: expect.Reply{Body: r.Body, Status: r.Status, Headers: headers(r.Header)}}
	said, has := from.text("text", c.target.Answer.Text)
	refusal, _ := from.text("refusal", c.target.Answer.Refusal)
	finish, _ := from.text("finish_reason", c.target.Answer.FinishReason)
	answered, _ := from.text("model", c.target.Answer.Model)
	out := model.Response{Text: model.Untrusted(cmp.Or(said, refusal)), Refusal: model.Untrusted(refusal),
		Finish: finish, Model: answered,
		Usage: from.usage(c.target.Answer.Usage)}
	if from.failure != nil {
		return *from.failure
	}
	ending := model.EndingOf(finish)
	switch {
	case refusal != "", ending == model.EndingRefused:
		return out
	case finish != "" && ending == model.EndingUnknown:
		return wire.Unreadable("the answer has the unknown finish reason %s", wire.Quote(finish))
	case !has && ending != model.EndingTruncated:
		return wire.Malformed("the response has no answer at the target's expression, %s", c.target.Answer.Text)
	}
	return out
}

// headers returns a reply's headers by lower-case name. Repeated values are joined by commas.
func headers(h http.Header) map[string]string {
	out := make(map[string]string, len(h))
	for name, values := range h {
		out[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return out
}

// taker extracts values from a reply and keeps the first failure.
type taker struct {
	reply   expect.Reply
	failure *model.Response
}

func (t *taker) fail(format string, args ...any) {
	if t.failure == nil {
		t.failure = new(wire.Malformed(format, args...))
	}
}

func (t *taker) value(key string, x *expect.Extract) any {
	if x == nil {
		return nil
	}
	value, err := x.Of(t.reply)
	if err != nil {
		t.fail("the expression for %s, %s, has no value in the response: %v", key, x, err)
		return nil
	}
	return value
}

// text returns an extracted value: a string as it is, and any other value as JSON. has is false if there is no value.
func (t *taker) text(key string, x *expect.Extract) (said string, has bool) {
	value := t.value(key, x)
	switch v := value.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	}
	body, err := text.JSON(value)
	if err != nil {
		t.fail("the answer's %s is not JSON: %v", key, err)
	}
	return string(body), true
}

// usage returns the usage of the answer. Values that cannot be read count as missing.
func (t *taker) usage(x *expect.Extract) model.Usage {
	body, err := json.Marshal(t.value("usage", x))
	if err != nil {
		return model.Usage{}
	}
	u := model.ReadUsage(body, "output_tokens", "input_tokens")
	u.Cost = model.ReadCost(body)
	return u
}
