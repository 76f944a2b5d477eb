package source_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/failproof/failproof/internal/source"
)

// FuzzNames: whatever the name, a tree gives a file's own content or one line of error, never a secret.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{"a/b", ".git/config", "../secret", "a\\b", "a/../.env", "/a", ".GIT/config", "e\u0301", "a\n", "a//b", ".", "\xff"} {
		f.Add(seed)
	}
	outer := f.TempDir()
	dir := filepath.Join(outer, "tree")
	for name, text := range map[string]string{"secret": "secret", "tree/.git/config": "secret", "tree/.env": "secret", "tree/a/.env.x": "secret", "tree/a/b": "content"} {
		writeFile(f, filepath.Join(outer, filepath.FromSlash(name)), text)
	}
	folder, err := source.Folder(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { folder.Close() })
	f.Fuzz(func(t *testing.T, name string) {
		for _, look := range []func() (string, error){
			func() (string, error) { data, err := fs.ReadFile(folder, name); return string(data), err },
			func() (string, error) { _, err := fs.Stat(folder, name); return "content", err },
			func() (string, error) { _, err := fs.ReadDir(folder, name); return "content", err },
		} {
			got, err := look()
			if err == nil && got != "content" {
				t.Errorf("%q gives %q", name, got)
			}
			if err != nil && strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Errorf("the error for %q is not one plain line: %q", name, err)
			}
		}
	})
}
