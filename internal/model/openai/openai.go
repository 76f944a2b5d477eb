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
	target                config.Target
	needsCompletionTokens bool // the endpoint requires max_completion_tokens
}

// New returns a client for target t. If the access has no key, the client sends none, because some servers need none.
func New(t config.Target, access wire.Access) (*Client, error) {
	path := "/chat/completions"
	if t.API == config.APIResponses {
		path = "/responses"
	}
	address, err := endpoint(t.Address(), path)
	if err != nil {
		return nil, err
	}
	o := wire.Options{URL: address, Access: access, KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}
	// Azure has its own header for keys, but not for its tokens, which expire
	if isAzure(address) && access.KeyFile == nil {
		o.KeyHeader, o.KeyPrefix = "Api-Key", ""
	}
	return &Client{Endpoint: wire.New(o), target: t, needsCompletionTokens: isAzure(address) ||
		address.Hostname() == "api.openai.com"}, nil
}

// Answer sends r in one call and returns the model's response.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	var request any = c.newChatRequest(r)
	convert := readCompletion
	if c.target.API == config.APIResponses {
		request, convert = c.newResponsesRequest(r), readResponse
	}
	body, err := json.Marshal(request)
	if err == nil {
		body, err = mergeExtra(body, c.target.ExtraBody)
	}
	if err != nil {
		return wire.RejectedResponse("the request is not JSON: %v", err), nil
	}
	return c.Call(ctx, body, func(reply wire.Reply) model.Response { return convert(reply, r.Tools != "") })
}

// mergeExtra returns the JSON object body with the members of the JSON object extra added. A member of body overrides
// the same member of extra. extra may be "".
func mergeExtra(body []byte, extra string) ([]byte, error) {
	if extra == "" {
		return body, nil
	}
	var members map[string]json.RawMessage
	for _, text := range []string{extra, string(body)} { // body's members override those of extra
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			return nil, err
		}
	}
	return json.Marshal(members)
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
