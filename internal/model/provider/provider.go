// Package provider makes the client of a live target from its configuration and its keys.
package provider

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/anthropic"
	"github.com/failproof/failproof/internal/model/application"
	"github.com/failproof/failproof/internal/model/exec"
	"github.com/failproof/failproof/internal/model/openai"
	"github.com/failproof/failproof/internal/model/wire"
	"github.com/failproof/failproof/internal/redact"
)

// Client asks once for each answer. Close ends its idle connections.
type Client interface {
	model.Client
	io.Closer
}

// Keys are where a client's keys come from.
type Keys struct {
	Getenv  func(variable string) string
	Learned *redact.Learned // is told the keys that are read from files; nil where no target has one
}

// New returns a client of a live target; a command runs in the folder dir. White space around a value of a variable, such as the end of a line in a secret, is left
// out. No error holds a key.
func New(t config.Target, dir string, keys Keys) (Client, error) {
	c, err := makeClient(t, dir, keys)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.Name, err)
	}
	return c, nil
}

func makeClient(t config.Target, dir string, keys Keys) (Client, error) {
	with, err := access(t, keys)
	if err != nil {
		return nil, err
	}
	switch t.Provider {
	case "openai":
		return openai.New(t, with)
	case "anthropic":
		return anthropic.New(t, with)
	case config.ProviderHTTP:
		return application.New(t, with)
	case "exec":
		return exec.New(t, dir, with.Key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}

// access reads the variables that a target names.
func access(t config.Target, keys Keys) (a wire.Access, err error) {
	values := map[string]string{}
	for _, name := range t.Variables() {
		value := strings.TrimSpace(keys.Getenv(name))
		if value == "" {
			return a, fmt.Errorf("the environment variable %s, which is to hold a key of it, is empty or not set", name)
		}
		values[name] = value
		a.Secrets = append(a.Secrets, value)
	}
	if a.Key = values[t.APIKeyEnv]; !wire.IsKey(a.Key) {
		return a, fmt.Errorf("the key in %s has a space or a letter that keys do not have", t.APIKeyEnv)
	}
	if t.APIKeyFile != "" {
		a.KeyFile = wire.NewKeyFile(t.APIKeyFile, keys.Learned)
	}
	a.Header = http.Header{}
	for _, h := range t.Headers {
		value := values[h.Env]
		if h.Env != "" && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			return a, fmt.Errorf("the value of %s, which goes into the header %s, has a letter that headers do not have", h.Env, h.Name)
		}
		a.Header.Set(h.Name, h.Value+value)
	}
	return a, nil
}
