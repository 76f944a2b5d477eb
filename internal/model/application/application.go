// Package application asks an application of one's own over HTTP, once for each answer: the configuration says what it is sent
// and where in its response the answer stands. It never asks twice; package schedule does.
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

// New returns a client of a target. A key goes as a bearer token.
func New(t config.Target, with wire.Access) (*Client, error) {
	at, err := url.Parse(t.HTTP.URL)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("url is no address")
	}
	return &Client{wire.New(wire.Options{URL: at, Method: t.HTTP.Method, Access: with, KeyIn: "Authorization", KeyWord: "Bearer ",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}), t.HTTP}, nil
}

// Answer asks once.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if role := c.target.Body.Unsent(r); role != "" {
		return wire.Rejected("the prompt has a message of the role %s that the target's body has no place for; write \"{{ messages }}\" into it", role), nil
	}
	return c.Ask(ctx, c.target.Body.Fill(r), c.read)
}

func (c *Client) read(r wire.Reply) model.Response {
	out := model.Response{}
	from := expect.Reply{Body: r.Body, Status: r.Status, Headers: headers(r.Header)}
	said, has, failure := taken("text", c.target.Answer.Text, from)
	refusal, _, other := taken("refusal", c.target.Answer.Refusal, from)
	finish, _, third := taken("finish_reason", c.target.Answer.FinishReason, from)
	answered, _, fourth := taken("model", c.target.Answer.Model, from)
	for _, f := range []*model.Response{failure, other, third, fourth} {
		if f != nil {
			return *f
		}
	}
	out.Text, out.Refusal, out.Finish, out.Model = model.Untrusted(cmp.Or(said, refusal)), model.Untrusted(refusal), finish, answered
	if failure := c.usage(&out, from); failure != nil {
		return *failure
	}
	ending := model.EndingOf(finish)
	switch {
	case refusal != "", ending == model.EndingRefused:
		return out
	case finish != "" && ending == model.EndingUnknown:
		return wire.Unreadable("the answer ends with the finish reason %s, which is no answer's", wire.Quote(finish))
	case !has && ending != model.EndingTruncated:
		return wire.Malformed("the response holds no answer where the target's expression looks for it, %s", c.target.Answer.Text)
	}
	return out
}

// headers are those of a reply by their names in lower case; of one that is there several times the values in a line.
func headers(h http.Header) map[string]string {
	out := make(map[string]string, len(h))
	for name, values := range h {
		out[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return out
}

// taken is what an expression takes out of a reply, as a text: what is none is its JSON. has is false where there is nothing.
func taken(key string, x *expect.Extract, from expect.Reply) (said string, has bool, failure *model.Response) {
	value, failure := value(key, x, from)
	switch v := value.(type) {
	case nil:
		return "", false, failure
	case string:
		return v, true, nil
	}
	body, err := text.JSON(value)
	if err != nil {
		return "", false, malformed("the answer's %s is no JSON: %v", key, err)
	}
	return string(body), true, nil
}

func value(key string, x *expect.Extract, from expect.Reply) (any, *model.Response) {
	if x == nil {
		return nil, nil
	}
	value, err := x.Of(from)
	if err != nil {
		return nil, malformed("the expression for %s, %s, finds nothing in the response: %v", key, x, err)
	}
	return value, nil
}

func malformed(format string, args ...any) *model.Response {
	return new(wire.Malformed(format, args...))
}

// usage reads what the answer took; what of it cannot be read was not told.
func (c *Client) usage(out *model.Response, from expect.Reply) *model.Response {
	told, failure := value("usage", c.target.Answer.Usage, from)
	if failure != nil {
		return failure
	}
	body, err := json.Marshal(told)
	if err != nil {
		return nil
	}
	out.Usage = model.ReadUsage(body, "output_tokens", "input_tokens")
	out.Usage.Cost = model.ReadCost(body)
	return nil
}
