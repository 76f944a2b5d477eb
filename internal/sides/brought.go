package sides

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/source"
)

// Brings reports whether the commit that is judged, or the one that is checked out, holds a path of this
// machine: then whoever wrote the change wrote what lies there. A relative path begins in Dir. The error is why
// the repository cannot be read.
func (in Inputs) Brings(path string) (bool, error) {
	full := PathIn(in.Dir, path)
	if in.Head.Revision.Kind == source.KindCommit && holds(in.Head, in.Dir, full) {
		return true, nil
	}
	top, _, err := source.Within(in.Dir)
	var tree *source.Tree
	if err == nil {
		tree, err = source.Git(top, "HEAD")
	}
	switch {
	case errors.Is(err, source.ErrNoRepository), errors.Is(err, source.ErrNoRevision): // nothing is committed
		return false, nil
	case err != nil:
		return false, err
	}
	return holds(tree, top, full), nil
}

// holds reports whether a tree whose root is a folder of this machine has a path of it, with or without links followed.
func holds(tree *source.Tree, root, path string) bool {
	for _, names := range [][2]string{{root, path}, {live.Resolved(root), live.Resolved(path)}} {
		name, err := filepath.Rel(names[0], names[1])
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		if _, err := fs.Stat(tree, filepath.ToSlash(name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
