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
// What is written as a path (".", "..", absolute, beginning with "./" or "../", ending in "/") is a folder. Any other
// name is a revision if there is one, with a slash in it or without, else a folder: were it the other way round, a change
// that adds a folder called origin/main could put itself in the place of the base that it is compared with.
func Open(dir, arg string) (*Tree, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, filepath.FromSlash(arg))
	}
	info, err := os.Stat(path)
	isDir := arg != "" && err == nil && info.IsDir()
	if WrittenAsPath(arg) {
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

// WrittenAsPath reports whether an argument can only be meant as a path.
func WrittenAsPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	return filepath.IsAbs(arg) || slashed == "." || slashed == ".." ||
		strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || strings.HasSuffix(slashed, "/")
}
