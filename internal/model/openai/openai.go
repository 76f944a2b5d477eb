// Package openai asks an endpoint of OpenAI's chat completions, or one that speaks like it, once for each answer: OpenAI,
// Azure, Ollama, vLLM, llama.cpp, OpenRouter, Gemini's compatible endpoint. It never asks twice; package schedule does.
package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// DefaultURL is asked by a target without a base_url.
const DefaultURL = "https://api.openai.com/v1"

// Client is a model.Client of one target.
type Client struct {
	endpoint *wire.Endpoint
	newer    bool // the endpoint wants max_completion_tokens
}

// New returns a client of a target. key may be empty for servers that need none.
func New(t config.Target, key string) (*Client, error) {
	at, err := endpoint(t.BaseURL)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	switch {
	case key == "":
	case isAzure(at):
		header.Set("Api-Key", key)
	default:
		header.Set("Authorization", "Bearer "+key)
	}
	return &Client{
		endpoint: wire.New(wire.Options{URL: at, Header: header, Key: key, Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}),
		newer:    isAzure(at) || at.Hostname() == "api.openai.com",
	}, nil
}

// Close ends idle connections.
func (c *Client) Close() error { return c.endpoint.Close() }

// Answer asks once.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	body, err := json.Marshal(c.request(r))
	if err != nil {
		return wire.Rejected("the request is no JSON: %v", err), nil
	}
	return c.endpoint.Ask(ctx, body, readAnswer)
}

// endpoint is where completions are asked for. Without a path a base address means its /v1, which all servers have.
func endpoint(base string) (*url.URL, error) {
	if base == "" {
		base = DefaultURL
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("base_url is no address")
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if u.Path == "" {
		u.Path = "/v1"
	}
	if !strings.HasSuffix(u.Path, "/chat/completions") {
		u.Path += "/chat/completions"
	}
	u.RawPath = ""
	return u, nil
}

// isAzure knows Azure's addresses, and gateways in front of it by the api-version that nobody else has. Azure's keys go into
// a header of their own.
func isAzure(u *url.URL) bool {
	if u.Query().Has("api-version") {
		return true
	}
	host := "." + strings.ToLower(u.Hostname())
	for _, zone := range []string{".azure.com", ".azure.us", ".azure.cn"} {
		if strings.HasSuffix(host, zone) {
			return true
		}
	}
	return false
}
