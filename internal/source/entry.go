package source

import (
	"io"
	"io/fs"
	"time"
)

// ObjectID is git's name of what a file or a folder holds, 40 lower-case hexadecimal digits: what fs.FileInfo.Sys returns of those of a commit.
type ObjectID string

// fileInfo describes a file or folder of a commit. A commit stores no times and no owner.
type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
	id   ObjectID // "" for what is neither file nor folder of a commit
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any {
	if i.id == "" {
		return nil
	}
	return i.id
}

// dirEntry is a line of a listing. Its Info describes the entry itself, a link as a link.
type dirEntry struct {
	name string
	typ  fs.FileMode // type bits only
	info func() (fs.FileInfo, error)
}

func (e dirEntry) Name() string               { return e.name }
func (e dirEntry) IsDir() bool                { return e.typ.IsDir() }
func (e dirEntry) Type() fs.FileMode          { return e.typ }
func (e dirEntry) Info() (fs.FileInfo, error) { return e.info() }
func (e dirEntry) String() string             { return fs.FormatDirEntry(e) }

// openDir is an opened folder: a listing made when it was opened, and how far it was read.
type openDir struct {
	name    string
	info    fs.FileInfo
	entries []fs.DirEntry
}

func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *openDir) Close() error               { return nil }

func (d *openDir) Read([]byte) (int, error) {
	return 0, pathError("read", d.name, ErrNotRegular)
}

// ReadDir hands out the listing, n entries at a time if n is positive (fs.ReadDirFile).
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.entries) {
		if n > 0 && len(d.entries) == 0 {
			return nil, io.EOF
		}
		n = len(d.entries)
	}
	part := d.entries[:n:n]
	d.entries = d.entries[n:]
	return part, nil
}
