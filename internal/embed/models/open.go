package models

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/failproof/failproof/internal/embed"
	"github.com/failproof/failproof/internal/embed/encoder"
)

// Spec specifies the model to open.
type Spec struct {
	Kind  string // encoder.Static, encoder.BERT, or "" for either
	Model string // the name of an installed model, or a folder: a path with a separator
	// SHA256 is the expected digest of all files together. If it is "", the files must have the weights of a known
	// model.
	SHA256 string
	// Tree is the revision whose configuration names the model, for a model in the repository; nil: none.
	Tree   fs.FS
	Dir    string   // the current folder, to which a relative path is relative
	Search []string // folders of installed models, in order
}

// Open finds, checks and reads the model that w specifies. Its error is an *embed.Fault.
func Open(w Spec) (embed.Embedder, error) {
	f, err := w.read()
	if err != nil {
		return nil, err
	}
	name, err := w.check(f)
	if err != nil {
		return nil, err
	}
	return f.embedder(w.Kind, name)
}

// read reads the model's files. It takes them from the revision if the model is in the repository and the revision has
// any of them. Otherwise it takes them from the model's folder on this machine.
func (s Spec) read() (*folder, error) {
	if dir, ok := s.InTree(); ok {
		if found := revisionFiles(s.Tree, dir); len(found) > 0 {
			f := &folder{path: dir, inTree: true}
			return f, f.read(filepath.Join(s.Dir, filepath.FromSlash(dir)), found)
		}
	}
	path, err := s.find()
	if err != nil {
		return nil, err
	}
	f, err := readFolder(path)
	if below, ok := RelativeTo(s.Dir, path); ok && s.Tree != nil {
		f.unpinned = filepath.ToSlash(below)
	}
	return f, err
}

// find returns the path of the model's folder on this machine.
func (s Spec) find() (string, error) {
	if s.isPath() {
		path := s.Model
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Dir, path)
		}
		if !isFolder(path) {
			return "", embed.Faultf(embed.ReasonModelMissing, "the embedding model's folder %q does not exist", s.Model)
		}
		return path, nil
	}
	for _, dir := range s.Search {
		if path := filepath.Join(dir, s.Model); isFolder(path) {
			return path, nil
		}
	}
	if _, known := Find(s.Model); !known {
		return "", embed.Faultf(embed.ReasonModelMissing,
			"the embedding model %q is not installed; `failproof model pull NAME` fetches one of %s", s.Model,
			strings.Join(Names(), ", "))
	}
	return "", embed.Faultf(embed.ReasonModelMissing,
		"the embedding model %q is not installed; `failproof model pull %s` fetches it", s.Model, s.Model)
}

func (s Spec) isPath() bool {
	return strings.ContainsAny(s.Model, `/\`) || s.Model == "." || s.Model == ".."
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// check returns the name of the model, or an error if its files are not the expected ones. Files in the current folder
// may come from a pull request, so s must have a digest of all files. Otherwise a changed tokenizer could make any two
// texts equal.
func (s Spec) check(f *folder) (name string, err error) {
	k, isKnown := findKnown(func(k KnownModel) bool { return k.Weights == f.sums[encoder.WeightsFile] })
	digest := f.digest()
	switch {
	case s.SHA256 != "" && !strings.EqualFold(s.SHA256, digest):
		return "", f.addOrigin(embed.Faultf(embed.ReasonChecksumMismatch,
			"the embedding model's files have the digest %s; `semantic.sha256` is %s", digest, s.SHA256))
	case s.SHA256 == "" && !s.isPath():
		if named, ok := Find(s.Model); ok && named.Weights != f.sums[encoder.WeightsFile] {
			return "", embed.Faultf(embed.ReasonChecksumMismatch, "%s of %s has the SHA-256 %s; expected %s",
				encoder.WeightsFile, s.Model, f.sums[encoder.WeightsFile], named.Weights)
		}
	}
	_, inTree := s.InTree()
	if s.SHA256 == "" && (!isKnown || inTree || s.isPath() && isInside(s.Dir, f.path)) {
		return "", f.addOrigin(embed.Faultf(embed.ReasonChecksumMissing,
			"the embedding model's files are not pinned; if these are the right ones, add `sha256: %s` to `semantic`",
			digest))
	}
	if isKnown {
		return k.Name, nil
	}
	return filepath.Base(f.path), nil
}

// RelativeTo returns path relative to dir. It returns false if path is not in dir. It compares the two as written, and
// then with links resolved.
func RelativeTo(dir, path string) (string, bool) {
	dir, _ = filepath.Abs(dir) // they are absolute, unless there is no working folder
	path, _ = filepath.Abs(path)
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel, true
	}
	rel, err := resolvedRel(dir, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// isInside reports whether path is in dir after resolving links. It reports true if a link cannot be resolved.
func isInside(dir, path string) bool {
	rel, err := resolvedRel(dir, path)
	return err != nil || filepath.IsLocal(rel)
}

// resolvedRel returns the relative path from dir to path after resolving links.
func resolvedRel(dir, path string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	return filepath.Rel(dir, path)
}

// embedder returns the embedder of the model with the given name. It returns an error if the model is not of the kind
// wantKind; "" means any kind. The model's fingerprint contains the digest of all files.
func (f *folder) embedder(wantKind, name string) (embed.Embedder, error) {
	kind := encoder.KindOf(f.files)
	if wantKind != "" && wantKind != kind {
		return nil, embed.Faultf(embed.ReasonUnsupportedModel,
			"the embedding model is of the kind %s; the configuration says %s", kind, wantKind)
	}
	return encoder.Read(name+" sha256:"+f.digest(), f.files)
}
