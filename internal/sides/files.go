package sides

import (
	"errors"
	"io/fs"

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
	id, known := one.Sys().(source.ObjectID)
	return known && id == other.Sys()
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
