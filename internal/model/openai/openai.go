// Package openai calls an endpoint with OpenAI's Chat Completions or Responses API once for each answer: OpenAI,
// Azure, Ollama, vLLM, llama.cpp, OpenRouter, Gemini's compatible endpoint. Package schedule repeats calls.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// Client is the model.Client of one target.
type Client struct {
	*wire.Endpoint
	target config.Target
	newer  bool // the endpoint requires max_completion_tokens
}

// New returns a client for target t. If the access has no key, the client sends none, because some servers need none.
func New(t config.Target, with wire.Access) (*Client, error) {
	path := "/chat/completions"
	if t.API == config.APIResponses {
		path = "/responses"
	}
	at, err := endpoint(t.Address(), path)
	if err != nil {
		return nil, err
	}
	o := wire.Options{URL: at, Access: with, KeyIn: "Authorization", KeyWord: "Bearer ",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}
	// Azure has its own header for keys, but not for its tokens, which expire
	if isAzure(at) && with.KeyFile == nil {
		o.KeyIn, o.KeyWord = "Api-Key", ""
	}
	return &Client{Endpoint: wire.New(o), target: t, newer: isAzure(at) || at.Hostname() == "api.openai.com"}, nil
}

// Answer sends r in one call and returns the model's response.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	var request any = c.chatRequest(r)
	read := readCompletion
	if c.target.API == config.APIResponses {
		request, read = c.responsesRequest(r), readResponse
	}
	body, err := json.Marshal(request)
	if err == nil {
		body, err = with(body, c.target.ExtraBody)
	}
	if err != nil {
		return wire.Rejected("the request is not JSON: %v", err), nil
	}
	return c.Ask(ctx, body, func(reply wire.Reply) model.Response { return read(reply, r.Tools != "") })
}

// with returns the JSON object body with the members of the JSON object extra added. A member of body overrides the
// same member of extra. extra may be "".
func with(body []byte, extra string) ([]byte, error) {
	if extra == "" {
		return body, nil
	}
	var all map[string]json.RawMessage
	for _, text := range []string{extra, string(body)} { // body's members override those of extra
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// endpoint returns the address for requests: the address base with path at its end. If base has no path, endpoint first
// adds /v1, which all servers have.
func endpoint(base, path string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("base_url is not an address")
	}
	u.Path = cmp.Or(strings.TrimRight(u.Path, "/"), "/v1")
	if !strings.HasSuffix(u.Path, path) {
		u.Path += path
	}
	u.RawPath = ""
	return u, nil
}

// isAzure reports whether u is an address of Azure, or of a gateway in front of Azure. Such a gateway is recognized by
// the parameter api-version.
func isAzure(u *url.URL) bool {
	if u.Query().Has("api-version") {
		return true
	}
	host := "." + strings.ToLower(u.Hostname())
	return slices.ContainsFunc([]string{".azure.com", ".azure.us", ".azure.cn"},
		func(zone string) bool { return strings.HasSuffix(host, zone) })
}
