// Package output writes the files of a run into a folder. It follows no link out of the folder, a file appears only
// when it is complete, and no other run writes there at the same time.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/regular"
)

// DefaultFolder is the folder for a run's files, below the working directory.
const DefaultFolder = ".failproof/out"

// DefaultCache is the folder of the response cache, below the working directory.
const DefaultCache = ".failproof/cache"

// ignoreFile is the file that makes git ignore DefaultFolder and DefaultCache.
const ignoreFile = ".failproof/.gitignore"

// Files of a report's folder.
const (
	ReportFile  = "report.json"
	ResultsFile = "results.jsonl" // the head's results
	BaseFile    = "base.jsonl"    // the base's results
	CommentFile = "comment.md"
	JUnitFile   = "junit.xml"
	SARIFFile   = "report.sarif"
	PageFile    = "report.html"
	CrashFile   = "crash.txt" // only after a bug in failproof
	PatchFile   = "recordings.patch"
	ShardFile   = "shard.jsonl" // the answers of one shard, instead of all other files
)

// files are the names of all files of a report's folder.
var files = [...]string{ReportFile, ResultsFile, BaseFile, CommentFile, JUnitFile, SARIFFile, PageFile,
	CrashFile, PatchFile, ShardFile}

// Folder is the open folder of a run, locked against other runs.
type Folder struct {
	root *os.Root
	Path string   // path of the folder, for messages
	dir  *os.File // the folder itself, locked
}

// Open makes the folder out and locks it for this run. A relative path is below dir. Open rejects a link in the path,
// because the judged change could have added the link to the checkout.
func Open(dir, out string) (*Folder, error) {
	root, path, err := Make(dir, out, "output")
	if err != nil {
		return nil, err
	}
	handle, err := root.Open(".")
	if err != nil {
		return nil, fault.Inputf("open the output folder: %w", errors.Join(err, root.Close()))
	}
	if !lock(handle) { // two runs could mix one's report with the other's results
		handle.Close() // errors do not matter: nothing was written
		root.Close()
		return nil, fault.Inputf("another run is writing into the output folder %s; wait for it, or name another "+
			"folder with --out", path)
	}
	return &Folder{root, path, handle}, nil
}

// Make makes the folder name for a command's files. It returns the open folder and its path. A relative name is below
// dir. Make rejects a link below dir. label names the folder in errors.
func Make(dir, name, label string) (root *os.Root, path string, err error) {
	if below, err := filepath.Rel(dir, name); err == nil && filepath.IsAbs(name) && filepath.IsLocal(below) {
		name = below
	}
	if filepath.IsAbs(name) {
		if err := os.MkdirAll(name, 0o777); err != nil {
			return nil, "", fault.Inputf("make the %s folder: %w", label, err)
		}
		if root, err = os.OpenRoot(name); err != nil {
			return nil, "", fault.Inputf("open the %s folder: %w", label, err)
		}
		return root, name, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, "", fault.Inputf("the %s folder %s is not below the current folder; expected one that is, or an "+
			"absolute path", label, name)
	}
	workspace, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", fault.Inputf("open the working folder: %w", err)
	}
	defer workspace.Close()
	if root, err = makeBelow(workspace, filepath.Clean(filepath.FromSlash(name))); err != nil {
		return nil, "", fault.Inputf("make the %s folder %s: %w", label, name, err)
	}
	return root, filepath.Join(dir, name), nil
}

func makeBelow(workspace *os.Root, out string) (*os.Root, error) {
	if err := makeFolders(workspace, out); err != nil {
		return nil, err
	}
	if out == filepath.FromSlash(DefaultFolder) || out == filepath.FromSlash(DefaultCache) {
		_ = WriteNew(workspace, ignoreFile, []byte("*\n")) // without it, git only lists the folder
	}
	return workspace.OpenRoot(out)
}

// makeFolders makes folder and its parents below root. It rejects a link in the path, because a committed link could
// lead anywhere below root, even into .git.
func makeFolders(root *os.Root, folder string) error {
	for i, c := range folder + string(filepath.Separator) {
		if c != filepath.Separator || i == 0 {
			continue
		}
		part := folder[:i]
		if err := root.Mkdir(part, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := root.Lstat(part)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", filepath.ToSlash(part))
		}
	}
	return nil
}

// Close removes incomplete files and unlocks the folder.
func (o *Folder) Close() error {
	for _, name := range files {
		_ = o.root.Remove(name + ".part") // most do not exist
		_ = o.root.Remove(name + ".order")
	}
	unlock(o.dir)
	return errors.Join(o.dir.Close(), o.root.Close())
}

// Clear removes the files of an earlier run, so that a run that ends early leaves no verdict of another run.
func (o *Folder) Clear() error { return o.Remove(files[:]...) }

// Read returns the content of the file with the given name. It returns an error if the file is larger than limit bytes.
// The error is fs.ErrNotExist if there is no such file.
func (o *Folder) Read(name string, limit int64) ([]byte, error) {
	return regular.ReadIn(o.root, name, limit)
}

// Is reports whether path leads to this folder.
func (o *Folder) Is(path string) bool {
	there, err := os.Stat(path)
	here, err2 := o.dir.Stat()
	return err == nil && err2 == nil && os.SameFile(there, here)
}

// file is a file that is being written under a temporary name. Its method commit gives it the final name.
type file struct {
	*bufio.Writer
	f    *os.File
	root *os.Root
	name string
}

// create starts the file with the given name. An existing file with that name stays until commit.
func (o *Folder) create(name string) (*file, error) {
	f, err := recreate(o.root, name+".part")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return &file{bufio.NewWriterSize(f, 64<<10), f, o.root, name}, nil
}

// recreate creates and opens the file with the given name. It first removes an existing file, which could be a link.
func recreate(root *os.Root, name string) (*os.File, error) {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func (f *file) commit() error {
	err := errors.Join(f.Flush(), f.f.Close())
	if err == nil {
		err = f.root.Rename(f.name+".part", f.name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	return nil
}

// Write writes data to the file with the given name, and replaces an existing file.
func (o *Folder) Write(name string, data []byte) error {
	return o.Print(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Print writes a file with the output of a function. On an error, an existing file stays.
func (o *Folder) Print(name string, print func(io.Writer) error) error {
	commit, err := o.Prepare(name, print)
	if err != nil {
		return err
	}
	return commit()
}

// Prepare calls print to write a file under a temporary name. The returned function commit gives the file its final
// name. Files may be prepared concurrently.
func (o *Folder) Prepare(name string, print func(io.Writer) error) (commit func() error, err error) {
	f, err := o.create(name)
	if err != nil {
		return nil, err
	}
	if err := print(f); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", name, err), f.f.Close())
	}
	return f.commit, nil
}

// Remove removes the files with the given names, if they exist.
func (o *Folder) Remove(names ...string) error {
	for _, name := range names {
		if err := o.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the old %s: %w", name, err)
		}
	}
	return nil
}

// GiveToOwner makes the owner of the folder workspace the owner of this folder and its files. An action's container
// runs as root, but later steps do not, and must be able to delete the files. GiveToOwner ignores errors, because the
// files stay readable.
func (o *Folder) GiveToOwner(workspace string) {
	changeOwner(workspace, o.Path, func(root *os.Root, _ string, uid, gid int) {
		for _, name := range files {
			_ = o.root.Lchown(name, uid, gid)
			_ = o.root.Lchown(name+".part", uid, gid)
		}
		_ = root.Lchown(ignoreFile, uid, gid)
	})
}

// GiveCacheToOwner makes the owner of the folder workspace the owner of the response cache at path. A later step of the
// job saves the cache.
func GiveCacheToOwner(workspace, path string) {
	changeOwner(workspace, path, func(root *os.Root, folder string, uid, gid int) {
		_ = fs.WalkDir(root.FS(), filepath.ToSlash(folder), func(name string, _ fs.DirEntry, err error) error {
			if err == nil {
				_ = root.Lchown(filepath.FromSlash(name), uid, gid)
			}
			return nil
		})
	})
}

// changeOwner calls content to change the owner of what is in the folder at path. It then changes the owner of this
// folder and of its parents up to workspace.
func changeOwner(workspace, path string, content func(root *os.Root, folder string, uid, gid int)) {
	uid, gid, ok := owner(workspace)
	folder, err := filepath.Rel(workspace, path)
	if err != nil || !ok || os.Geteuid() != 0 {
		return
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return
	}
	defer root.Close()
	content(root, folder, uid, gid)
	for ; folder != "."; folder = filepath.Dir(folder) {
		_ = root.Lchown(folder, uid, gid)
	}
}

// WriteNew writes a new file and makes its parent folders. name is a slash-separated path below root, and no link in it
// is followed. If the file exists, WriteNew leaves it as it is and returns fs.ErrExist.
func WriteNew(root *os.Root, name string, text []byte) error {
	local := filepath.FromSlash(name)
	if err := makeFolders(root, filepath.Dir(local)); err != nil {
		return err
	}
	to, err := root.OpenFile(local, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = to.Write(text)
	if err = errors.Join(err, to.Close()); err != nil {
		_ = root.Remove(local) // after a full disk, else the next call would keep an incomplete file
	}
	return err
}

// Replace writes a file and makes its parent folders. It replaces an existing file and keeps its permissions, and on an
// error also its content. name is a slash-separated path below root, as in WriteNew.
func Replace(root *os.Root, name string, text []byte) error {
	local := filepath.FromSlash(name)
	if err := makeFolders(root, filepath.Dir(local)); err != nil {
		return err
	}
	part := local + ".part"
	_ = root.Remove(part) // it could be a link
	err := WriteNew(root, name+".part", text)
	if old, missing := root.Lstat(local); err == nil && missing == nil && old.Mode().IsRegular() {
		err = root.Chmod(part, old.Mode().Perm())
	}
	if err == nil {
		err = root.Rename(part, local)
	}
	if err != nil {
		_ = root.Remove(part)
	}
	return err
}
