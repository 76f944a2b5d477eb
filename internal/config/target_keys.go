package config

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
)

// targetKey is a key of a target with its properties.
type targetKey struct {
	entry
	group         keyGroup // the group that its providers have; 0: targets of all providers may have the key
	headMayChange bool     // a head of the same repository may change its value
	inRequest     bool     // it is part of a request
	// it decides to which address or command requests go, or which key or headers they carry
	inDestination bool
	requestValue  func() string // returns its value in the request key; nil: its meaning
}

// keys returns all keys of a target, in the order in which changes are listed. Their pointers are to fields of t.
func (t *Target) keys() []targetKey {
	named, hidden := t.headersText(func(variable string) string { return "$" + variable }), t.headersText(func(string) string { return "…" })
	return []targetKey{
		{entry: entry{"provider", &t.Provider, nil}, inDestination: true},
		{entry: entry{"path", &t.Path, nil}, group: recordingKeys},
		{entry: entry{"records", &t.RecordedFrom, nil}, group: recordingKeys},
		{entry: entry{"base_url", &t.BaseURL, nil}, group: modelKeys, inDestination: true},
		{entry: entry{"api_key_env", &t.APIKeyEnv, nil}, group: secretKeys, inDestination: true},
		{entry: entry{"command", &t.Command, nil}, group: commandKeys, inDestination: true},
		{entry: entry{"top_p", &t.TopP, nil}},
		{entry: entry{"timeout", &t.TimeoutSeconds, nil}},
		{entry: entry{"patience", &t.PatienceSeconds, nil}},
		{entry: entry{"concurrency", &t.Concurrency, nil}},
		{entry: entry{"requests_per_minute", &t.RequestsPerMinute, nil}},
		{entry: entry{"tokens_per_minute", &t.TokensPerMinute, nil}},
		{entry: entry{"price", &t.Price, nil}},
		{entry: entry{"trials", &t.Trials, nil}},
		{entry: entry{"api_key_file", &t.APIKeyFile, nil}, group: networkKeys, inDestination: true},
		{entry: entry{"headers", nil, named}, group: networkKeys, inRequest: true, requestValue: hidden,
			inDestination: true},
		{entry: entry{"allow_http", &t.AllowHTTP, nil}, group: networkKeys},
		{entry: entry{"url", &t.HTTP.URL, nil}, group: applicationKeys, inRequest: true, inDestination: true},
		{entry: entry{"method", &t.HTTP.Method, omitDefault(&t.HTTP.Method, "POST")}, group: applicationKeys,
			inRequest: true, requestValue: omitDefault(&t.HTTP.Method, "")},
		{entry: entry{"body", nil, t.HTTP.Body.String}, group: applicationKeys, inRequest: true},
		{entry: entry{"answer", nil, t.HTTP.Answer.String}, group: applicationKeys, inRequest: true},
		{entry: entry{"api", &t.API, omitDefault(&t.API, APIChat)}, group: openaiKeys, inRequest: true},
		{entry: entry{"reasoning_effort", &t.ReasoningEffort, nil}, group: openaiKeys, inRequest: true},
		{entry: entry{"seed", &t.Seed, nil}, group: openaiKeys, inRequest: true},
		{entry: entry{"stop", &t.Stop, nil}, group: openaiKeys, inRequest: true},
		{entry: entry{"extra_body", &t.ExtraBody, nil}, group: openaiKeys, inRequest: true},
		{entry: entry{"structured_output", &t.StructuredOutput, nil}, group: modelKeys, inRequest: true},
		{entry: entry{"model", &t.Model, nil}, headMayChange: true},
		{entry: entry{"temperature", &t.Temperature, nil}, headMayChange: true},
		{entry: entry{"max_tokens", &t.MaxTokens, nil}, headMayChange: true},
	}
}

// omitDefault returns a function that returns the value of field. If the value equals fallback, which is the default,
// the function returns "".
func omitDefault(field *string, fallback string) func() string {
	return func() string {
		if *field == fallback {
			return ""
		}
		return *field
	}
}

// maxShown is the largest length in bytes of a value that Settings returns as it is. A longer value is replaced by its
// digest, because each recorded answer repeats it.
const maxShown = 60

// Settings returns the settings that are part of the target's requests, by key, or nil if there are none. They are part
// of the request key, and are compared with the settings of recorded answers. They contain the url of an http target.
// They contain no other address, and no model, sampling parameter, key, timing or secret.
func (t Target) Settings() (out map[string]string) {
	for _, k := range t.keys() {
		if k.requestValue != nil {
			k.meaningFunc = k.requestValue
		}
		value := k.meaning()
		if !k.inRequest || value == "" {
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

// CaseInputs says which parts of a case are sent to a target in addition to the messages.
type CaseInputs struct {
	Vars    []string // names of variables, sorted
	AllVars bool     // all variables of the case are sent
	Schema  bool     // the suite's schema for its answers is sent
}

func (c CaseInputs) union(b CaseInputs) CaseInputs {
	vars := slices.Concat(c.Vars, b.Vars)
	slices.Sort(vars)
	return CaseInputs{Vars: slices.Compact(vars), AllVars: c.AllVars || b.AllVars, Schema: c.Schema || b.Schema}
}

// SentVars returns those of the variables vars of a case that are sent, or nil if none is.
func (c CaseInputs) SentVars(vars map[string]string) map[string]string {
	if c.AllVars && len(vars) > 0 {
		return maps.Clone(vars)
	}
	var out map[string]string
	for _, name := range c.Vars {
		if value, known := vars[name]; known {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = value
		}
	}
	return out
}

// RecordingTarget returns a target that reads the answers recorded at path. The request keys of these answers cover all
// inputs that the live targets of the configuration take.
func (c *Config) RecordingTarget(name, path string) Target {
	return Target{Name: name, Provider: "recorded", Path: path, Inputs: liveInputs(c.answeringTargets())}
}

func liveInputs(targets map[string]Target) (all CaseInputs) {
	for _, t := range targets {
		if t.Live() {
			all = all.union(t.Inputs)
		}
	}
	return all
}
