// Package source opens one revision of a repository as a read-only fs.FS: a folder, a commit of the local
// object store, or a commit on GitHub. In go a place and a name, out comes a Tree whose files are bytes and
// nothing more: no link is followed, nothing is executed, no repository setting is obeyed, nothing is written.
//
// Names are paths relative to the tree, with "/" between folders, in Unicode normal form NFC. What a tree
// refuses to read, it refuses with an *fs.PathError around one of this package's errors, so that a caller can
// tell "not there" (fs.ErrNotExist) from "not allowed".
package source

import (
	"bytes"
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

// MaxFileSize is the most bytes that a tree hands out of one file; it is the largest of the specification's
// limits (JSON and JSON lines, 64 MiB). Callers set tighter ones by the size that Stat reports.
const MaxFileSize = 64 << 20

// Kind says where the files of a tree come from.
type Kind string

const (
	KindWorktree Kind = "worktree" // the folder being worked in, uncommitted files included
	KindFolder   Kind = "folder"   // any other folder
	KindCommit   Kind = "commit"   // a commit, local or on GitHub
)

// Revision says what a tree is called.
type Revision struct {
	Kind Kind
	Name string // as the user wrote it: "main", "./dir", "HEAD~1", "working tree"
	SHA  string // 40 lower-case hexadecimal digits; "" for a folder
	Ref  string // how a caller found SHA, if not by Name: MergeBaseRef, "1a2b3c4 merged into main"; "" otherwise
}

// MergeBaseRef is the Ref of a revision that was opened as the merge base of its Name and the head.
const MergeBaseRef = "merge base"

// String returns the revision for a line of text: "main (1a2b3c4)", "./dir", "working tree".
func (r Revision) String() string {
	switch {
	case r.SHA == "":
		return r.Name
	case r.Ref != "":
		return fmt.Sprintf("%s (%s %.7s)", r.Name, r.Ref, r.SHA)
	case r.Name == r.SHA:
		return fmt.Sprintf("%.7s", r.SHA)
	}
	return fmt.Sprintf("%s (%.7s)", r.Name, r.SHA)
}

// Tree is one revision: its files and its name. Several goroutines may read from it.
type Tree struct {
	fs.FS
	Revision Revision
}

// ReadFile returns a file's content, of at most MaxFileSize bytes (fs.ReadFileFS).
func (t *Tree) ReadFile(name string) ([]byte, error) { return fs.ReadFile(t.FS, name) }

// ReadDir lists a folder by name (fs.ReadDirFS). Links are listed as links, and submodules as irregular.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(t.FS, name) }

// Stat describes a file or folder (fs.StatFS). A link is refused, not followed.
func (t *Tree) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.FS, name) }

// subtree is a file system that can be rooted deeper, where a missing folder is an empty one.
type subtree interface {
	sub(dir string) (fs.FS, error)
}

// Sub returns the same revision rooted at one of its folders. A missing folder is an empty tree: a base from before the
// folder existed has no files, which is no fault.
func (t *Tree) Sub(dir string) (*Tree, error) {
	if err := checkName(dir); err != nil {
		return nil, pathError("sub", dir, err)
	}
	s, ok := t.FS.(subtree)
	if !ok {
		return nil, pathError("sub", dir, errors.ErrUnsupported)
	}
	fsys, err := s.sub(dir)
	if err != nil {
		return nil, pathError("sub", dir, err)
	}
	return &Tree{FS: fsys, Revision: t.Revision}, nil
}

// Err returns the first error of a commit's store that says nothing about its files: GitHub did not answer, the clone
// lacks an object. Readers take every error for a fault of the file, which would blame a pull request for an outage,
// and on the base make cases vanish together with their regressions. It is nil for no tree, and for a folder, whose
// files the user can mend.
func (t *Tree) Err() error {
	if t == nil {
		return nil
	}
	c, is := t.FS.(*commitFS)
	if !is {
		return nil
	}
	lost := c.store.lost.Load()
	if lost == nil {
		return nil
	}
	return fmt.Errorf("read the files: %w", *lost)
}

// Close closes the tree's files; it cannot be read afterwards. The garbage collector cleans up a tree that is dropped
// without it.
func (t *Tree) Close() error {
	if c, ok := t.FS.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Open opens what a user may write for a head: a folder or a revision. dir is the current folder, to which a relative
// arg refers and whose repository knows the revisions.
//
// What is written as a path (".", "..", absolute, beginning with "./" or "../", ending in "/") is a folder. Every other
// name is a revision, whatever folder bears it: else a change that adds a folder called main would be the base that it
// is compared with wherever the branch is not at hand.
func Open(dir, arg string) (*Tree, error) {
	return open(dir, arg, Git)
}

// OpenBase opens the base of a head, as Open does. If the head is HEAD, with uncommitted changes or without, the branch
// of HEAD comes behind a remote branch of its name: the change's author named it, and in a checkout of a fork's main
// "main" would be the change itself.
func OpenBase(dir, arg string, head Revision) (*Tree, error) {
	return open(dir, arg, func(dir, name string) (*Tree, error) { return gitBase(dir, name, head) })
}

func open(dir, arg string, revision func(dir, name string) (*Tree, error)) (*Tree, error) {
	path := arg
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, filepath.FromSlash(arg))
	}
	if WrittenAsPath(arg) {
		return openFolder(path, Revision{Kind: KindFolder, Name: arg})
	}
	tree, err := revision(dir, arg)
	if err == nil || !errors.Is(err, ErrNoRevision) && !errors.Is(err, ErrNoRepository) {
		return tree, err
	}
	if info, missing := os.Stat(path); arg != "" && missing == nil {
		what := map[bool]string{true: "folder", false: "file"}[info.IsDir()]
		return nil, fmt.Errorf("%w; write ./%s for the %s of that name", err, escaped(arg), what)
	}
	return nil, err
}

// WrittenAsPath reports whether an argument can only be meant as a path.
func WrittenAsPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	return filepath.IsAbs(arg) || slashed == "." || slashed == ".." ||
		strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || strings.HasSuffix(slashed, "/")
}

// Overlay returns a tree with some files replaced. A file that neither they nor the tree have is other's.
func Overlay(tree, other *Tree, files map[string]string) *Tree {
	return &Tree{FS: overlay{tree, other, files}, Revision: tree.Revision}
}

type overlay struct {
	tree, other *Tree
	files       map[string]string
}

func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.files[name]; ok {
		return textFile{bytes.NewReader([]byte(text)), fileInfo{name: path.Base(name),
			size: int64(len(text)), mode: 0o444}}, nil
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

// ObjectID is git's name of a file's or folder's content, 40 lower-case hexadecimal digits: what fs.FileInfo.Sys
// returns in a commit.
type ObjectID string

// fileInfo describes a file or folder of a commit, which stores no times and no owner.
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

// openDir is an open folder: its listing when it was opened, and how far it was read.
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
