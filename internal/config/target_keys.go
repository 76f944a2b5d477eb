package config

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
)

// targetKey is a key of a target and its properties.
type targetKey struct {
	entry
	goes  []string      // providers that have the key; nil: all
	free  bool          // a head of the same repository may change it
	asks  bool          // it is part of a request
	sends bool          // it decides the address, the command or the key
	asked func() string // its value in the request key; nil: its meaning
}

// keys returns all keys of a target with pointers to t's fields, in the order in which changes are listed.
func (t *Target) keys() []targetKey {
	recorded, app, openai, exec := []string{"recorded"}, []string{ProviderHTTP}, []string{"openai"}, []string{"exec"}
	models, overHTTP := []string{"openai", "anthropic"}, []string{"openai", "anthropic", ProviderHTTP}
	named, hidden := t.headersWith(func(variable string) string { return "$" + variable }), t.headersWith(func(string) string { return "…" })
	return []targetKey{
		{entry: entry{"provider", &t.Provider, nil}, sends: true},
		{entry: entry{"path", &t.Path, nil}, goes: recorded},
		{entry: entry{"records", &t.Records, nil}, goes: recorded},
		{entry: entry{"base_url", &t.BaseURL, nil}, goes: models, sends: true},
		{entry: entry{"api_key_env", &t.APIKeyEnv, nil}, goes: []string{"openai", "anthropic", ProviderHTTP, "exec"}, sends: true},
		{entry: entry{"command", &t.Command, nil}, goes: exec, sends: true},
		{entry: entry{"top_p", &t.TopP, nil}},
		{entry: entry{"timeout", &t.TimeoutSeconds, nil}},
		{entry: entry{"patience", &t.PatienceSeconds, nil}},
		{entry: entry{"concurrency", &t.Concurrency, nil}},
		{entry: entry{"requests_per_minute", &t.RequestsPerMinute, nil}},
		{entry: entry{"tokens_per_minute", &t.TokensPerMinute, nil}},
		{entry: entry{"price", &t.Price, nil}},
		{entry: entry{"trials", &t.Trials, nil}},
		{entry: entry{"api_key_file", &t.APIKeyFile, nil}, goes: overHTTP, sends: true},
		{entry: entry{"headers", nil, named}, goes: overHTTP, asks: true, asked: hidden, sends: true},
		{entry: entry{"allow_http", &t.AllowHTTP, nil}, goes: overHTTP},
		{entry: entry{"url", &t.HTTP.URL, nil}, goes: app, asks: true, sends: true},
		{entry: entry{"method", &t.HTTP.Method, unless(&t.HTTP.Method, "POST")}, goes: app, asks: true, asked: unless(&t.HTTP.Method, "")},
		{entry: entry{"body", nil, func() string { return t.HTTP.Body.String() }}, goes: app, asks: true},
		{entry: entry{"answer", nil, func() string { return t.HTTP.Answer.String() }}, goes: app, asks: true},
		{entry: entry{"api", &t.API, unless(&t.API, APIChat)}, goes: openai, asks: true},
		{entry: entry{"reasoning_effort", &t.ReasoningEffort, nil}, goes: openai, asks: true},
		{entry: entry{"seed", &t.Seed, nil}, goes: openai, asks: true},
		{entry: entry{"stop", &t.Stop, nil}, goes: openai, asks: true},
		{entry: entry{"extra_body", &t.ExtraBody, nil}, goes: openai, asks: true},
		{entry: entry{"structured_output", &t.StructuredOutput, nil}, goes: models, asks: true},
		{entry: entry{"model", &t.Model, nil}, free: true},
		{entry: entry{"temperature", &t.Temperature, nil}, free: true},
		{entry: entry{"max_tokens", &t.MaxTokens, nil}, free: true},
	}
}

// unless returns a function that returns the field's value, or "" if the value is the default. otherwise is the
// default.
func unless(field *string, otherwise string) func() string {
	return func() string {
		if *field == otherwise {
			return ""
		}
		return *field
	}
}

// maxShown limits the bytes of a setting that is written out. A longer setting is replaced by its digest, because each
// recorded answer repeats it.
const maxShown = 60

// Settings returns the settings of a target's requests by key, or nil. The settings are part of the request key and are
// compared with those of recorded answers. They have the url of an http target, but no model, sampling parameter, API
// key, timing or other address. They contain no secret.
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
		out[k.key] = value
	}
	return out
}

// CaseInputs are the parts of a case that a target is sent in addition to the messages.
type CaseInputs struct {
	Vars    []string // names of variables, sorted
	AllVars bool
	Schema  bool // the suite's schema for its answers
}

func (a CaseInputs) and(b CaseInputs) CaseInputs {
	vars := slices.Concat(a.Vars, b.Vars)
	slices.Sort(vars)
	return CaseInputs{Vars: slices.Compact(vars), AllVars: a.AllVars || b.AllVars, Schema: a.Schema || b.Schema}
}

// SentVars returns the variables of a case that are sent, or nil.
func (a CaseInputs) SentVars(vars map[string]string) map[string]string {
	if !a.AllVars && len(a.Vars) == 0 {
		return nil
	}
	out := maps.Clone(vars)
	if !a.AllVars {
		maps.DeleteFunc(out, func(name, _ string) bool { return !slices.Contains(a.Vars, name) })
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Recording returns a target with the answers recorded under a path. Their request keys cover all inputs that the live
// targets of the configuration take.
func (c *Config) Recording(name, path string) Target {
	return Target{Name: name, Provider: "recorded", Path: path, Takes: takenByLive(c.answering())}
}

func takenByLive(targets map[string]Target) (all CaseInputs) {
	for _, t := range targets {
		if t.Live() {
			all = all.and(t.Takes)
		}
	}
	return all
}
