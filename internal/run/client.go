package run

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
)

// liveClient asks once for each answer. Close ends its idle connections.
type liveClient interface {
	model.Client
	io.Closer
}

// newClient returns a client of a live target all of whose keys are there; a command runs in the current folder. No error holds a key.
func (l *live) newClient(t config.Target) (liveClient, error) {
	with, err := l.access(t)
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
		return exec.New(t, l.dir, with.Key)
	}
	return nil, errors.New("provider " + t.Provider + " asks nobody")
}

// access reads the variables that a target names. White space around a value, such as the end of a line in a secret, is left out.
func (l *live) access(t config.Target) (a wire.Access, err error) {
	values := map[string]string{}
	for _, name := range t.Variables() {
		values[name] = strings.TrimSpace(l.getenv(name))
		a.Secrets = append(a.Secrets, values[name])
	}
	if a.Key = values[t.APIKeyEnv]; !wire.IsKey(a.Key) {
		return a, fmt.Errorf("the key in %s has a space or a letter that keys do not have", t.APIKeyEnv)
	}
	if t.APIKeyFile != "" {
		a.KeyFile = wire.NewKeyFile(t.APIKeyFile, l.learned)
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
