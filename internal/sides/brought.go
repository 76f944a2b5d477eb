package sides

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/source"
)

// CommitContains reports whether the judged commit, or the checked-out one, contains a path of this machine. If so, the
// author of the change controls the file. A relative path begins in Dir. The error says why the repository cannot be
// read.
func (in Inputs) CommitContains(path string) (bool, error) {
	full := PathIn(in.Dir, path)
	if in.Head.Revision.Kind == source.KindCommit && treeContains(in.Head, in.Dir, full) {
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
	return treeContains(tree, top, full), nil
}

// treeContains reports whether a tree, whose root is a folder of this machine, contains a path. It tries the path as
// given and with links followed.
func treeContains(tree *source.Tree, root, path string) bool {
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
