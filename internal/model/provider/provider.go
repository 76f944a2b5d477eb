// Package provider calls a model once for each answer, in one of three wire formats: OpenAI's Chat Completions (also of
// Azure, Ollama, vLLM, llama.cpp, OpenRouter and Gemini's compatible endpoint), OpenAI's Responses, and Anthropic's
// Messages. Package schedule repeats calls.
package provider

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/wire"
)

// format is a wire format.
type format struct {
	path      string // after the base address
	keyHeader string // header with a key; "": Authorization, as a bearer token
	header    http.Header
	// add adds a request to its body, which has the model, temperature and top_p. It returns an error if the format
	// cannot express the request.
	add    func(body object, c *Client, r model.Request) error
	answer func() answer // returns an answer to decode into
	output string        // name of the count of output tokens in usage
	inputs []string      // names of the counts of input tokens
}

var (
	chatFormat = format{path: "/chat/completions", add: addChat,
		answer: func() answer { return &completion{} }, output: "completion_tokens", inputs: []string{"prompt_tokens"}}
	responsesFormat = format{path: "/responses", add: addResponses,
		answer: func() answer { return &response{} }, output: "output_tokens", inputs: []string{"input_tokens"}}
	messagesFormat = format{path: "/messages", add: addMessages, keyHeader: "X-Api-Key",
		header: http.Header{"Anthropic-Version": {"2023-06-01"}},
		answer: func() answer { return &message{} }, output: "output_tokens",
		// Tokens that go through the provider's cache are counted apart.
		inputs: []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"}}
)

// answer is a decoded answer of one format.
type answer interface {
	// response returns the answer without the common fields. offered reports whether the request offered tools; only
	// then are tool calls an answer.
	response(offered bool) model.Response
	shared() common
}

// common has the fields that the answers of all formats have.
type common struct {
	Model string          `json:"model"`
	Usage json.RawMessage `json:"usage"`
}

func (c common) shared() common { return c }

// Client is the model.Client of one target.
type Client struct {
	*wire.Endpoint
	target                config.Target
	format                format
	needsCompletionTokens bool // the endpoint requires max_completion_tokens
}

// New returns a client for target t. If the access has no key, the client sends none, because some servers need none.
func New(t config.Target, access wire.Access) (*Client, error) {
	f := chatFormat
	switch {
	case t.Provider == "anthropic":
		f = messagesFormat
	case t.API == config.APIResponses:
		f = responsesFormat
	}
	address, err := endpoint(t.Address(), f.path)
	if err != nil {
		return nil, err
	}
	isAzure := isAzure(address)
	if isAzure && t.Provider != "anthropic" {
		f.keyHeader = "Api-Key"
	}
	o := wire.Options{URL: address, Header: f.header, Access: access, KeyHeader: f.keyHeader,
		Timeout: time.Duration(t.TimeoutSeconds * float64(time.Second))}
	if f.keyHeader == "" || access.KeyFile != nil { // a file has a token of a cloud, which expires
		o.KeyHeader, o.KeyPrefix = "Authorization", "Bearer "
	}
	return &Client{Endpoint: wire.New(o), target: t, format: f,
		needsCompletionTokens: isAzure || address.Hostname() == "api.openai.com"}, nil
}

// Answer sends r in one call and returns the model's response.
func (c *Client) Answer(ctx context.Context, r model.Request) (model.Response, error) {
	request := object{"model": r.Model}
	set(request, "temperature", r.Parameters.Temperature)
	set(request, "top_p", r.Parameters.TopP)
	if err := c.format.add(request, c, r); err != nil {
		return wire.RejectedResponse("%v", err), nil
	}
	var extra map[string]json.RawMessage
	_ = json.Unmarshal([]byte(c.target.ExtraBody), &extra) // "", or checked with the configuration
	for name, value := range extra {
		if _, own := request[name]; !own {
			request[name] = value
		}
	}
	body, err := json.Marshal(request)
	if err != nil {
		return wire.RejectedResponse("the request is not JSON: %v", err), nil
	}
	return c.Call(ctx, body, func(reply wire.Reply) model.Response {
		a := c.format.answer()
		if err := json.Unmarshal(reply.Body, a); err != nil {
			return wire.MalformedResponse("the answer has an unknown form: %v", err)
		}
		out, shared := a.response(r.Tools != ""), a.shared()
		out.Model, out.Usage = shared.Model, model.ReadUsage(shared.Usage, c.format.output, c.format.inputs...)
		return out
	})
}

// object is a JSON object.
type object map[string]any

// set adds a member, unless its value is nil or "". A pointer to 0 is added.
func set[T comparable](o object, name string, value T) {
	if value != *new(T) {
		o[name] = value
	}
}

// endpoint returns the address for requests: the address base with path at its end. If base has no path, endpoint first
// adds /v1, which all servers have. It adds /v1 before Anthropic's path, unless base ends in it.
func endpoint(base, path string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, errors.New("base_url is not an address")
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), path)
	if path == messagesFormat.path {
		u.Path = strings.TrimSuffix(u.Path, "/v1") + "/v1"
	}
	u.Path, u.RawPath = cmp.Or(u.Path, "/v1")+path, ""
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
