//go:build unix

package regular_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/regular"
)

func TestNoPipeAndNoDeviceHoldsAReaderUp(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600), os.Symlink("/dev/zero", filepath.Join(dir, "zero")), os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Symlink("pipe", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"pipe", "zero", "loop", "link", "folder"} {
		for how, open := range map[string]func() (*os.File, error){
			"Open":   func() (*os.File, error) { return regular.Open(filepath.Join(dir, name)) },
			"OpenIn": func() (*os.File, error) { return regular.OpenIn(root, name) },
		} {
			var wrong *fs.PathError
			if f, err := open(); f != nil || !errors.As(err, &wrong) {
				t.Errorf("%s(%s) = %v, %v, want an *fs.PathError", how, name, f, err)
			}
		}
	}
}
