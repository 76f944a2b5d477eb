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
func New(t config.Target, access wire.Access) (*Client, error) {
	address, err := url.Parse(t.HTTP.URL)
	if err != nil || address.Host == "" {
		return nil, fmt.Errorf("url is not an address")
	}
	return &Client{wire.New(wire.Options{URL: address, Method: t.HTTP.Method, Access: access,
		KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}), t.HTTP}, nil
}

// Answer makes one call.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if role := c.target.Body.UnsentRole(r); role != "" {
		return wire.RejectedResponse("the prompt has a message of the role %s that the target's body does not send; write "+
			"\"{{ messages }}\" into the body", role), nil
	}
	return c.Call(ctx, c.target.Body.Fill(r), c.read)
}

func (c *Client) read(r wire.Reply) model.Response {
	x := extractor{reply: expect.Reply{Body: r.Body, Status: r.Status, Headers: headers(r.Header)}}
	content := wire.Content{MayLackFinish: true}
	if answer, has := x.text("text", c.target.Answer.Text); has {
		content.Texts = []string{answer}
	}
	content.Refusal, _ = x.text("refusal", c.target.Answer.Refusal)
	content.Finish, _ = x.text("finish_reason", c.target.Answer.FinishReason)
	modelName, _ := x.text("model", c.target.Answer.Model)
	usage := x.usage(c.target.Answer.Usage)
	if x.failure != nil {
		return *x.failure
	}
	out := content.Response()
	if f := out.Failure; f != nil && f.Reason == model.ReasonProtocol {
		f.Message += model.Untrusted(fmt.Sprintf(" at the target's expression, %s", c.target.Answer.Text))
	}
	out.Model, out.Usage = modelName, usage
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

// extractor extracts values from a reply and keeps the first failure.
type extractor struct {
	reply   expect.Reply
	failure *model.Response
}

func (e *extractor) value(key string, x *expect.Extract) any {
	if x == nil {
		return nil
	}
	value, err := x.Eval(e.reply)
	if err != nil {
		e.failure = cmp.Or(e.failure, new(wire.MalformedResponse(
			"the expression for %s, %s, has no value in the response: %v", key, x, err)))
		return nil
	}
	return value
}

// text returns an extracted value: a string as it is, and any other value as JSON. has is false if there is no value.
func (e *extractor) text(key string, x *expect.Extract) (s string, has bool) {
	value := e.value(key, x)
	switch v := value.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	}
	body, _ := text.JSON(value) // a value of JSON
	return string(body), true
}

// usage returns the usage of the answer. Values that cannot be read count as missing.
func (e *extractor) usage(x *expect.Extract) model.Usage {
	body, _ := json.Marshal(e.value("usage", x))
	u := model.ReadUsage(body, "output_tokens", "input_tokens")
	u.Cost = model.ReadCost(body)
	return u
}
