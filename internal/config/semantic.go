package config

import (
	"path"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/document"
)

// Semantic configures how answers are compared by meaning. Only the base's configuration sets it, because Endpoint and
// APIKeyEnv decide where texts and a key are sent.
type Semantic struct {
	Provider      string   // ProviderAuto or another Provider value below
	Model         string   // an installed model, a folder, or the name at the endpoint; "" for the default model
	SHA256        string   // digest of the model's files; "" if not given
	Endpoint      string   // provider http: the address above /embeddings
	APIKeyEnv     string   // provider http: the variable with the key; "" for none
	Threshold     *float64 // lowest similarity that counts as the same meaning; nil: the case threshold decides
	OnUnavailable string   // review, lexical or fail
}

// Values of Semantic.Provider, then of Semantic.OnUnavailable.
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

// AppliesLexical reports whether the case threshold also applies to a lexical similarity, which compares words.
func (s Semantic) AppliesLexical() bool {
	return s.Provider == ProviderLexical || s.OnUnavailable == Lexical
}

// FailsWithout reports whether the run ends if a case needs the embedding model and the model is missing.
func (s Semantic) FailsWithout() bool {
	return s.Provider != ProviderLexical && s.OnUnavailable == Fail
}

// Embeds reports whether the provider makes embeddings.
func (s Semantic) Embeds() bool { return s.Provider != ProviderLexical && s.Provider != ProviderOff }

// semanticKeys are the keys that only some providers read, in the order in which they are checked.
var semanticKeys = []struct{ key, providers string }{
	{"model", "auto, static, bert or http"},
	{"sha256", "auto, static or bert"},
	{"endpoint", "http"},
	{"api_key_env", "http"},
	{"threshold", "auto, static, bert or http"},
}

// checkSemantic reports keys of n that the provider does not read, keys that it needs and n lacks, and a rejected
// folder or address.
func checkSemantic(r *reader, s Semantic, n *document.Node) {
	r.envName(n.Get("api_key_env"), "api_key_env")
	if n == nil || r.isReported(n.Get("provider")) {
		return
	}
	for _, k := range semanticKeys {
		if n.Get(k.key) != nil && !strings.Contains(k.providers, s.Provider) {
			r.ErrorAt(n.KeyPos(k.key), "contradiction", "`%s` goes with provider %s; this one is %s", k.key, k.providers, document.Quote(s.Provider))
		}
	}
	if s.Provider != ProviderHTTP {
		r.reportProblem(n, "model", "path", s.Model, modelProblem(s.Model))
		return
	}
	for _, key := range []string{"endpoint", "model"} {
		if n.Get(key) == nil {
			r.ErrorAt(n.Pos, "missing-key", "`%s` is missing in semantic; provider http needs it", key)
		}
	}
	r.reportProblem(n, "endpoint", "base-url", withoutUser(s.Endpoint), urlProblem(s.Endpoint, false))
}

// modelProblem returns why the folder of a model is rejected, or "". A model without a slash is a name and is accepted.
// An absolute path is accepted too: it names a folder of this machine.
func modelProblem(model string) string {
	if !strings.ContainsAny(model, `/\`) || path.IsAbs(model) || strings.Index(model, ":") == 1 {
		return ""
	}
	return pathProblem(strings.TrimPrefix(model, "./"))
}

// isReported reports whether r has a diagnostic at the node's position.
func (r *reader) isReported(n *document.Node) bool {
	return n != nil && slices.ContainsFunc(r.All(), func(d document.Diagnostic) bool {
		return d.Line == n.Pos.Line && d.Column == n.Pos.Column
	})
}
