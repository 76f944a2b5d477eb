package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/examples"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/run"
)

func newDemo(sys System) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make a small repository and gate a change of its prompt",
		Long: `Makes a git repository with a main branch and a branch on which a prompt was changed, and gates the change on
recorded answers: no key, no network. It ends in exit code 1, because the change breaks two cases.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), sys, dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `folder` to make the repository in; it must not exist (default: a new temporary folder)")
	return cmd
}

func demo(ctx context.Context, sys System, dir string) error {
	dir, err := demoFolder(dir)
	if err != nil {
		return err
	}
	if err := demoRepository(dir); err != nil {
		return fmt.Errorf("make the demo repository in %s: %w", dir, err)
	}
	fmt.Fprintf(sys.Stderr, "A repository was made in %s: `main`, and `warmer-tone`, which changes prompts/refund.md.\n", dir)
	fmt.Fprintf(sys.Stderr, "Running there: failproof run --base main --head warmer-tone\n\n")
	sys.Dir = dir
	verdict := runGate(ctx, sys, runOptions{Base: "main", Head: "warmer-tone", Scope: run.ScopeChanged, Out: output.DefaultFolder})

	comment, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(output.DefaultFolder), output.CommentFile))
	if err != nil {
		return fmt.Errorf("read the comment back: %w", err)
	}
	fmt.Fprintf(sys.Stdout, "\nThe comment that the pull request would get:\n\n%s\n", comment)
	fmt.Fprintf(sys.Stdout, "The files are in %s, comment.md and report.json among them.\n", filepath.Join(dir, filepath.FromSlash(output.DefaultFolder)))
	fmt.Fprintf(sys.Stdout, "Try it yourself: edit recordings/support/refund.jsonl there and run `failproof run --base main`; after a change of "+
		"prompts/refund.md, `failproof record --stamp` binds the answers to it.\n")
	return verdict
}

func demoFolder(dir string) (string, error) {
	if dir == "" {
		return os.MkdirTemp("", "failproof-demo-")
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", fault.Inputf("make the folder of the demo: %w", err)
	}
	return filepath.Abs(dir)
}

// demoRepository writes the example's base and change as two commits with fixed authors and times, so that every demo has
// the same two revisions.
func demoRepository(dir string) error {
	repo, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName("main")},
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
	branch := &git.CheckoutOptions{Branch: plumbing.NewBranchReferenceName("warmer-tone"), Create: true}
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
