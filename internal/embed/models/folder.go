package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
	"github.com/failproof/failproof/internal/regular"
)

// names are the files that decide what a model makes of a text, sorted. The last two are a sentence-transformers model's
// own, and may be missing.
var names = []string{encoder.Pooling, encoder.Config, encoder.Weights, encoder.Sentence, encoder.Tokenizer}

// Bounds of what is read, in bytes.
const (
	maxText    = 64 << 20
	maxWeights = 2 << 30
)

// folder is a model as it was read from its folder.
type folder struct {
	path  string
	files map[string][]byte
	sums  map[string]string // SHA-256 by name, lower-case hex
	held  bool              // by the revision that names the model; path is a folder of it
	loose string            // what was not in the revision that names the model, and is not told by it; "" where all is
}

func newFolder(path string) *folder {
	return &folder{path: path, files: map[string][]byte{}, sums: map[string]string{}}
}

func (f *folder) add(name string, text []byte) { f.files[name], f.sums[name] = text, sumOf(text) }

func readFolder(path string) (*folder, error) {
	f := newFolder(path)
	for _, name := range names {
		text, err := regular.Read(filepath.Join(path, filepath.FromSlash(name)), limit(name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && !required(name):
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, embed.Faultf(embed.ModelMissing, "the folder of the embedding model has no %s", name)
		case err != nil:
			return nil, embed.Faultf(embed.ModelInvalid, "read the embedding model's %s: %v", name, reason(err))
		}
		f.add(name, text)
	}
	return f, nil
}

func limit(name string) int64 {
	if name == encoder.Weights {
		return maxWeights
	}
	return maxText
}

// reason leaves the path out of an error: where a model lies on a machine is no business of a report.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// digest is one SHA-256 for all files: that of what `sha256sum` prints for them, in the order of their names.
func (f *folder) digest() string {
	h := sha256.New()
	for _, name := range names {
		if sum, ok := f.sums[name]; ok {
			fmt.Fprintf(h, "%s  %s\n", sum, name)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
