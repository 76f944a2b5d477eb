package source

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
)

// Overlay is a tree with some files in another form. A file that neither they nor the tree have is another tree's.
func Overlay(tree, other *Tree, files map[string]string) *Tree {
	return &Tree{FS: overlay{tree, other, files}, Revision: tree.Revision}
}

type overlay struct {
	tree, other *Tree
	files       map[string]string
}

func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.files[name]; ok {
		return textFile{bytes.NewReader([]byte(text)), fileInfo{name: path.Base(name), size: int64(len(text)), mode: 0o444}}, nil
	}
	file, err := o.tree.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.other.Open(name)
	}
	return file, err
}

type textFile struct {
	*bytes.Reader
	info fileInfo
}

func (f textFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f textFile) Close() error               { return nil }
