package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/model/body"
	"github.com/failproof/failproof/internal/redact"
)

// Header is one header of a target's requests. Its value is written, or read from a variable.
type Header struct {
	Name  string
	Value string // as written; what stands before the variable's value, where there is one
	Env   string // the variable; "" where the value is written
}

// ownHeaders are set by failproof, or belong to the connection.
var ownHeaders = []string{"accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
	"te", "trailer", "transfer-encoding", "upgrade"}

// keyHeaders hold keys, which are never written into a file.
var keyHeaders = []string{"authorization", "api-key", "x-api-key", "x-goog-api-key", "cookie"}

func (r *reader) headers(n *document.Node) (out []Header) {
	if n == nil || n.Kind != document.Map {
		return nil
	}
	seen := map[string]bool{}
	for i, key := range n.Keys {
		h, value := Header{Name: key.Text}, n.Values[i]
		if value.Kind == document.Map {
			h.Env, h.Value = r.variable(value.Get("env"), "headers"), textOf(value.Get("prefix"))
		} else {
			h.Value = textOf(value)
		}
		lower := strings.ToLower(h.Name)
		switch {
		case seen[lower]:
			r.fault(document.Error, key.Pos, "header", "header %s is there twice; names differ by more than the case of their letters", document.Quote(h.Name))
		case slices.Contains(ownHeaders, lower) || strings.HasPrefix(lower, "proxy-"):
			r.fault(document.Error, key.Pos, "header", "header %s is failproof's own, or the connection's; leave it out", document.Quote(h.Name))
		case h.Env == "" && (slices.Contains(keyHeaders, lower) || looksSecret(h.Value)):
			r.errorAt(value, "header", "header %s holds a key, which must not stand in a file; write %s: { env: NAME }, and put it into that variable", document.Quote(h.Name), h.Name)
		case strings.Contains(h.Value, "{{") || strings.Contains(h.Value, "${"):
			r.errorAt(value, "header", "the value of header %s is sent as it is; to send that of a variable write { env: NAME, prefix: \"…\" }", document.Quote(h.Name))
		}
		seen[lower] = true
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b Header) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return out
}

// looksSecret reports a text with the shape of a common key.
func looksSecret(text string) bool { return redact.Keys(text) != text }

// Variables are the names of the variables that a target's client reads, the key's first.
func (t Target) Variables() (names []string) {
	if t.APIKeyEnv != "" {
		names = append(names, t.APIKeyEnv)
	}
	for _, h := range t.Headers {
		if h.Env != "" && !slices.Contains(names, h.Env) {
			names = append(names, h.Env)
		}
	}
	return names
}

// checkKey refuses a key in two places, and one inside of the repository.
func (r *reader) checkKey(t Target, n *document.Node) {
	if t.APIKeyEnv != "" && t.APIKeyFile != "" {
		r.fault(document.Error, n.KeyPos("api_key_file"), "contradiction", "`api_key_file` and `api_key_env` both name the key; keep one of them")
	}
	if t.APIKeyFile != "" && !isAbsolute(t.APIKeyFile) {
		r.errorAt(n.Get("api_key_file"), "path", "api_key_file %s is not a whole path outside of the repository: what is in the repository is a pull request's to write",
			document.Quote(t.APIKeyFile))
	}
	own := map[string]string{"openai": "authorization", ProviderHTTP: "authorization", "anthropic": "x-api-key"}[t.Provider]
	for _, h := range t.Headers {
		if strings.EqualFold(h.Name, own) && (t.APIKeyEnv != "" || t.APIKeyFile != "") {
			r.errorAt(n.Get("headers"), "contradiction", "header %s is where the key goes; leave out either it or the key", document.Quote(h.Name))
		}
	}
}

// isAbsolute reports a path that begins at a root, of whatever system, and takes no way back.
func isAbsolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
	plain := strings.ReplaceAll(path, `\`, "/")
	return (strings.HasPrefix(path, "/") || drive) && !strings.Contains(plain+"/", "/../") && !strings.HasPrefix(plain, "/proc/") && !strings.HasPrefix(plain, "/dev/")
}

// APIs of OpenAI.
const (
	APIChat      = "chat"
	APIResponses = "responses"
)

// maxExtraBody bounds what is added to a body, in bytes of JSON.
const maxExtraBody = 16 << 10

// ownMembers are the members of a body that failproof writes or that an answer could not be read with, by what to write instead.
var ownMembers = map[string]map[string]string{
	APIChat: {
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "max_tokens": "`max_tokens`", "max_completion_tokens": "`max_tokens`",
		"reasoning_effort": "`reasoning_effort`", "seed": "`seed`", "stop": "`stop`", "response_format": "`structured_output`",
		"messages": "", "stream": "", "stream_options": "", "n": "", "tools": "", "tool_choice": "", "functions": "", "function_call": "", "modalities": "", "audio": "",
	},
	APIResponses: {
		"model": "`model`", "temperature": "`temperature`", "top_p": "`top_p`", "max_output_tokens": "`max_tokens`", "reasoning": "`reasoning_effort`", "text": "`structured_output`",
		"input": "", "instructions": "", "prompt": "", "stream": "", "stream_options": "", "store": "", "background": "", "conversation": "", "previous_response_id": "",
		"tools": "", "tool_choice": "",
	},
}

// extraBody reads what is added to a body, as JSON.
func (r *reader) extraBody(n *document.Node, api string) string {
	if n == nil || n.Kind != document.Map || len(n.Keys) == 0 {
		return ""
	}
	for _, key := range n.Keys {
		instead, own := ownMembers[cmp.Or(api, APIChat)][key.Text]
		switch {
		case own && instead != "":
			r.fault(document.Error, key.Pos, "extra-body", "`%s` is set by %s of the target, not by extra_body", document.Line(key.Text), instead)
		case own:
			r.fault(document.Error, key.Pos, "extra-body", "`%s` is failproof's to write, or gives answers that it cannot read; leave it out", document.Line(key.Text))
		}
	}
	text := body.JSON(n)
	switch {
	case len(text) > maxExtraBody:
		r.errorAt(n, "extra-body", "extra_body is %d bytes of JSON; at most %d are allowed", len(text), maxExtraBody)
	case looksSecret(text):
		r.errorAt(n, "extra-body", "extra_body holds what looks like a key, which must not stand in a file; send it in a header, from a variable")
	}
	return text
}

// sentHeaders are a target's headers on one line, without what is in variables.
func (t Target) sentHeaders() string {
	all := make([]string, len(t.Headers))
	for i, h := range t.Headers {
		all[i] = h.Name + ": " + h.Value
		if h.Env != "" {
			all[i] += "…"
		}
	}
	return strings.Join(all, "; ")
}

// namedHeaders are a target's headers on one line, with the names of variables.
func (t Target) namedHeaders() string {
	all := make([]string, len(t.Headers))
	for i, h := range t.Headers {
		all[i] = h.Name + ": " + h.Value
		if h.Env != "" {
			all[i] += "$" + h.Env
		}
	}
	return strings.Join(all, "; ")
}

// Takes says what of a case a target is sent beside its messages.
type Takes struct {
	Vars    []string // names of variables, sorted
	AllVars bool
	Schema  bool // the schema that the suite has for its answers
}

// takes is what a live target is sent.
func (t Target) takes() Takes {
	variables, all := t.HTTP.Body.Variables()
	return Takes{Vars: variables, AllVars: all, Schema: t.StructuredOutput}
}

func (a Takes) and(b Takes) Takes {
	vars := slices.Concat(a.Vars, b.Vars)
	slices.Sort(vars)
	return Takes{Vars: slices.Compact(vars), AllVars: a.AllVars || b.AllVars, Schema: a.Schema || b.Schema}
}

// Sent are the variables of a case that are sent; nil if none is.
func (a Takes) Sent(vars map[string]string) map[string]string {
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

// Recording returns a target whose answers are recorded under a path. An answer of a live target holds while everything that any
// live target of the configuration is sent of its case stays as it was.
func (c *Config) Recording(name, path string) Target {
	return Target{Name: name, Provider: "recorded", Path: path, Takes: takenByLive(c.Targets)}
}

func takenByLive(targets map[string]Target) (all Takes) {
	for _, t := range targets {
		if t.Live() {
			all = all.and(t.Takes)
		}
	}
	return all
}
