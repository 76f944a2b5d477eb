package source_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/failproof/failproof/internal/source"
)

// disk opens a folder that holds files.
func disk(t *testing.T, all files) (string, *source.Tree) {
	t.Helper()
	dir := t.TempDir()
	for name, e := range all {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), e.text)
	}
	return dir, must(source.Folder(dir))(t)
}

func TestAFolderThatIsNotThere(t *testing.T) {
	if tree, err := source.Folder(filepath.Join(t.TempDir(), "nope")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Folder = %v, %v, want fs.ErrNotExist", tree, err)
	}
}

func TestAFileIsNoFolder(t *testing.T) {
	at := writeFile(t, filepath.Join(t.TempDir(), "f"), "x")
	if tree, err := source.Folder(at); err == nil {
		t.Errorf("Folder(file) = %v, want an error", tree)
	}
}

func TestFolderAndWorktreeAreNamed(t *testing.T) {
	dir := t.TempDir()
	if got, want := must(source.Folder(dir))(t).Revision, (source.Revision{Kind: source.KindFolder, Name: dir}); got != want {
		t.Errorf("Folder is %+v, want %+v", got, want)
	}
	want := source.Revision{Kind: source.KindWorktree, Name: "working tree"}
	if got := must(source.Worktree(dir))(t).Revision; got != want {
		t.Errorf("Worktree is %+v, want %+v", got, want)
	}
}

// changes are what may happen to a file between two looks at it.
var changes = []struct {
	rule   string
	change func(t *testing.T, at string)
}{
	{"it is emptied", func(t *testing.T, at string) { ok(t, os.Truncate(at, 0)) }},
	{"it is cut", func(t *testing.T, at string) { ok(t, os.Truncate(at, 3)) }},
	{"it grows", func(t *testing.T, at string) { writeFile(t, at, "first content and more") }},
	{"it is rewritten at the same length", func(t *testing.T, at string) {
		writeFile(t, at, "other content")
		later := time.Now().Add(time.Minute)
		ok(t, os.Chtimes(at, later, later))
	}},
}

// swaps put something else under the name.
var swaps = []struct {
	rule   string
	change func(t *testing.T, at string)
}{
	{"it is removed", func(t *testing.T, at string) { ok(t, os.Remove(at)) }},
	{"another file takes its place", func(t *testing.T, at string) {
		ok(t, os.Rename(writeFile(t, at+".new", "first content"), at))
	}},
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatChangesWhileItIsOpenIsAnError(t *testing.T) {
	for _, c := range changes {
		t.Run(c.rule, func(t *testing.T) {
			dir, tree := disk(t, files{"a/f": file("first content")})
			f, err := tree.Open("a/f")
			ok(t, err)
			defer f.Close()
			c.change(t, filepath.Join(dir, "a", "f"))
			if data, err := io.ReadAll(f); !errors.Is(err, source.ErrChanged) {
				t.Errorf("ReadAll = %q, %v, want ErrChanged", data, err)
			}
		})
	}
}

func TestAFileThatChangesAfterItWasMetIsAnError(t *testing.T) {
	looks := map[string]func(*testing.T, fs.FS){
		"read": func(t *testing.T, tree fs.FS) { _, err := fs.ReadFile(tree, "a/f"); ok(t, err) },
		"stat": func(t *testing.T, tree fs.FS) { _, err := fs.Stat(tree, "a/f"); ok(t, err) },
		"list": func(t *testing.T, tree fs.FS) {
			entries, err := fs.ReadDir(tree, "a")
			ok(t, err)
			_, err = entries[0].Info()
			ok(t, err)
		},
	}
	for look, do := range looks {
		for _, c := range append(changes, swaps...) {
			t.Run(look+"/"+c.rule, func(t *testing.T) {
				dir, tree := disk(t, files{"a/f": file("first content")})
				do(t, tree)
				c.change(t, filepath.Join(dir, "a", "f"))
				if data, err := fs.ReadFile(tree, "a/f"); !errors.Is(err, source.ErrChanged) {
					t.Errorf("ReadFile = %q, %v, want ErrChanged", data, err)
				}
			})
		}
	}
}

func TestAFileThatWasOnlyListedMayBeGone(t *testing.T) {
	dir, tree := disk(t, files{"a/f": file("first content")})
	if _, err := fs.ReadDir(tree, "a"); err != nil {
		t.Fatal(err)
	}
	ok(t, os.Remove(filepath.Join(dir, "a", "f")))
	if data, err := fs.ReadFile(tree, "a/f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile = %q, %v, want fs.ErrNotExist", data, err)
	}
}

func TestAFolderHasNoFileLargerThanTheLimit(t *testing.T) {
	dir, tree := disk(t, files{"big": file(""), "fits": file("")})
	ok(t, os.Truncate(filepath.Join(dir, "big"), source.MaxFileSize+1))
	ok(t, os.Truncate(filepath.Join(dir, "fits"), source.MaxFileSize))
	if info, err := fs.Stat(tree, "big"); err != nil || info.Size() != source.MaxFileSize+1 {
		t.Errorf("Stat = %v, %v, want %d bytes", info, err, source.MaxFileSize+1)
	}
	if _, err := fs.ReadFile(tree, "big"); !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("ReadFile = %v, want ErrTooLarge", err)
	}
	f, err := tree.Open("big")
	ok(t, err)
	defer f.Close()
	if n, err := f.Read(make([]byte, 10)); n != 0 || !errors.Is(err, source.ErrTooLarge) {
		t.Errorf("Read = %d, %v, want ErrTooLarge", n, err)
	}
	if data, err := fs.ReadFile(tree, "fits"); err != nil || len(data) != source.MaxFileSize {
		t.Errorf("ReadFile of the largest file = %d bytes, %v", len(data), err)
	}
}
