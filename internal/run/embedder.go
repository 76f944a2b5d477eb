package run

import (
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/embed/endpoint"
	"github.com/failproof/failproof/internal/embed/models"
)

// embedTimeout is for one whole answer of an endpoint.
const embedTimeout = 60 * time.Second

// openEmbedder makes the embedder that the configuration names, with its memory in the folder cache; "" keeps nothing. Its
// error is an *embed.Fault.
func openEmbedder(s config.Semantic, dir, cache string, getenv func(string) string) (embed.Embedder, error) {
	keep := func(e embed.Embedder) embed.Embedder {
		if cache == "" {
			return e
		}
		return embed.Keep(e, models.Cache{Dir: cache, Fingerprint: e.Fingerprint()})
	}
	if s.Provider == config.ProviderHTTP {
		client, err := openEndpoint(s, getenv)
		if err != nil {
			return nil, err
		}
		return embed.Gather(keep(client)), nil
	}
	wanted := models.Wanted{Kind: encoder.Static, Model: s.Model, SHA256: s.SHA256, Dir: dir, Search: models.Folders(getenv)}
	if s.Provider == config.ProviderBERT {
		wanted.Kind = encoder.BERT
	}
	if wanted.Model == "" {
		wanted.Model = models.DefaultOf(wanted.Kind)
	}
	e, err := models.Open(wanted)
	if err != nil {
		return nil, err
	}
	if wanted.Kind == encoder.BERT {
		e = keep(e)
	}
	return e, nil // a static model is faster than a disk
}

func openEndpoint(s config.Semantic, getenv func(string) string) (*endpoint.Client, error) {
	key := ""
	if config.Reserved(s.APIKeyEnv) { // a configuration that names it is refused before
		return nil, embed.Faultf(embed.KeyMissing, "the variable %s, which semantic.api_key_env names, is the runner's own and no key", s.APIKeyEnv)
	}
	if s.APIKeyEnv != "" {
		if key = getenv(s.APIKeyEnv); key == "" {
			return nil, embed.Faultf(embed.KeyMissing, "the variable %s, which semantic.api_key_env names, is not set", s.APIKeyEnv)
		}
	}
	return endpoint.New(endpoint.Options{BaseURL: s.Endpoint, Model: s.Model, Key: key, Timeout: embedTimeout})
}
