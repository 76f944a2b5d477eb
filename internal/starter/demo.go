package starter

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/failproof/failproof/examples"
	"github.com/failproof/failproof/internal/fault"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Branches of the demo's repository.
const (
	DemoBase = "main"
	DemoHead = "warmer-tone"
)

// Demo makes a repository in a new folder, and returns its path: a temporary one for "", else dir, which must not be there.
func Demo(dir string) (string, error) {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "failproof-demo-")
	} else if err = os.Mkdir(dir, 0o777); err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fault.Inputf("make the folder of the demo: %w", err)
	}
	if err := commitDemo(dir); err != nil {
		return "", fmt.Errorf("make the demo repository in %s: %w", dir, err)
	}
	return dir, nil
}

// commitDemo makes the example's base and change two commits with fixed authors and times, so that every demo has the same two
// revisions.
func commitDemo(dir string) error {
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName(DemoBase)},
	})
	if err != nil {
		return err
	}
	tree, err := repo.Worktree()
	if err != nil {
		return err
	}
	if err := commitExample(tree, dir, "support/base", "Answer refund questions", 0); err != nil {
		return err
	}
	branch := &git.CheckoutOptions{Branch: plumbing.NewBranchReferenceName(DemoHead), Create: true}
	if err := tree.Checkout(branch); err != nil {
		return err
	}
	return commitExample(tree, dir, "support/change", "Answer more warmly", time.Hour)
}

func commitExample(tree *git.Worktree, dir, folder, message string, after time.Duration) error {
	files, err := fs.Sub(examples.Support, folder)
	if err != nil {
		return err
	}
	if err := writeFiles(dir, files); err != nil {
		return err
	}
	if err := tree.AddWithOptions(&git.AddOptions{All: true}); err != nil {
		return err
	}
	who := object.Signature{Name: "Demo", Email: "demo@example.com", When: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Add(after)}
	_, err = tree.Commit(message, &git.CommitOptions{Author: &who, Committer: &who})
	return err
}

// writeFiles writes every file of files below dir, over what is there.
func writeFiles(dir string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
}
