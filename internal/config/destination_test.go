package config_test

import (
	"testing"

	"github.com/failproof/failproof/internal/config"
)

func TestADestinationIsWhereRequestsGoAndWhatKeysTheyCarry(t *testing.T) {
	one := config.Target{Name: "a", Provider: "openai", Model: "m", BaseURL: "https://api.openai.com/v1", APIKeyEnv: "KEY",
		Headers: []config.Header{{Name: "X-Team", Value: "a"}}}
	for _, c := range []struct {
		rule   string
		change func(*config.Target)
		same   bool
	}{
		{"a name", func(t *config.Target) { t.Name = "b" }, true},
		{"a model", func(t *config.Target) { t.Model = "n" }, true},
		{"an address that is left to the provider", func(t *config.Target) { t.BaseURL = "" }, true},
		{"a host", func(t *config.Target) { t.BaseURL = "https://api.example.com/v1" }, false},
		{"a path", func(t *config.Target) { t.BaseURL += "/x" }, false},
		{"a provider", func(t *config.Target) { t.Provider = "anthropic" }, false},
		{"a variable", func(t *config.Target) { t.APIKeyEnv = "OTHER" }, false},
		{"a file with the key", func(t *config.Target) { t.APIKeyEnv, t.APIKeyFile = "", "/run/token" }, false},
		{"a header", func(t *config.Target) { t.Headers = []config.Header{{Name: "X-Team", Value: "b"}} }, false},
		{"a header from a variable", func(t *config.Target) {
			t.Headers = []config.Header{{Name: "X-Team", Value: "a", Env: "OTHER"}}
		}, false},
		{"a command", func(t *config.Target) { t.Command = []string{"sh"} }, false},
	} {
		other := one
		if c.change(&other); other.SameDestination(one) != c.same {
			t.Errorf("%s: the same destination is %v, want %v", c.rule, !c.same, c.same)
		}
	}
	written := config.Target{Headers: []config.Header{{Name: "X", Value: "$KEY"}}}
	read := config.Target{Headers: []config.Header{{Name: "X", Env: "KEY"}}}
	if written.SameDestination(read) {
		t.Error("a header that is written like a variable is one")
	}
}

func TestATargetOfThisMachineWithoutAKeyStaysHere(t *testing.T) {
	for _, c := range []struct {
		of    config.Target
		stays bool
	}{
		{config.Target{Provider: "openai", BaseURL: "http://127.0.0.1:11434/v1"}, true},
		{config.Target{Provider: "openai", BaseURL: "http://localhost:11434/v1"}, true},
		{config.Target{Provider: "http", HTTP: config.HTTP{URL: "http://[::1]:8080/ask"}}, true},
		{config.Target{Provider: "openai", BaseURL: "http://localhost:11434/v1", APIKeyEnv: "KEY"}, false},
		{config.Target{Provider: "openai", BaseURL: "http://localhost:11434/v1", APIKeyFile: "/run/token"}, false},
		{config.Target{Provider: "openai", BaseURL: "http://localhost/v1", Headers: []config.Header{{Env: "KEY"}}}, false},
		{config.Target{Provider: "openai"}, false},
		{config.Target{Provider: "openai", BaseURL: "https://localhost.example.com/v1"}, false},
		{config.Target{Provider: "exec", Command: []string{"localhost"}}, false},
	} {
		if c.of.IsLocal() != c.stays {
			t.Errorf("%+v stays here: %v, want %v", c.of, !c.stays, c.stays)
		}
	}
}
