package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5"

	"github.com/failproof/failproof/internal/regular"
)

// gitFiles restricts a git folder for go-git to regular files, and limits the size of files that it reads whole.
type gitFiles struct{ billy.Filesystem }

// maxGitFile is the largest file of a git folder, in bytes, other than objects and lists of references.
const maxGitFile = 16 << 20

func (f gitFiles) Open(name string) (billy.File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

func (f gitFiles) OpenFile(name string, flag int, perm fs.FileMode) (billy.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(f.Root(), name)
	if err := regular.Check(at, info); err != nil {
		return nil, err
	}
	if slashed := filepath.ToSlash(name); info.Size() > maxGitFile && !strings.HasPrefix(slashed, "objects/") &&
		!strings.Contains(slashed, "/objects/") && slashed != "packed-refs" {
		return nil, &fs.PathError{Op: "read", Path: at, Err: fmt.Errorf("has %d bytes; at most %d are read",
			info.Size(), maxGitFile)}
	}
	return f.Filesystem.OpenFile(name, flag|regular.NoWait, perm)
}

// Chroot returns the files below a folder.
func (f gitFiles) Chroot(path string) (billy.Filesystem, error) {
	below, err := f.Filesystem.Chroot(path)
	if err != nil {
		return nil, err
	}
	return gitFiles{below}, nil
}
