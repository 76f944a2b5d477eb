package sides_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
)

// A job that works in a folder of its checkout keeps its answers at the checkout's root: outside of the tree
// that it judges.
func TestAFolderIsBroughtByTheCheckoutToo(t *testing.T) {
	dir := t.TempDir()
	repo, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	work, err := repo.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".failproof/cache/a.jsonl", "shop/failproof.yml"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("version: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := work.Add(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := work.Commit("x", &git.CommitOptions{Author: &object.Signature{Name: "ada", Email: "ada@example.com"}}); err != nil {
		t.Fatal(err)
	}
	head, err := source.Git(filepath.Join(dir, "shop"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	in := sides.Inputs{Head: head, Dir: dir}
	for folder, want := range map[string]bool{".failproof/cache": true, ".failproof/drift": false} {
		if got, err := in.CommitContains(folder); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", folder, got, err, want)
		}
	}
}
