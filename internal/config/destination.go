package config

import (
	"cmp"
	"net/url"
	"strings"
)

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
	return err == nil && isLoopback(u.Hostname()) && len(t.EnvVars()) == 0 && t.APIKeyFile == ""
}

// AsTarget returns a target with the address and the key of the embedding endpoint.
func (s Semantic) AsTarget() Target {
	return Target{Name: "semantic", Provider: ProviderHTTP, HTTP: HTTP{URL: s.Endpoint}, APIKeyEnv: s.APIKeyEnv}
}
