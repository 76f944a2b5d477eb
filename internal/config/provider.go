package config

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/failproof/failproof/internal/model/body"
)

// provider has the properties of one value of the key `provider` of targets.
type provider struct {
	groups          keyGroup // the keys that its targets may have beside those of all targets
	requiredKeys    []string // keys that a target must have
	live            bool     // it sends requests or runs a command
	statesCost      bool     // its answers may state their cost
	toolless        bool     // its requests cannot declare tools
	sendsMessages   bool     // its requests carry the messages of a case; those of http, if the body has them
	keyHeader       string   // header that carries the key, in lower case; "" for none
	address         string   // default address; "" for none
	maxOutputTokens int      // token limit of an answer if the target sets none; 0: the API has no such default
}

// keyGroup is a set of groups of keys. target_keys.go says which group a key of targets belongs to.
type keyGroup int

const (
	recordingKeys keyGroup = 1 << iota
	commandKeys
	applicationKeys
	openaiKeys  // what only OpenAI's API takes
	modelKeys   // of the API of a model
	networkKeys // of requests over HTTP
	secretKeys
)

// providers has all providers by name. The schema lists their names too.
var providers = map[string]provider{
	"recorded": {groups: recordingKeys, requiredKeys: []string{"path"}},
	"echo":     {},
	"openai": {groups: openaiKeys | modelKeys | networkKeys | secretKeys, requiredKeys: []string{"model"}, live: true,
		sendsMessages: true, keyHeader: "authorization", address: "https://api.openai.com/v1"},
	"anthropic": {groups: modelKeys | networkKeys | secretKeys, requiredKeys: []string{"model"}, live: true,
		sendsMessages: true, keyHeader: "x-api-key", address: "https://api.anthropic.com",
		maxOutputTokens: 4096}, // the API requires a limit
	ProviderHTTP: {groups: applicationKeys | networkKeys | secretKeys, requiredKeys: []string{"url", "body", "answer"},
		live: true, keyHeader: "authorization", toolless: true},
	"exec": {groups: commandKeys | secretKeys, requiredKeys: []string{"command"}, live: true, sendsMessages: true,
		statesCost: true, toolless: true},
}

// Providers returns the names of all providers, sorted.
func Providers() []string { return slices.Sorted(maps.Keys(providers)) }

// providersWith returns the names of the providers whose targets may have the keys of group g, sorted.
func providersWith(g keyGroup) []string {
	return slices.DeleteFunc(Providers(), func(name string) bool { return providers[name].groups&g == 0 })
}

// Live reports whether the target calls a model or runs a command, which costs money or needs trust. It returns false
// for the zero Target.
func (t Target) Live() bool { return providers[t.Provider].live }

// StatesCost reports whether the target's answers may state their cost.
func (t Target) StatesCost() bool {
	return providers[t.Provider].statesCost || t.HTTP.Answer.Usage != nil
}

// Toolless reports whether requests to the target cannot declare tools.
func (t Target) Toolless() bool { return providers[t.Provider].toolless }

// sendsMessages reports whether requests to the target carry the messages of a case.
func (t Target) sendsMessages() bool {
	return providers[t.Provider].sendsMessages || t.HTTP.Body.Uses(body.Messages)
}

// MaxOutputTokens returns the token limit of an answer that the provider with the given name has for targets without a
// limit. It returns 0 if the provider has none.
func MaxOutputTokens(name string) int { return providers[name].maxOutputTokens }

// Address returns the address to which the target's requests are sent. It is "" for the providers exec, recorded and
// echo.
func (t Target) Address() string { return cmp.Or(t.BaseURL, t.HTTP.URL, providers[t.Provider].address) }

// SameDestination reports whether t and other have the same provider, address or command, keys and headers. A target
// that sets no address has its provider's default address.
func (t Target) SameDestination(other Target) bool { return t.destination() == other.destination() }

func (t Target) destination() string {
	t.BaseURL = t.Address()
	all := t.EnvVars()
	for _, k := range t.keys() {
		if k.inDestination {
			all = append(all, k.meaning())
		}
	}
	return strings.Join(all, "\x00")
}

// IsLocal reports whether the target's address is on this machine and its requests carry no key.
func (t Target) IsLocal() bool {
	u, err := url.Parse(t.Address())
	return err == nil && IsLoopback(u.Hostname()) && len(t.EnvVars()) == 0 && t.APIKeyFile == ""
}

// AsTarget returns a target with the address and the key of the embedding endpoint.
func (s Semantic) AsTarget() Target {
	return Target{Name: "semantic", Provider: ProviderHTTP, HTTP: HTTP{URL: s.Endpoint}, APIKeyEnv: s.APIKeyEnv}
}
