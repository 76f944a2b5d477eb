package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Open opens what a user may write for a base or a head: a folder or a revision. dir is the current folder, to
// which a relative arg refers and whose repository knows the revisions.
//
// What is written as a path (".", "..", beginning with "./", "../" or absolute) is a folder. A name with a
// slash in it is a folder if there is one, else a revision. A name without is a revision if there is one,
// else a folder.
func Open(dir, arg string) (*Tree, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, filepath.FromSlash(arg))
	}
	info, err := os.Stat(path)
	isDir := arg != "" && err == nil && info.IsDir()
	if writtenAsPath(arg) || isDir && strings.ContainsRune(filepath.ToSlash(arg), '/') {
		return openFolder(path, Revision{Kind: KindFolder, Name: arg})
	}
	tree, err := Git(dir, arg)
	switch {
	case err == nil:
		return tree, nil
	case !errors.Is(err, ErrNoRevision) && !errors.Is(err, ErrNoRepository):
		return nil, err
	case isDir:
		return openFolder(path, Revision{Kind: KindFolder, Name: arg})
	}
	return nil, fmt.Errorf("no folder of this name, and: %w", err)
}

// writtenAsPath reports whether an argument can only be meant as a path.
func writtenAsPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	return filepath.IsAbs(arg) || slashed == "." || slashed == ".." ||
		strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../")
}
