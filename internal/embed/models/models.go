// Package models finds the files of an embedding model on this machine, verifies their checksums, and reads them. It
// can download a few known models.
package models

import (
	"path/filepath"
	"slices"

	"github.com/failproof/failproof/internal/embed/encoder"
)

// KnownModel is a model with a known SHA-256 of its weights.
type KnownModel struct {
	Name     string
	Kind     string
	Source   string   // the address of its folder
	Files    []string // to download in addition to the weights
	Weights  string   // SHA-256 of model.safetensors, lower-case hex
	MaxBytes int64    // of the weights
}

// knownModels lists the models that `failproof model pull` accepts, with the hashes of their weights on Hugging Face. A
// download with another hash is rejected.
var knownModels = []KnownModel{
	{
		Name: "potion-base-8M", Kind: encoder.Static,
		Source:  "https://huggingface.co/minishlab/potion-base-8M/resolve/bf8b056651a2c21b8d2565580b8569da283cab23",
		Files:   []string{encoder.ConfigFile, encoder.TokenizerFile},
		Weights: "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2", MaxBytes: 64 << 20,
	},
	{
		Name: "potion-base-2M", Kind: encoder.Static,
		Source:  "https://huggingface.co/minishlab/potion-base-2M/resolve/main",
		Files:   []string{encoder.ConfigFile, encoder.TokenizerFile},
		Weights: "f95ffde02ad06f63ae38eb9d400038cd5ccaf8411ec3cb650c6025113f96cbb8", MaxBytes: 64 << 20,
	},
	{
		Name: "all-MiniLM-L6-v2", Kind: encoder.BERT,
		Source:  "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
		Files:   []string{encoder.ConfigFile, encoder.TokenizerFile, encoder.SentenceFile, encoder.PoolingFile},
		Weights: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", MaxBytes: 128 << 20,
	},
}

// DefaultModel returns the name of the default model of the given kind.
func DefaultModel(kind string) string {
	k, _ := findKnown(func(k KnownModel) bool { return k.Kind == kind })
	return k.Name
}

// Names returns the names of the known models.
func Names() []string {
	var out []string
	for _, k := range knownModels {
		out = append(out, k.Name)
	}
	return out
}

// Find returns the known model with the given name, or false if there is none.
func Find(name string) (KnownModel, bool) {
	return findKnown(func(k KnownModel) bool { return k.Name == name })
}

func findKnown(match func(KnownModel) bool) (KnownModel, bool) {
	if i := slices.IndexFunc(knownModels, match); i >= 0 {
		return knownModels[i], true
	}
	return KnownModel{}, false
}

// FolderEnv is the environment variable with the first folder in which embedding models are looked for.
const FolderEnv = "FAILPROOF_MODELS"

// imageFolder is the folder of models in the container image.
const imageFolder = "/usr/share/failproof/models"

// Folders returns the folders of installed models, in the order in which they are searched. New models are installed in
// the first one.
func Folders(getenv func(string) string) []string {
	all := []string{getenv(FolderEnv), UserFolder(getenv, "models"), imageFolder}
	return slices.DeleteFunc(all, func(dir string) bool { return dir == "" })
}

// UserFolder returns the path of the folder name in the user's cache, where no pull request can write. It returns "" if
// the environment names no such place.
func UserFolder(getenv func(string) string, name string) string {
	for _, place := range []struct{ env, below string }{{"XDG_CACHE_HOME", ""}, {"LOCALAPPDATA", ""}, {"HOME", ".cache"}} {
		if dir := getenv(place.env); filepath.IsAbs(dir) {
			return filepath.Join(dir, place.below, "failproof", name)
		}
	}
	return ""
}
