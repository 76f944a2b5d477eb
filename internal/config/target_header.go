package config

import (
	"cmp"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
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
	seen := map[string]bool{}
	for key, value := range n.Entries() {
		h := Header{key.Text, value.AsText(), ""}
		if value.Kind == document.Map {
			h.Env, h.Value = r.variable(value.Get("env"), "headers"), value.Get("prefix").AsText()
		}
		lower := strings.ToLower(h.Name)
		switch {
		case seen[lower]:
			r.faultAt(key.Pos, "header", "header %s is there twice; names differ by more than the case of their letters", document.Quote(h.Name))
		case slices.Contains(ownHeaders, lower) || strings.HasPrefix(lower, "proxy-"):
			r.faultAt(key.Pos, "header", "header %s is failproof's own, or the connection's; leave it out", document.Quote(h.Name))
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

// headersWith are a target's headers on one line, with what shown says in place of what a variable holds.
func (t Target) headersWith(shown func(variable string) string) string {
	all := make([]string, len(t.Headers))
	for i, h := range t.Headers {
		all[i] = h.Name + ": " + h.Value
		if h.Env != "" {
			all[i] += shown(h.Env)
		}
	}
	return strings.Join(all, "; ")
}
