package source

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// blobFile is an opened file of a commit.
type blobFile struct {
	fsys *commitFS
	node node
	name string
	info fs.FileInfo
	data *bytes.Reader // nil until the first Read
}

func (f *blobFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *blobFile) Close() error               { return nil }

func (f *blobFile) Read(p []byte) (int, error) {
	if f.data == nil {
		data, err := f.fsys.content(f.node)
		if err != nil {
			return 0, pathError("read", f.name, err)
		}
		f.data = bytes.NewReader(data)
	}
	return f.data.Read(p)
}

// describe returns what is known of an entry. Only the size of a file has to be asked for.
func (c *commitFS) describe(n node) (fs.FileInfo, error) {
	info := fileInfo{name: n.name, mode: typeOf(n.mode) | 0o444}
	switch {
	case info.IsDir():
		info.mode |= 0o111
	case info.mode.IsRegular():
		size, err := c.objects.size(n.id)
		if err != nil {
			return nil, err
		}
		info.size, info.blob = size, BlobID(n.id.String())
	}
	return info, nil
}

// typeOf returns a mode's type bits. What is neither file, folder nor link is irregular, so no walk enters it.
func typeOf(m filemode.FileMode) fs.FileMode {
	switch m {
	case filemode.Dir:
		return fs.ModeDir
	case filemode.Regular, filemode.Executable, filemode.Deprecated:
		return 0
	case filemode.Symlink:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

// content returns a file's bytes, which the caller must not write to.
func (c *commitFS) content(n node) ([]byte, error) {
	if n.mode == filemode.Dir {
		return nil, ErrNotRegular
	}
	size, err := c.objects.size(n.id)
	if err != nil {
		return nil, err
	}
	if size > MaxFileSize {
		return nil, ErrTooLarge
	}
	data, err := c.objects.blob(n.id)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("blob %s has %d bytes instead of %d", n.id, len(data), size)
	}
	return data, nil
}

// verify returns an error unless data is the blob of this id, so that a damaged store or a wrong answer is
// never taken for a prompt.
func verify(id plumbing.Hash, data []byte) error {
	if plumbing.ComputeHash(plumbing.BlobObject, data) != id {
		return fmt.Errorf("the content is not that of blob %s: its SHA-1 differs", id)
	}
	return nil
}
