package config

import (
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Semantic configures how answers are compared by meaning. Only the base sets it, because it names the address that
// texts and a key are sent to.
type Semantic struct {
	Provider      string   // one of the Providers
	Model         string   // an installed model, a folder, or the endpoint's name for it; "" is the provider's default
	SHA256        string   // digest of the model's files; "" if not given
	Endpoint      string   // provider http: the address above /embeddings
	APIKeyEnv     string   // provider http: the variable with the key; "" for none
	Threshold     *float64 // lowest similarity that counts as the same meaning; nil: the case threshold decides
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

// AppliesLexical reports whether the case threshold applies to a lexical similarity.
func (s Semantic) AppliesLexical() bool {
	return s.Provider == ProviderLexical || s.OnUnavailable == Lexical
}

// FailsWithout reports whether a case ends the run if its embedder is missing.
func (s Semantic) FailsWithout() bool {
	return s.Provider != ProviderLexical && s.OnUnavailable == Fail
}

// Embeds reports whether the provider makes embeddings.
func (s Semantic) Embeds() bool { return s.Provider != ProviderLexical && s.Provider != ProviderOff }

// semanticKeys are the keys that only some providers have, in the order of the checks.
var semanticKeys = []struct{ key, providers string }{
	{"model", "auto, static, bert or http"},
	{"sha256", "auto, static or bert"},
	{"endpoint", "http"},
	{"api_key_env", "http"},
	{"threshold", "auto, static, bert or http"},
}

// checkSemantic reports keys that the provider needs and are missing, and keys that it does not read.
func checkSemantic(r *reader, s Semantic, n *document.Node) {
	r.variable(n.Get("api_key_env"), "api_key_env")
	if n == nil || r.isReported(n.Get("provider")) {
		return
	}
	for _, k := range semanticKeys {
		if n.Get(k.key) != nil && !strings.Contains(k.providers, s.Provider) {
			r.ErrorAt(n.KeyPos(k.key), "contradiction", "`%s` goes with provider %s; this one is %s", k.key, k.providers, document.Quote(s.Provider))
		}
	}
	if s.Provider != ProviderHTTP {
		r.refuse(n, "model", "path", s.Model, badModel(s.Model))
		return
	}
	for _, key := range []string{"endpoint", "model"} {
		if n.Get(key) == nil {
			r.ErrorAt(n.Pos, "missing-key", "`%s` is missing in semantic; provider http needs it", key)
		}
	}
	r.refuse(n, "endpoint", "base-url", withoutUser(s.Endpoint), badURL(s.Endpoint, false))
}

// badModel returns why a model's folder is rejected, or "". A name without a slash is no folder. An absolute path names
// a folder of this machine, which is allowed.
func badModel(model string) string {
	if !strings.ContainsAny(model, `/\`) || path.IsAbs(model) || len(model) > 2 && model[1] == ':' {
		return ""
	}
	return badPath(strings.TrimPrefix(model, "./"))
}

// isReported reports whether there is an error at the node's place.
func (r *reader) isReported(n *document.Node) bool {
	return n != nil && slices.ContainsFunc(r.All(), func(d document.Diagnostic) bool {
		return d.Line == n.Pos.Line && d.Column == n.Pos.Column
	})
}
