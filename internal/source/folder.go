package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/failproof/failproof/internal/regular"
)

// Worktree opens the folder being worked in, with what is not committed.
func Worktree(dir string) (*Tree, error) {
	return openFolder(dir, Revision{Kind: KindWorktree, Name: "working tree"})
}

// openFolder opens a folder of the local disk. The folder itself may be reached through a link; nothing below it may.
func openFolder(dir string, r Revision) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no folder %s: %w", escaped(r.Name), fs.ErrNotExist)
		}
		return nil, fmt.Errorf("open folder: %w", err)
	}
	return &Tree{FS: &folder{root: root}, Revision: r}, nil
}

// folder reads below an os.Root, one component at a time, so that no link is followed.
type folder struct {
	root *os.Root
	// seen holds the os.FileInfo of every file met so far, by name. A revision does not change, and a folder
	// can: a file that is no longer the one met before is refused instead of mixed in.
	seen sync.Map
}

// Close closes the folder's descriptor.
func (f *folder) Close() error { return f.root.Close() }

// Open opens a file or a folder.
func (f *folder) Open(name string) (_ fs.File, err error) {
	defer located(&err, "open", name)
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		opened, err := f.openFile(name)
		if err != nil {
			return nil, err // no *osFile, which would be a file
		}
		return opened, nil
	}
	entries, err := f.list(name)
	if err != nil {
		return nil, err
	}
	return &openDir{name: name, info: info, entries: entries}, nil
}

// Stat describes a file or folder, and refuses everything else.
func (f *folder) Stat(name string) (info fs.FileInfo, err error) {
	defer located(&err, "stat", name)
	if info, err = f.lstat(name); err != nil || info.IsDir() {
		return info, err
	}
	return info, onlyRegular(info)
}

// ReadFile returns a file's content, of at most MaxFileSize bytes.
func (f *folder) ReadFile(name string) ([]byte, error) {
	file, err := f.openFile(name)
	if err != nil {
		return nil, pathError("read", name, err)
	}
	defer file.Close()
	if file.info.Size() > MaxFileSize {
		return nil, pathError("read", name, ErrTooLarge)
	}
	data := make([]byte, file.info.Size()+1) // the byte more makes io.ReadFull meet the end
	n, err := io.ReadFull(file, data)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return data[:n], nil
	}
	return nil, err
}

// list lists a folder by name, without git's own folder and environment files, which no name reaches.
func (f *folder) list(name string) ([]fs.DirEntry, error) {
	if err := checkLocal(name); err != nil {
		return nil, err
	}
	dir, err := f.enter(name, name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found, err := file.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, e := range found {
		if !forbidden(e.Name()) {
			entries = append(entries, f.entry(name, e))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// entry replaces the operating system's entry by one whose Info stays inside the root.
func (f *folder) entry(dir string, e fs.DirEntry) fs.DirEntry {
	name := path.Join(dir, e.Name())
	return dirEntry{name: e.Name(), typ: e.Type(), info: func() (_ fs.FileInfo, err error) {
		defer located(&err, "stat", name)
		return f.lstat(name)
	}}
}

// lstat describes what stands under a name, links included.
func (f *folder) lstat(name string) (fs.FileInfo, error) {
	dir, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	dir.Close() // only read from
	return info, nil
}

// find opens the folder that holds a name, and describes the file there, links included. A file seen before must be the
// same. The caller closes the folder.
func (f *folder) find(name string) (dir *os.Root, info fs.FileInfo, err error) {
	if err := checkLocal(name); err != nil {
		return nil, nil, err
	}
	if dir, err = f.enter(path.Dir(name), name); err != nil {
		return nil, nil, f.remember(name, nil, err)
	}
	info, err = dir.Lstat(path.Base(name))
	if err = f.remember(name, info, absent(err)); err != nil {
		dir.Close()
	}
	return dir, info, err
}

// remember records what find found under a name, and returns ErrChanged if another file was there before.
func (f *folder) remember(name string, info fs.FileInfo, err error) error {
	before, met := f.seen.Load(name)
	switch {
	case met && (errors.Is(err, fs.ErrNotExist) || err == nil && !sameState(before.(fs.FileInfo), info)):
		return ErrChanged
	case err == nil && !met && info.Mode().IsRegular():
		f.seen.Store(name, info)
	}
	return err
}

// openFile opens a regular file and makes sure that it is the one that was there a moment ago.
func (f *folder) openFile(name string) (*osFile, error) {
	dir, info, err := f.find(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := onlyRegular(info); err != nil {
		return nil, err
	}
	file, err := dir.OpenFile(path.Base(name), os.O_RDONLY|regular.NoWait, 0)
	if err != nil {
		return nil, absent(err)
	}
	opened, err := file.Stat()
	if err == nil && !sameState(info, opened) {
		err = ErrChanged
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &osFile{file: file, name: name, info: opened}, nil
}

// checkLocal is checkName, and also rejects what the operating system would take for something else (on Windows a
// drive, a stream or a device).
func checkLocal(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if _, err := filepath.Localize(name); err != nil {
		return fmt.Errorf("%w on this system", ErrName)
	}
	return nil
}

// enter opens a folder component by component. asked is the name for errors. The caller closes the folder.
func (f *folder) enter(dir, asked string) (*os.Root, error) {
	at, err := f.root.OpenRoot(".")
	if err != nil || dir == "." {
		return at, err
	}
	done := ""
	for part := range strings.SplitSeq(dir, "/") {
		done = path.Join(done, part)
		next, err := step(at, part)
		at.Close() // only read from
		if err != nil {
			return nil, about(done, asked, err)
		}
		at = next
	}
	return at, nil
}

// step opens a folder inside another, and refuses what is none or was exchanged meanwhile.
func step(at *os.Root, part string) (*os.Root, error) {
	info, err := at.Lstat(part)
	switch {
	case err != nil:
		return nil, absent(err)
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, ErrSymlink
	case !info.IsDir():
		return nil, fs.ErrNotExist
	}
	next, err := at.OpenRoot(part)
	if err != nil {
		return nil, absent(err)
	}
	opened, err := next.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = ErrChanged
	}
	if err != nil {
		return nil, errors.Join(err, next.Close())
	}
	return next, nil
}

func (f *folder) sub(dir string) (fs.FS, error) {
	root, err := f.enter(dir, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return emptyTree(), nil
	}
	if err != nil {
		return nil, err
	}
	return &folder{root: root}, nil
}

// osFile is an opened regular file that notices when it changes under the reader.
type osFile struct {
	file *os.File
	name string
	info fs.FileInfo // when it was opened
	read int64       // bytes handed out
}

func (f *osFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *osFile) Close() error               { return f.file.Close() }

// Read reads at most the bytes that Stat announced, and returns io.EOF only if those were all there are.
func (f *osFile) Read(p []byte) (int, error) {
	if f.info.Size() > MaxFileSize {
		return 0, pathError("read", f.name, ErrTooLarge)
	}
	n, err := f.file.Read(p)
	f.read += int64(n)
	switch {
	case f.read > f.info.Size():
		n, err = 0, ErrChanged
	case err == io.EOF: // where it should be, and of the file that was opened
		if now, e := f.file.Stat(); e != nil {
			err = e
		} else if f.read != f.info.Size() || !sameState(f.info, now) {
			err = ErrChanged
		}
	}
	if err != nil && err != io.EOF {
		err = pathError("read", f.name, err)
	}
	return n, err
}

// sameState reports whether two looks at a path found the same file, not written to in between.
func sameState(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

func onlyRegular(info fs.FileInfo) error {
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return ErrSymlink
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// absent turns "a component is no folder", which each system words differently, into fs.ErrNotExist.
func absent(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return err
}
