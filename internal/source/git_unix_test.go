//go:build unix

package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/failproof/failproof/internal/source"
)

// TestNoFileOfTheGitFolderHoldsAReaderUp waits for ever if one does.
func TestNoFileOfTheGitFolderHoldsAReaderUp(t *testing.T) {
	kinds := map[string]func(at string) error{
		"a pipe": func(at string) error { return syscall.Mkfifo(at, 0o600) },
		"a link to a pipe": func(at string) error {
			return errors.Join(syscall.Mkfifo(at+".pipe", 0o600), os.Symlink(at+".pipe", at))
		},
		"a large file": func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o600), os.Truncate(at, 10<<30)) },
	}
	for name, says := range map[string]string{ // "": it is read without that file
		"HEAD": "has no HEAD", "refs/heads/main": "no such revision", "shallow": "shallow: ", "commondir": "commondir: ",
		"config": "", "objects/info/alternates": "", "refs/tags/v1": "",
	} {
		for kind, put := range kinds {
			l := newLocal(t)
			l.ref("refs/heads/main", l.commit(l.tree(plain()), 1))
			at := filepath.Join(l.dir, ".git", name)
			ok(t, os.MkdirAll(filepath.Dir(at), 0o700))
			_ = os.Remove(at) // most are not there
			ok(t, put(at))
			switch tree, err := source.Open(l.dir, "main"); {
			case err == nil && says == "":
				ok(t, tree.Close())
			case err == nil || says == "" || !strings.Contains(err.Error(), says):
				t.Errorf("%s in place of %s: %v, want %q", kind, name, err, says)
			}
		}
	}
	l := newLocal(t) // references are read one by one, so that list may be large
	l.ref("refs/heads/main", l.commit(l.tree(plain()), 1))
	ok(t, syscall.Mkfifo(filepath.Join(l.dir, ".git", "packed-refs"), 0o600))
	tree, err := source.Open(l.dir, "main")
	ok(t, err)
	ok(t, tree.Close())
}

// TestAGitFileThatIsAPipeHoldsNobodyUp waits for ever if it does.
func TestAGitFileThatIsAPipeHoldsNobodyUp(t *testing.T) {
	dir := t.TempDir()
	ok(t, syscall.Mkfifo(filepath.Join(dir, ".git"), 0o600))
	if _, err := source.Open(dir, "main"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("Open = %v, want it to say that .git is no file", err)
	}
}
