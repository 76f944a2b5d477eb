// Package anthropic asks Anthropic's Messages API once for each answer. It never asks twice; package schedule does.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// DefaultURL is asked by a target without a base_url.
const DefaultURL = "https://api.anthropic.com"

// version of the API that the requests are written for.
const version = "2023-06-01"

// Client is a model.Client of one target.
type Client struct{ *wire.Endpoint }

// New returns a client of a target.
func New(t config.Target, with wire.Access) (*Client, error) {
	at, err := endpoint(t.BaseURL)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	header.Set("Anthropic-Version", version)
	o := wire.Options{URL: at, Header: header, Access: with, KeyIn: "X-Api-Key", Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}
	if with.KeyFile != nil { // a token of a cloud in front of it, which is renewed
		o.KeyIn, o.KeyWord = "Authorization", "Bearer "
	}
	return &Client{wire.New(o)}, nil
}

// Answer asks once.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	if r.Parameters.ResponseFormat == "json_object" {
		return wire.Rejected("responseFormat json_object: the Messages API has no such thing; use json_schema, or ask for JSON in the prompt"), nil
	}
	body, err := json.Marshal(requestOf(r))
	if err != nil {
		return wire.Rejected("the request is no JSON: %v", err), nil
	}
	return c.Ask(ctx, body, func(reply wire.Reply) model.Response { return readAnswer(reply, r.Tools != "") })
}

// endpoint is where messages are sent to; a base address may be written with or without the API's /v1.
func endpoint(base string) (*url.URL, error) {
	u, err := url.Parse(cmp.Or(base, DefaultURL))
	if err != nil || u.Host == "" {
		return nil, errors.New("base_url is no address")
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, "/v1/messages"):
	case strings.HasSuffix(path, "/v1"):
		path += "/messages"
	default:
		path += "/v1/messages"
	}
	u.Path, u.RawPath = path, ""
	return u, nil
}
