package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// Watched remembers the first error of a tree that says nothing about its files: GitHub did not answer, the clone lacks an
// object. Whoever reads the files takes every error for a fault of the file, which would blame a pull request for an outage
// and, on the base, make its cases vanish and its regressions with them.
type Watched struct {
	fs.FS

	mu   sync.Mutex
	lost error
}

// Watch lets the tree of a commit remember what could not be read. It returns nil for no tree, and for a folder, whose files
// are on this machine for the user to mend.
func Watch(tree *Tree) *Watched {
	if tree == nil || tree.Revision.Kind != KindCommit {
		return nil
	}
	w := &Watched{FS: tree.FS}
	tree.FS = w
	return w
}

// Err is the first error of the world, nil if there was none.
func (w *Watched) Err() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost == nil {
		return nil
	}
	return fmt.Errorf("read the files: %w", w.lost)
}

// aboutFile are errors that a change to the files can cure.
var aboutFile = []error{fs.ErrNotExist, fs.ErrInvalid, ErrSymlink, ErrSubmodule, ErrForbidden,
	ErrNotRegular, ErrOutside, ErrName, ErrTooLarge}

func (w *Watched) note(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	for _, known := range aboutFile {
		if errors.Is(err, known) {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost == nil {
		w.lost = err
	}
	return err
}

func (w *Watched) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	if err != nil {
		return nil, w.note(err)
	}
	if d, is := f.(fs.ReadDirFile); is {
		return d, nil // a folder was listed when it was opened
	}
	return watchedFile{f, w}, nil
}

func (w *Watched) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.FS, name)
	return info, w.note(err)
}

func (w *Watched) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(w.FS, name)
	return data, w.note(err)
}

// ReadDir lists a folder. That a name is no folder is said of the name.
func (w *Watched) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(w.FS, name)
	if err == nil {
		return entries, nil
	}
	if info, e := fs.Stat(w.FS, name); e == nil && !info.IsDir() {
		return nil, err
	}
	return nil, w.note(err)
}

// watchedFile is an open file of a watched tree.
type watchedFile struct {
	fs.File
	watch *Watched
}

func (f watchedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.watch.note(err)
}
