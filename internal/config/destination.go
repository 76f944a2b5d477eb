package config

import (
	"cmp"
	"net/url"
	"strings"
)

// Address returns the address of a target's requests; "" for a command, a recording or an echo.
func (t Target) Address() string { return cmp.Or(t.BaseURL, t.HTTP.URL, providers[t.Provider].address) }

// IsAskedAs reports whether two targets send their requests to the same address, or run the same command, with the same
// keys and headers. A target without an address has its provider's default address.
func (t Target) IsAskedAs(other Target) bool { return t.destination() == other.destination() }

func (t Target) destination() string {
	t.BaseURL = t.Address()
	all := t.Variables()
	for _, k := range t.keys() {
		if k.sends {
			all = append(all, k.meaning())
		}
	}
	return strings.Join(all, "\x00")
}

// StaysHere reports whether a target is on this machine and takes no key.
func (t Target) StaysHere() bool {
	u, err := url.Parse(t.Address())
	return err == nil && isLoopback(u.Hostname()) && len(t.Variables()) == 0 && t.APIKeyFile == ""
}

// AsTarget returns the endpoint of embeddings as a target with its address and key.
func (s Semantic) AsTarget() Target {
	return Target{Name: "semantic", Provider: ProviderHTTP, HTTP: HTTP{URL: s.Endpoint}, APIKeyEnv: s.APIKeyEnv}
}
