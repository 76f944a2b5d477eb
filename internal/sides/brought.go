package sides

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/source"
)

// CommitContains reports whether the judged commit or the checked-out commit contains a local path. If so, the author
// of the change controls the file at path. A relative path begins in in.Dir. CommitContains returns an error if the
// repository cannot be read.
func (in Inputs) CommitContains(path string) (bool, error) {
	full := PathIn(in.Dir, path)
	if in.Head.Revision.Kind == source.KindCommit && treeContains(in.Head, in.Dir, full) {
		return true, nil
	}
	top, _, err := source.FindRepository(in.Dir)
	var tree *source.Tree
	if err == nil {
		tree, err = source.Git(top, "HEAD")
	}
	switch {
	case errors.Is(err, source.ErrNoRepository), errors.Is(err, source.ErrNoRevision): // no commit
		return false, nil
	case err != nil:
		return false, err
	}
	return treeContains(tree, top, full), nil
}

// treeContains reports whether tree, which was read from the local folder root, contains the local path. It compares
// the paths as they are, and also after resolving links.
func treeContains(tree *source.Tree, root, path string) bool {
	for _, names := range [][2]string{{root, path}, {live.ResolveLinks(root), live.ResolveLinks(path)}} {
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
