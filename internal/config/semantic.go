package config

import (
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Semantic says how answers are compared by meaning. The base alone sets it, since it names where texts and a key go.
type Semantic struct {
	Provider      string   // one of the Providers
	Model         string   // the name of an installed model, a folder, or what the endpoint calls it; "" is the provider's own
	SHA256        string   // the digest of the model's files; "" unless given
	Endpoint      string   // provider http: the address below which /embeddings is
	APIKeyEnv     string   // provider http: the variable that holds the key; "" sends none
	Threshold     *float64 // the lowest similarity that counts as the same meaning; nil: the case bar alone decides
	OnUnavailable string   // review, lexical or fail
}

// Values of Semantic.
const (
	ProviderAuto    = "auto"
	ProviderStatic  = "static"
	ProviderBERT    = "bert"
	ProviderHTTP    = "http"
	ProviderLexical = "lexical"
	ProviderOff     = "off"
	Review          = "review"
	Lexical         = "lexical"
	Fail            = "fail"
)

// AppliesLexical reports whether a lexical similarity is held to the case bar.
func (s Semantic) AppliesLexical() bool {
	return s.Provider == ProviderLexical || s.OnUnavailable == Lexical
}

// FailsWithout reports whether a case that needs an embedder ends the run.
func (s Semantic) FailsWithout() bool {
	return s.Provider != ProviderLexical && s.OnUnavailable == Fail
}

// Embeds reports whether the provider is one that makes embeddings.
func (s Semantic) Embeds() bool { return s.Provider != ProviderLexical && s.Provider != ProviderOff }

// semanticKeys are the keys that go with some providers only, in the order in which they are checked.
var semanticKeys = []struct{ key, providers string }{
	{"model", "auto, static, bert or http"},
	{"sha256", "auto, static or bert"},
	{"endpoint", "http"},
	{"api_key_env", "http"},
	{"threshold", "auto, static, bert or http"},
}

// checkSemantic reports keys that the provider needs and keys that it would ignore.
func checkSemantic(r *reader, s Semantic, n *document.Node) {
	r.variable(n.Get("api_key_env"), "api_key_env")
	if n == nil || r.isReported(n.Get("provider")) {
		return
	}
	for _, k := range semanticKeys {
		if n.Get(k.key) != nil && !strings.Contains(k.providers, s.Provider) {
			r.faultAt(n.KeyPos(k.key), "contradiction", "`%s` goes with provider %s; this one is %s", k.key, k.providers, document.Quote(s.Provider))
		}
	}
	if s.Provider != ProviderHTTP {
		r.refuse(n, "model", "path", s.Model, badModel(s.Model))
		return
	}
	for _, key := range []string{"endpoint", "model"} {
		if n.Get(key) == nil {
			r.errorAt(n, "missing-key", "`%s` is missing in semantic; provider http needs it", key)
		}
	}
	r.refuse(n, "endpoint", "base-url", withoutUser(s.Endpoint), badURL(s.Endpoint, false))
}

// badModel says why a model's folder is rejected, or "". A bare name is no folder, and an absolute path is the
// machine's own.
func badModel(model string) string {
	if !strings.ContainsAny(model, `/\`) || path.IsAbs(model) || len(model) > 2 && model[1] == ':' {
		return ""
	}
	return badPath(strings.TrimPrefix(model, "./"))
}

// isReported reports whether a fault at the node's place was already reported.
func (r *reader) isReported(n *document.Node) bool {
	return n != nil && slices.ContainsFunc(r.faults, func(d document.Diagnostic) bool {
		return d.Line == n.Pos.Line && d.Column == n.Pos.Column
	})
}
