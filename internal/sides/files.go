package sides

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/live"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/suite"
)

// SameFile reports whether the file or folder name is equal in two trees, or is missing in both. It compares object
// ids and does not read files.
func SameFile(a, b *source.Tree, name string) bool {
	one, errOne := fs.Stat(a, name)
	other, errOther := fs.Stat(b, name)
	if errOne != nil || errOther != nil {
		return errors.Is(errOne, fs.ErrNotExist) && errors.Is(errOther, fs.ErrNotExist)
	}
	id, _ := one.Sys().(source.ObjectID)
	return id != "" && id == other.Sys()
}

// TextAt returns the text of a file with normalized line ends, or "" if the file cannot be read.
func TextAt(tree *source.Tree, path string) string {
	if path == "" {
		return ""
	}
	data, err := fs.ReadFile(tree, path)
	if err != nil {
		return ""
	}
	return suite.NormalizeText(data)
}

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
		if config.Exists(tree, filepath.ToSlash(name)) {
			return true
		}
	}
	return false
}
