package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/failproof/failproof/internal/text"
)

// emptyTreeID is git's id of a tree without entries. A store may lack that object.
const emptyTreeID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// objects provides the trees and blobs of a commit.
type objects interface {
	// tree returns a tree's entries in any order.
	tree(id plumbing.Hash) ([]node, error)
	// size returns a blob's length in bytes.
	size(id plumbing.Hash) (int64, error)
	// blob returns a blob's content.
	blob(id plumbing.Hash) ([]byte, error)
}

// store has the state that all folders of a commit share.
type store struct {
	objects

	listed   atomic.Int64          // the number of entries of all listings
	trees    sync.Map              // tree → its entries sorted by name, []node
	firstErr atomic.Pointer[error] // the first error that is not in fileErrors
}

// fileErrors are the errors about a file itself, which a change of the files can fix.
var fileErrors = []error{fs.ErrNotExist, fs.ErrInvalid, ErrSymlink, ErrSubmodule, ErrForbidden,
	ErrNotRegular, ErrOutside, ErrName, ErrTooLarge}

// record returns err, and records it if it is not in fileErrors.
func (s *store) record(err error) error {
	if err != nil && !slices.ContainsFunc(fileErrors, func(known error) bool { return errors.Is(err, known) }) {
		s.firstErr.CompareAndSwap(nil, &err)
	}
	return err
}

// commitFS is the tree of a commit as a file system.
type commitFS struct {
	store *store
	root  plumbing.Hash
}

func newCommitFS(o objects, root plumbing.Hash) *commitFS {
	return &commitFS{&store{objects: o}, root}
}

// wrapError replaces *err, the error result of a method, by a pathError. It records an error that is not in fileErrors.
func (c *commitFS) wrapError(err *error, op, name string) {
	wrapPathError(err, op, name)
	c.store.record(*err)
}

// Open opens the named file or folder. It does not fetch the content of a file before the first Read.
func (c *commitFS) Open(name string) (_ fs.File, err error) {
	defer c.wrapError(&err, "open", name)
	n, info, err := c.stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return &blobFile{fsys: c, node: n, name: name, info: info}, nil
	}
	entries, err := c.list(name, n)
	if err != nil {
		return nil, err
	}
	return &openDir{name: name, info: info, entries: entries}, nil
}

// Stat describes the named file or folder.
func (c *commitFS) Stat(name string) (info fs.FileInfo, err error) {
	defer c.wrapError(&err, "stat", name)
	_, info, err = c.stat(name)
	return info, err
}

// ReadFile returns the content of the named file. It rejects a file of more than MaxFileSize bytes.
func (c *commitFS) ReadFile(name string) (data []byte, err error) {
	defer c.wrapError(&err, "read", name)
	n, err := c.find(name)
	if err != nil {
		return nil, err
	}
	data, err = c.content(n)
	return bytes.Clone(data), err // the caller may modify it
}

// sub returns the folder dir of the commit as a file system. If the commit has no such folder, the file system is
// empty.
func (c *commitFS) sub(dir string) (*commitFS, error) {
	n, err := c.lookup(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newCommitFS(nil, plumbing.NewHash(emptyTreeID)), nil
	case err != nil:
		return nil, err
	case n.mode != filemode.Dir:
		return nil, errors.New("is not a folder in this revision")
	}
	return &commitFS{c.store, n.id}, nil
}

// find checks name and returns the entry with that name.
func (c *commitFS) find(name string) (node, error) {
	if err := checkName(name); err != nil {
		return node{}, err
	}
	return c.lookup(name)
}

// lookup walks from the root to the named file or folder and returns its entry. It rejects links and submodules on the
// way.
func (c *commitFS) lookup(name string) (node, error) {
	entry := node{name: ".", mode: filemode.Dir, id: c.root}
	if name == "." {
		return entry, nil
	}
	walked := ""
	for part := range strings.SplitSeq(name, "/") {
		next, err := c.child(entry, part)
		walked = path.Join(walked, part)
		if err == nil {
			err = checkFollowable(next)
		}
		if err != nil {
			return node{}, addPart(walked, name, err)
		}
		entry = next
	}
	return entry, nil
}

// child returns the entry with the given name in the folder dir.
func (c *commitFS) child(dir node, name string) (node, error) {
	if dir.mode != filemode.Dir {
		return node{}, fs.ErrNotExist
	}
	nodes, err := c.nodes(dir.id)
	if err != nil {
		return node{}, err
	}
	i, ok := slices.BinarySearchFunc(nodes, name,
		func(n node, name string) int { return strings.Compare(n.name, name) })
	if !ok {
		return node{}, fs.ErrNotExist
	}
	return nodes[i], nil
}

// checkFollowable returns nil if n is a file or a folder. For a link or a submodule it returns an error.
func checkFollowable(n node) error {
	switch n.mode {
	case filemode.Dir, filemode.Regular, filemode.Executable, filemode.Deprecated:
		return nil
	case filemode.Symlink:
		return ErrSymlink
	case filemode.Submodule:
		return ErrSubmodule
	}
	return ErrNotRegular
}

// nodes returns the entries of the tree with the given id, sorted by name.
func (c *commitFS) nodes(id plumbing.Hash) ([]node, error) {
	if known, ok := c.store.trees.Load(id); ok {
		return known.([]node), nil
	}
	if id.String() == emptyTreeID {
		return nil, nil
	}
	nodes, err := c.store.tree(id)
	if err != nil {
		return nil, err
	}
	nodes = slices.Clone(nodes)
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.name, b.name) })
	if err := checkNodes(nodes); err != nil {
		return nil, err
	}
	c.store.trees.Store(id, nodes)
	return nodes, nil
}

// checkNodes rejects entries that git itself never writes, such as "..", which would leave the folder.
func checkNodes(sorted []node) error {
	for i, n := range sorted {
		switch {
		case n.name == "", n.name == ".", n.name == "..", strings.ContainsAny(n.name, "/\x00"):
			return fmt.Errorf("malformed git tree: it has an entry named %q", escapeText(n.name))
		case i > 0 && n.name == sorted[i-1].name:
			return fmt.Errorf("malformed git tree: it has two entries named %q", escapeText(n.name))
		}
	}
	return nil
}

func (c *commitFS) stat(name string) (node, fs.FileInfo, error) {
	n, err := c.find(name)
	if err != nil {
		return node{}, nil, err
	}
	info, err := c.describe(n)
	return n, info, err
}

// list returns the entries of the folder dir, sorted by name. It leaves out git's own folder and environment files.
// name is the path of the folder.
func (c *commitFS) list(name string, dir node) ([]fs.DirEntry, error) {
	nodes, err := c.nodes(dir.id)
	if err != nil {
		return nil, err
	}
	if c.store.listed.Add(int64(len(nodes))) > maxListed {
		return nil, ErrTooMany
	}
	var entries []fs.DirEntry
	for _, n := range nodes {
		if !text.IsPrivate(n.name) {
			entries = append(entries, c.entry(name, n))
		}
	}
	return entries, nil
}

func (c *commitFS) entry(dir string, n node) fs.DirEntry {
	return dirEntry{name: n.name, typ: typeOf(n.mode), info: func() (_ fs.FileInfo, err error) {
		defer wrapPathError(&err, "stat", path.Join(dir, n.name))
		return c.describe(n)
	}}
}

type blobFile struct {
	fsys *commitFS
	node node
	name string
	info fs.FileInfo
	data io.Reader // nil before the first Read
}

func (f *blobFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *blobFile) Close() error               { return nil }

func (f *blobFile) Read(p []byte) (int, error) {
	if f.data == nil {
		data, err := f.fsys.content(f.node)
		if err != nil {
			return 0, f.fsys.store.record(pathError("read", f.name, err))
		}
		f.data = bytes.NewReader(data)
	}
	return f.data.Read(p)
}

// describe returns the FileInfo of the entry n. Only the size of a file may need a request.
func (c *commitFS) describe(n node) (fs.FileInfo, error) {
	info := fileInfo{name: n.name, mode: typeOf(n.mode) | 0o444}
	switch {
	case info.IsDir():
		info.mode |= 0o111
		info.id = ObjectID(n.id.String())
	case info.mode.IsRegular():
		size, err := c.store.size(n.id)
		if err != nil {
			return nil, err
		}
		info.size, info.id = size, ObjectID(n.id.String())
	}
	return info, nil
}

// typeOf returns the type bits of the mode m. Anything but a file, folder or link is irregular, so that no walk enters
// it.
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

// content returns the content of the file n. The caller must not modify it.
func (c *commitFS) content(n node) ([]byte, error) {
	if n.mode == filemode.Dir {
		return nil, ErrNotRegular
	}
	size, err := c.store.size(n.id)
	if err != nil {
		return nil, err
	}
	if size > MaxFileSize {
		return nil, ErrTooLarge
	}
	data, err := c.store.blob(n.id)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != size {
		return nil, fmt.Errorf("blob %s has %d bytes instead of %d", n.id, len(data), size)
	}
	return data, nil
}
