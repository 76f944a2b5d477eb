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

// gitFiles gives go-git a git folder with only its regular files. It limits the size of those that go-git reads whole.
type gitFiles struct{ billy.Filesystem }

// maxGitFile is the largest size of a file in a git folder, in bytes. It does not apply to objects and packed-refs.
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

// Chroot returns the files below the folder at path.
func (f gitFiles) Chroot(path string) (billy.Filesystem, error) {
	below, err := f.Filesystem.Chroot(path)
	if err != nil {
		return nil, err
	}
	return gitFiles{below}, nil
}
