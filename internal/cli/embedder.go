package cli

import (
	"path/filepath"
	"time"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/disk"
	"github.com/failproof/failproof/internal/embed/endpoint"
	"github.com/failproof/failproof/internal/embed/models"
)

// modelsEnv names the folder of embedding models in place of the user's own.
const modelsEnv = "FAILPROOF_MODELS"

// imageModels is where the container image keeps its model.
const imageModels = "/usr/share/failproof/models"

// embedTimeout is for one whole answer of an endpoint.
const embedTimeout = 60 * time.Second

// openEmbedder makes the embedder that the configuration names. Its error is an *embed.Fault. kept says whether its
// embeddings outlive the run.
func openEmbedder(s config.Semantic, dir string, getenv func(string) string) (e embed.Embedder, kept bool, err error) {
	cache := userFolder(getenv, "embeddings")
	keep := func(e embed.Embedder) (embed.Embedder, bool, error) {
		if cache == "" {
			return e, false, nil
		}
		return disk.Keep(e, cache), true, nil
	}
	if s.Provider == config.ProviderHTTP {
		client, err := openEndpoint(s, getenv)
		if err != nil {
			return nil, false, err
		}
		e, kept, err := keep(client)
		return embed.Gather(e), kept, err
	}
	wanted := models.Wanted{Kind: models.Static, Model: s.Model, SHA256: s.SHA256, Dir: dir, Search: modelFolders(getenv)}
	if s.Provider == config.ProviderBERT {
		wanted.Kind = models.BERT
	}
	if wanted.Model == "" {
		wanted.Model = models.DefaultOf(wanted.Kind)
	}
	if e, err = models.Open(wanted); err != nil {
		return nil, false, err
	}
	if wanted.Kind == models.BERT {
		return keep(e)
	}
	return e, true, nil // it is as fast as a disk, and always says the same
}

func openEndpoint(s config.Semantic, getenv func(string) string) (*endpoint.Client, error) {
	key := ""
	if s.APIKeyEnv != "" {
		if key = getenv(s.APIKeyEnv); key == "" {
			return nil, embed.Faultf(embed.KeyMissing, "the variable %s, which semantic.api_key_env names, is not set", s.APIKeyEnv)
		}
	}
	return endpoint.New(endpoint.Options{BaseURL: s.Endpoint, Model: s.Model, Key: key, Timeout: embedTimeout})
}

// modelFolders are where installed models lie.
func modelFolders(getenv func(string) string) []string {
	var out []string
	for _, dir := range []string{getenv(modelsEnv), userFolder(getenv, "models"), imageModels} {
		if dir != "" {
			out = append(out, dir)
		}
	}
	return out
}

// userFolder is a folder of the user's own, outside of what a pull request could have written; "" if there is none.
func userFolder(getenv func(string) string, name string) string {
	for _, at := range []struct{ env, below string }{{"XDG_CACHE_HOME", ""}, {"LOCALAPPDATA", ""}, {"HOME", ".cache"}} {
		if dir := getenv(at.env); filepath.IsAbs(dir) {
			return filepath.Join(dir, at.below, "failproof", name)
		}
	}
	return ""
}
