// Package source opens one revision of a repository as a read-only fs.FS. The revision is a folder, a commit in the
// local object store, or a commit on GitHub. The package follows no link, executes nothing, applies no repository
// setting and writes nothing.
//
// Names are paths relative to the tree, with "/" between folders, in Unicode normal form NFC. The error for a rejected
// file is an *fs.PathError around one of this package's errors. So callers can distinguish "missing" (fs.ErrNotExist)
// from "not allowed".
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// MaxFileSize is the largest size of a file in bytes. It is the largest limit that the specification has for a file,
// which is that for JSON and JSON lines. Callers can set lower limits by the size in Stat.
const MaxFileSize = 64 << 20

// maxListed limits the entries of all listings of a commit. A small commit can have more paths than can be visited, by
// folders that contain one folder many times.
const maxListed = 2_000_000

// Kind says where the files of a tree are.
type Kind string

const (
	KindWorktree Kind = "worktree" // the working folder, with uncommitted files
	KindFolder   Kind = "folder"   // any other folder
	KindCommit   Kind = "commit"   // a commit, local or on GitHub
)

// Revision describes where a tree comes from.
type Revision struct {
	Kind Kind
	Name string // as the user wrote it: "main", "./dir", "HEAD~1", "working tree"
	SHA  string // 40 lower-case hexadecimal digits; "" for a folder
	Ref  string // how a caller found SHA if not by Name, such as MergeBaseRef or "1a2b3c4 merged into main"; else ""
}

// MergeBaseRef is the Ref of a revision that is the merge base of its Name and the head.
const MergeBaseRef = "merge base"

// Tree has the files of one revision and describes the revision. It is safe for concurrent use.
type Tree struct {
	fs.FS
	Revision Revision
}

// ReadFile returns the content of the named file, at most MaxFileSize bytes (fs.ReadFileFS).
func (t *Tree) ReadFile(name string) ([]byte, error) { return fs.ReadFile(t.FS, name) }

// ReadDir lists the named folder, sorted by name (fs.ReadDirFS). Links are listed as links, and submodules as
// irregular.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(t.FS, name) }

// Stat describes the named file or folder (fs.StatFS). It rejects a link.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.FS, name) }

// Tracks reports whether git tracks the folder with the given name, whatever .gitignore says. A commit has only such
// folders, and those of a local folder are in its last commit.
func (t *Tree) Tracks(name string) bool {
	local, ok := t.FS.(*folder)
	if !ok {
		return true
	}
	last := local.lastCommit()
	if last == nil {
		return false
	}
	_, err := last.Stat(name)
	return err == nil
}

// Sub returns the folder dir of a commit as a tree. If the commit has no such folder, the tree is empty. This is no
// error, because a base from before the folder existed has no files in it. Sub panics if t is no commit.
func (t *Tree) Sub(dir string) (*Tree, error) {
	if err := checkName(dir); err != nil {
		return nil, pathError("sub", dir, err)
	}
	fsys, err := t.FS.(*commitFS).sub(dir)
	if err != nil {
		return nil, pathError("sub", dir, err)
	}
	return &Tree{FS: fsys, Revision: t.Revision}, nil
}

// Err returns the first error that is not about a file: GitHub did not answer, or the clone lacks an object. Code that
// reads a file cannot distinguish such an error from an error in the file. Without Err, an outage would be blamed on a
// pull request. Err returns nil for a nil tree and for a folder.
func (t *Tree) Err() error {
	if t == nil {
		return nil
	}
	c, ok := t.FS.(*commitFS)
	if !ok {
		return nil
	}
	lost := c.store.firstErr.Load()
	if lost == nil {
		return nil
	}
	return fmt.Errorf("read the files: %w", *lost)
}

// Close closes the files of the tree, which can then no longer be read. The garbage collector closes them too.
func (t *Tree) Close() error {
	if c, ok := t.FS.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Open opens the folder or the revision that arg, an argument of the command line, names. dir is the current folder. A
// relative path begins there, and a revision is looked up in the repository that contains dir.
//
// An argument in the form of a path (".", "..", absolute, beginning with "./" or "../", ending in "/") is a folder. All
// others are revisions, even if a folder has that name. Otherwise a change could add a folder called main. In a clone
// without the branch main, that folder would become the base of the change.
func Open(dir, arg string) (*Tree, error) { return OpenBase(dir, arg, Revision{}) }

// OpenBase opens the base of head as Open does, with one difference. If head is HEAD or its working tree, a branch of
// origin comes before the checked-out branch of the same name. Otherwise "main" would be the change itself in a
// checkout of a fork's branch main.
func OpenBase(dir, arg string, head Revision) (*Tree, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, filepath.FromSlash(arg))
	}
	if WrittenAsPath(arg) {
		return openFolder(path, Revision{Kind: KindFolder, Name: arg})
	}
	tree, err := openRevision(dir, arg, head)
	if err == nil || !errors.Is(err, ErrNoRevision) && !errors.Is(err, ErrNoRepository) {
		return tree, err
	}
	if info, missing := os.Stat(path); arg != "" && missing == nil {
		what := map[bool]string{true: "folder", false: "file"}[info.IsDir()]
		return nil, fmt.Errorf("%w; write ./%s for the %s of that name", err, escapeText(arg), what)
	}
	return nil, err
}

// WrittenAsPath reports whether arg has the form of a path; see Open.
func WrittenAsPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	return filepath.IsAbs(arg) || slashed == "." || slashed == ".." ||
		strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || strings.HasSuffix(slashed, "/")
}

// Overlay returns tree with added or replaced files. texts maps the name of each such file to its content. A file that
// is neither in texts nor in tree is read from fallback.
func Overlay(tree, fallback *Tree, texts map[string]string) *Tree {
	return &Tree{FS: overlay{tree, fallback, texts}, Revision: tree.Revision}
}

type overlay struct {
	tree, fallback *Tree
	files          map[string]string
}

func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.files[name]; ok {
		info := fileInfo{name: path.Base(name), size: int64(len(text)), mode: 0o444}
		return &blobFile{info: info, data: strings.NewReader(text)}, nil
	}
	file, err := o.tree.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.fallback.Open(name)
	}
	return file, err
}

// ObjectID is git's id of the content of a file or folder, 40 lower-case hexadecimal digits. The Sys method of the
// FileInfo of a commit's file returns it.
type ObjectID string

// fileInfo describes a file or folder of a commit. It has no times and no owner.
type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
	id   ObjectID // "" if this is no file or folder of a commit
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return i.id }

// dirEntry is an entry of a listing. Its Info describes a link itself, and not what the link leads to.
type dirEntry struct {
	name string
	typ  fs.FileMode // type bits only
	info func() (fs.FileInfo, error)
}

func (e dirEntry) Name() string               { return e.name }
func (e dirEntry) IsDir() bool                { return e.typ.IsDir() }
func (e dirEntry) Type() fs.FileMode          { return e.typ }
func (e dirEntry) Info() (fs.FileInfo, error) { return e.info() }

// openDir is an open folder. It is listed when it is opened. entries has the part of the listing that is not read yet.
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

// ReadDir returns the next n entries, or all remaining ones if n is not positive (fs.ReadDirFile).
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
