package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/starter"
)

func newDemo(sys System) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Make a small repository and judge a change of its prompt",
		Long: `Makes a git repository with a main branch and two branches that change a prompt, and judges one of them
by recorded answers: no key, no network. The change breaks two cases, so the exit code is 1.`,
		Args: checkArgs(cobra.ExactArgs(0)),
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), sys, dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the `folder` of the repository, which must not exist (default: a new "+
		"temporary folder)")
	return cmd
}

func demo(ctx context.Context, sys System, dir string) error {
	dir, err := starter.Demo(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(sys.Stderr, "Made a repository in %[1]s. Two branches change prompts/refund.md of `%[2]s`: "+
		"`%[3]s` breaks answers, `%[4]s` breaks none.\n"+
		"Running there: failproof run --base %[2]s --head %[3]s\n\n", dir, starter.DemoBase, starter.DemoHead, starter.DemoHarmless)
	sys.Dir = dir
	verdict := runGate(ctx, sys, runOptions{Base: starter.DemoBase, Head: starter.DemoHead, Scope: sides.ScopeChanged, Out: output.DefaultFolder})

	comment, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(output.DefaultFolder), output.CommentFile))
	if err != nil {
		return fmt.Errorf("read the written comment: %w", err)
	}
	unfolded, _, _ := strings.Cut(string(comment), "\n<details>")
	fmt.Fprintf(sys.Stdout, "\nThe comment on the pull request would begin:\n\n%s\n", unfolded)
	fmt.Fprintf(sys.Stdout, "The files are in %s, with comment.md and report.json.\n", filepath.Join(dir, filepath.FromSlash(output.DefaultFolder)))
	fmt.Fprintf(sys.Stdout, "Try it yourself: edit recordings/support/refund.jsonl there and run `failproof run "+
		"--base main`. If you change "+
		"prompts/refund.md, run `failproof record --stamp`: it binds the answers to the new prompt.\n")
	return verdict
}
