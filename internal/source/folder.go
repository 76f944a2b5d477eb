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
	"sync"
	"syscall"

	"github.com/failproof/failproof/internal/regular"
	"github.com/failproof/failproof/internal/text"
)

// Worktree opens the folder dir as a working tree, with its uncommitted changes.
func Worktree(dir string) (*Tree, error) {
	return openFolder(dir, Revision{Kind: KindWorktree, Name: "working tree"})
}

// openFolder opens the local folder dir. dir itself may be a link, but no link below it is followed.
func openFolder(dir string, r Revision) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file or folder %s: %w", escapeText(r.Name), fs.ErrNotExist)
		}
		return nil, fmt.Errorf("open folder: %w", err)
	}
	last := sync.OnceValue(func() *Tree {
		tree, _ := Git(dir, "HEAD") // nil without a repository or a commit
		return tree
	})
	return &Tree{FS: &folder{root: root, lastCommit: last}, Revision: r}, nil
}

// folder is a local folder as a file system. It opens one path component at a time below an os.Root, so that no link is
// followed.
type folder struct {
	root       *os.Root
	lastCommit func() *Tree // of the folder's repository; nil if there is none
	// seen has the os.FileInfo of every file found so far, by name. Unlike a commit, a folder can change. A file that
	// changed since it was found is rejected, so that a run does not mix two states.
	seen sync.Map
}

// Close closes the descriptor of the folder.
func (f *folder) Close() error { return f.root.Close() }

// Open opens the named file or folder.
func (f *folder) Open(name string) (_ fs.File, err error) {
	defer wrapPathError(&err, "open", name)
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return f.openFile(name)
	}
	entries, err := f.list(name)
	if err != nil {
		return nil, err
	}
	return &openDir{name: name, info: info, entries: entries}, nil
}

// Stat describes the named file or folder. It rejects anything else, such as a link or a device.
func (f *folder) Stat(name string) (info fs.FileInfo, err error) {
	defer wrapPathError(&err, "stat", name)
	if info, err = f.lstat(name); err != nil || info.IsDir() {
		return info, err
	}
	return info, checkRegular(info)
}

// ReadFile returns the content of the named file. It rejects a file of more than MaxFileSize bytes.
func (f *folder) ReadFile(name string) ([]byte, error) {
	file, err := f.openFile(name)
	if err != nil {
		return nil, pathError("read", name, err)
	}
	defer file.Close()
	info, _ := file.Stat() // known since the file was opened
	if info.Size() > MaxFileSize {
		return nil, pathError("read", name, ErrTooLarge)
	}
	data := make([]byte, info.Size()+1) // one more byte lets io.ReadFull reach the end
	n, err := io.ReadFull(file, data)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return data[:n], nil
	}
	return nil, err
}

// list lists the named folder, sorted by name. It leaves out git's own folder and environment files, which cannot be
// opened either.
func (f *folder) list(name string) ([]fs.DirEntry, error) {
	dir, err := f.enter(name, name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	found, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, err
	}
	var entries []fs.DirEntry
	for _, e := range found {
		if !text.IsPrivate(e.Name()) {
			entries = append(entries, f.entry(name, e))
		}
	}
	return entries, nil
}

// entry returns e, an entry of the folder dir, with an Info method that stays inside the root. The method of the
// operating system's entry does not.
func (f *folder) entry(dir string, e fs.DirEntry) fs.DirEntry {
	name := path.Join(dir, e.Name())
	return dirEntry{name: e.Name(), typ: e.Type(), info: func() (_ fs.FileInfo, err error) {
		defer wrapPathError(&err, "stat", name)
		return f.lstat(name)
	}}
}

// lstat describes the named file or folder. It does not follow links.
func (f *folder) lstat(name string) (fs.FileInfo, error) {
	dir, info, err := f.openParent(name)
	if err != nil {
		return nil, err
	}
	dir.Close() // opened for reading only
	return info, nil
}

// openParent opens the folder that holds name, and describes the file with that name. It follows no link. If the file
// was found before, it must be unchanged. The caller closes the folder.
func (f *folder) openParent(name string) (dir *os.Root, info fs.FileInfo, err error) {
	if err := checkLocal(name); err != nil {
		return nil, nil, err
	}
	if dir, err = f.enter(path.Dir(name), name); err != nil {
		return nil, nil, f.checkUnchanged(name, nil, err)
	}
	info, err = dir.Lstat(path.Base(name))
	if err = f.checkUnchanged(name, info, asNotExist(err)); err != nil {
		dir.Close()
	}
	return dir, info, err
}

// checkUnchanged returns err, or ErrChanged if the file differs from the one found before. It records info of a file
// that was not found before.
func (f *folder) checkUnchanged(name string, info fs.FileInfo, err error) error {
	before, met := f.seen.Load(name)
	switch {
	case met && (errors.Is(err, fs.ErrNotExist) || err == nil && !sameState(before.(fs.FileInfo), info)):
		return ErrChanged
	case err == nil && !met && info.Mode().IsRegular():
		f.seen.Store(name, info)
	}
	return err
}

// openFile opens the named regular file. It checks that the opened file is the one that openParent described.
func (f *folder) openFile(name string) (fs.File, error) {
	dir, info, err := f.openParent(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := checkRegular(info); err != nil {
		return nil, err
	}
	file, err := dir.OpenFile(path.Base(name), os.O_RDONLY|regular.NoWait, 0)
	if err != nil {
		return nil, asNotExist(err)
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

// checkLocal checks name as checkName does. It also rejects a name with a special meaning on the operating system, such
// as a drive, a stream or a device on Windows.
func checkLocal(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if _, err := filepath.Localize(name); err != nil {
		return fmt.Errorf("%w on this system", ErrName)
	}
	return nil
}

// enter opens the folder dir, one component after another. name is the whole path, for errors. The caller closes the
// folder.
func (f *folder) enter(dir, name string) (*os.Root, error) {
	at, err := f.root.OpenRoot(".")
	if err != nil || dir == "." {
		return at, err
	}
	done := ""
	for part := range strings.SplitSeq(dir, "/") {
		done = path.Join(done, part)
		next, err := openChild(at, part)
		at.Close() // opened for reading only
		if err != nil {
			return nil, addPart(done, name, err)
		}
		at = next
	}
	return at, nil
}

// openChild opens the folder part inside the folder parent. It rejects anything else, and a folder that was replaced
// meanwhile.
func openChild(parent *os.Root, part string) (*os.Root, error) {
	info, err := parent.Lstat(part)
	switch {
	case err != nil:
		return nil, asNotExist(err)
	case info.Mode().Type() == fs.ModeSymlink:
		return nil, ErrSymlink
	case !info.IsDir():
		return nil, fs.ErrNotExist
	}
	next, err := parent.OpenRoot(part)
	if err != nil {
		return nil, asNotExist(err)
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

// osFile is an opened regular file that detects changes during reading.
type osFile struct {
	file      *os.File
	name      string
	info      fs.FileInfo // of the file when it was opened
	bytesRead int64
}

func (f *osFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *osFile) Close() error               { return f.file.Close() }

// Read reads the file. It returns ErrChanged if the file has more or fewer bytes than when it was opened, or changed
// otherwise.
func (f *osFile) Read(p []byte) (int, error) {
	if f.info.Size() > MaxFileSize {
		return 0, pathError("read", f.name, ErrTooLarge)
	}
	n, err := f.file.Read(p)
	f.bytesRead += int64(n)
	switch {
	case f.bytesRead > f.info.Size():
		n, err = 0, ErrChanged
	case err == io.EOF: // the length must be right, and the file unchanged
		if now, e := f.file.Stat(); e != nil {
			err = e
		} else if f.bytesRead != f.info.Size() || !sameState(f.info, now) {
			err = ErrChanged
		}
	}
	if err != nil && err != io.EOF {
		err = pathError("read", f.name, err)
	}
	return n, err
}

// sameState reports whether a and b describe the same file, unchanged in between.
func sameState(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// checkRegular returns an error unless info describes a regular file.
func checkRegular(info fs.FileInfo) error {
	switch {
	case info.Mode().Type() == fs.ModeSymlink:
		return ErrSymlink
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// asNotExist returns fs.ErrNotExist if err says that a path component is no folder. Such errors differ by system. It
// returns any other err unchanged.
func asNotExist(err error) error {
	if errors.Is(err, syscall.ENOTDIR) {
		return fs.ErrNotExist
	}
	return err
}
