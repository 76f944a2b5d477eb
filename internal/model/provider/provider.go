// Package provider makes the client of a live target from its configuration and its key.
package provider

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/model"
	"github.com/failproof/failproof/internal/model/anthropic"
	"github.com/failproof/failproof/internal/model/exec"
	"github.com/failproof/failproof/internal/model/openai"
)

// Client asks once for each answer. Close ends its idle connections.
type Client interface {
	model.Client
	io.Closer
}

// New returns a client of a live target. key is the value of the variable that the target names, "" if it names none; white
// space around it, such as the end of a line in a secret, is left out. No error holds the key.
func New(t config.Target, key string) (Client, error) {
	key = strings.TrimSpace(key)
	c, err := makeClient(t, key)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.Name, err)
	}
	return c, nil
}

func makeClient(t config.Target, key string) (Client, error) {
	if t.APIKeyEnv != "" && key == "" {
		return nil, fmt.Errorf("the environment variable %s, which is to hold its key, is empty or not set", t.APIKeyEnv)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, fmt.Errorf("the key in %s has a space or a letter that keys do not have", t.APIKeyEnv)
	}
	switch t.Provider {
	case "openai":
		return openai.New(t, key)
	case "anthropic":
		return anthropic.New(t, key)
	case "exec":
		return exec.New(t, key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}
