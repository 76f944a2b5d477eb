package config

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/failproof/failproof/internal/document"
)

// targetKey is a key of a target: what else than its own checks the code knows of it.
type targetKey struct {
	name  string
	goes  []string      // the providers that it goes with; nil: any
	at    any           // the field that holds it, which is read by its type
	free  bool          // a head of the same repository may change it
	asks  bool          // a request is made of it
	said  func() string // what it means; nil: what the field holds
	asked func() string // what it means in Settings; nil: the same
}

// keys are all keys of a target, with the fields of t, in the order in which changes of them are told.
func (t *Target) keys() []targetKey {
	recorded, app, openai, exec := []string{"recorded"}, []string{ProviderHTTP}, []string{"openai"}, []string{"exec"}
	models, overHTTP := []string{"openai", "anthropic"}, []string{"openai", "anthropic", ProviderHTTP}
	header := func(value func(variable string) string) func() string {
		return func() string { return t.headersWith(value) }
	}
	return []targetKey{
		{name: "provider", at: &t.Provider},
		{name: "path", goes: recorded, at: &t.Path},
		{name: "records", goes: recorded, at: &t.Records},
		{name: "base_url", goes: models, at: &t.BaseURL},
		{name: "api_key_env", goes: []string{"openai", "anthropic", ProviderHTTP, "exec"}, at: &t.APIKeyEnv},
		{name: "command", goes: exec, at: &t.Command},
		{name: "top_p", at: &t.TopP},
		{name: "timeout", at: &t.TimeoutSeconds},
		{name: "patience", at: &t.PatienceSeconds},
		{name: "concurrency", at: &t.Concurrency},
		{name: "requests_per_minute", at: &t.RequestsPerMinute},
		{name: "tokens_per_minute", at: &t.TokensPerMinute},
		{name: "price", at: &t.Price},
		{name: "trials", at: &t.Trials},
		{name: "api_key_file", goes: overHTTP, at: &t.APIKeyFile},
		{name: "headers", goes: overHTTP, asks: true, said: header(func(variable string) string { return "$" + variable }), asked: header(func(string) string { return "…" })},
		{name: "allow_http", goes: overHTTP, at: &t.AllowHTTP},
		{name: "url", goes: app, at: &t.HTTP.URL, asks: true},
		{name: "method", goes: app, at: &t.HTTP.Method, asks: true, said: unless(&t.HTTP.Method, "POST"), asked: unless(&t.HTTP.Method, "")},
		{name: "body", goes: app, asks: true, said: func() string { return t.HTTP.Body.String() }},
		{name: "answer", goes: app, asks: true, said: func() string { return t.HTTP.Answer.String() }},
		{name: "api", goes: openai, at: &t.API, asks: true, said: unless(&t.API, APIChat)},
		{name: "reasoning_effort", goes: openai, at: &t.ReasoningEffort, asks: true},
		{name: "seed", goes: openai, at: &t.Seed, asks: true},
		{name: "stop", goes: openai, at: &t.Stop, asks: true},
		{name: "extra_body", goes: openai, at: &t.ExtraBody, asks: true},
		{name: "structured_output", goes: models, at: &t.StructuredOutput, asks: true},
		{name: "model", at: &t.Model, free: true},
		{name: "temperature", at: &t.Temperature, free: true},
		{name: "max_tokens", at: &t.MaxTokens, free: true},
	}
}

// unless is what a field holds, and nothing where that is what holds anyway.
func unless(field *string, otherwise string) func() string {
	return func() string {
		if *field == otherwise {
			return ""
		}
		return *field
	}
}

// read reads a key whose field says by its type how; what holds others has its own reader.
func (k targetKey) read(n *document.Node) {
	switch at := k.at.(type) {
	case *string:
		*at = n.AsText()
	case *int:
		*at = wholeOf(n)
	case *bool:
		*at = n.IsTrue()
	case *[]string:
		*at = textsOf(n)
	case **int:
		*at = optionalWhole(n)
	case **float64:
		*at = figureOf(n)
	}
}

// meaning is equal where a key means the same, and "" where it is not set.
func (k targetKey) meaning() string {
	if k.said != nil {
		return k.said()
	}
	switch at := k.at.(type) {
	case *string:
		return *at
	case *bool:
		if *at {
			return "true"
		}
	case *[]string:
		if len(*at) > 0 {
			return fmt.Sprintf("%q", *at)
		}
	case *int:
		return fmt.Sprint(*at)
	case *float64:
		return fmt.Sprint(*at)
	case **int:
		return optional(*at)
	case **float64:
		return optional(*at)
	case **Price:
		return optional(*at)
	}
	return ""
}

// goesWith reports whether a provider heeds the key.
func (k targetKey) goesWith(provider string) bool {
	return k.goes == nil || slices.Contains(k.goes, provider)
}

// maxShown bounds a setting that is told as it is, in bytes; of a longer one its digest stands, since each recorded answer repeats it.
const maxShown = 60

// Settings are what of a target's configuration a request is made of, beside the model and the parameters of sampling: by key, nil
// if nothing is. They enter the request key, and recorded answers are held to them: with another of them it is another who answers.
// Where a key comes from, how fast and how long the target is asked, and (of all but http, whose address is its name) where it
// stands are no part of them. No secret is in them.
func (t Target) Settings() (out map[string]string) {
	for _, k := range t.keys() {
		if k.asked != nil {
			k.said = k.asked
		}
		value := k.meaning()
		if !k.asks || value == "" {
			continue
		}
		if len(value) > maxShown {
			sum := sha256.Sum256([]byte(value))
			value = "sha256:" + hex.EncodeToString(sum[:16])
		}
		if out == nil {
			out = map[string]string{}
		}
		out[k.name] = value
	}
	return out
}

// parts lists what a target is made of, by key; free are those that a head of the same repository may change.
func (t Target) parts() (fixed, free []setting) {
	for _, k := range t.keys() {
		into := &fixed
		if k.free {
			into = &free
		}
		*into = append(*into, setting{k.name, k.meaning()})
	}
	return fixed, free
}
