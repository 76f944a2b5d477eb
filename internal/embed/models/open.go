package models

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
)

// Wanted says which model to open.
type Wanted struct {
	Kind  string // encoder.Static, encoder.BERT, or "" for what the model is
	Model string // the name of an installed model, or a folder: a path with a separator in it
	// SHA256 is the digest that the files must have, all of them together; "" asks for the weights of a known model.
	SHA256 string
	Dir    string   // the current folder, which a relative path begins at
	Search []string // folders that installed models lie in, the first one first
}

// Open finds, checks and reads a model. Its error is an *embed.Fault.
func Open(w Wanted) (embed.Embedder, error) {
	path, err := w.find()
	if err != nil {
		return nil, err
	}
	f, err := readFolder(path)
	if err != nil {
		return nil, err
	}
	name, err := w.check(f)
	if err != nil {
		return nil, err
	}
	return f.open(w.Kind, name)
}

// find returns the model's folder.
func (w Wanted) find() (string, error) {
	if w.isPath() {
		path := w.Model
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.Dir, path)
		}
		if !isFolder(path) {
			return "", embed.Faultf(embed.ModelMissing, "the embedding model's folder %q is not there", w.Model)
		}
		return path, nil
	}
	for _, dir := range w.Search {
		if path := filepath.Join(dir, w.Model); isFolder(path) {
			return path, nil
		}
	}
	return "", embed.Faultf(embed.ModelMissing, "the embedding model %q is not installed; `failproof model pull %s` fetches it", w.Model, w.Model)
}

func (w Wanted) isPath() bool {
	return strings.ContainsAny(w.Model, `/\`) || w.Model == "." || w.Model == ".."
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// check refuses files that are not the ones meant, and names the model. Files below the current folder may be a pull
// request's own: there the weights are not enough, since another tokenizer makes any two texts alike.
func (w Wanted) check(f *folder) (name string, err error) {
	k, isKnown := find(func(k Known) bool { return k.Weights == f.sums[encoder.Weights] })
	digest := f.digest()
	switch {
	case w.SHA256 != "" && !strings.EqualFold(w.SHA256, digest):
		return "", embed.Faultf(embed.ChecksumMismatch, "the files of the embedding model have the digest %s; semantic.sha256 expects %s", digest, w.SHA256)
	case w.SHA256 == "" && !w.isPath():
		if named, ok := Find(w.Model); ok && named.Weights != f.sums[encoder.Weights] {
			return "", embed.Faultf(embed.ChecksumMismatch, "%s of %s has the SHA-256 %s; expected %s", encoder.Weights, w.Model, f.sums[encoder.Weights], named.Weights)
		}
	}
	if w.SHA256 == "" && (!isKnown || w.isPath() && inside(w.Dir, f.path)) {
		return "", embed.Faultf(embed.ChecksumMissing, "the files of the embedding model are not pinned; if they are the ones you mean, add `sha256: %s` to `semantic`", digest)
	}
	if isKnown {
		return k.Name, nil
	}
	return filepath.Base(f.path), nil
}

// inside reports whether path lies in dir, links followed. What cannot be told is inside.
func inside(dir, path string) bool {
	dir, errDir := filepath.EvalSymlinks(dir)
	path, errPath := filepath.EvalSymlinks(path)
	if errDir != nil || errPath != nil {
		return true
	}
	rel, err := filepath.Rel(dir, path)
	return err != nil || rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// open reads the model. The fingerprint names everything that its vectors depend on.
func (f *folder) open(want, name string) (embed.Embedder, error) {
	kind := encoder.Kind(f.files)
	if want != "" && want != kind {
		return nil, embed.Faultf(embed.UnsupportedModel, "the embedding model is of the kind %s; the configuration wants %s", kind, want)
	}
	return encoder.Read(name+" sha256:"+f.digest(), f.files)
}
