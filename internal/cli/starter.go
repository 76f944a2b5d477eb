package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/promptfoo"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/starter"
)

func newInit(sys System) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration, a first suite and a workflow",
		Long: `Looks at the current folder and writes what it lacks to gate its prompts: a configuration, a first suite and a workflow. Where there are prompts the suite
asks them, prompt files of GitHub Models are suites already, and a configuration of promptfoo is for failproof import to take over; else it writes an example with
recorded answers. In a folder of a larger repository the workflow
is written at its root. A file that is there is kept.`,
		Args: args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			next, err := starter.Survey(sys.Dir).Write(sys.Dir, live, func(name string, isNew bool) {
				fmt.Fprintf(sys.Stdout, "%-6s %s\n", map[bool]string{true: "wrote", false: "kept"}[isNew], show.Log(name))
			})
			if err != nil {
				return fault.Inputf("write the first files: %w", err)
			}
			for _, line := range next {
				fmt.Fprintln(sys.Stdout, show.Log(line))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "ask a model for the answers (a key is needed), in place of recorded ones")
	return cmd
}

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
	dir, err := starter.Demo(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(sys.Stderr, "A repository was made in %[1]s: `%[2]s`, and `%[3]s`, which changes prompts/refund.md.\nRunning there: failproof run --base %[2]s --head %[3]s\n\n",
		dir, starter.DemoBase, starter.DemoHead)
	sys.Dir = dir
	verdict := runGate(ctx, sys, runOptions{Base: starter.DemoBase, Head: starter.DemoHead, Scope: run.ScopeChanged, Out: output.DefaultFolder})

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

func newImportPromptfoo(sys System) *cobra.Command {
	in := run.ImportInputs{Dir: sys.Dir}
	cmd := &cobra.Command{
		Use:   "promptfoo FILE",
		Short: "Take over a configuration of promptfoo as suites and targets",
		Long: `Reads promptfoo's configuration in YAML or JSON with the prompts, tests and schemas that it names, and writes suites, a configuration and a list,
promptfoo-import.md, of what it could not take over: each with its place, the reason and the nearest way. Prompt files below the folder that it writes
to stay where they are and are named by the suites; others are copied. Nothing is asked, no code is run, and a file that is there is never
written over.

With --results the answers that promptfoo stored (promptfoo eval -o output.json) become recordings, so that a change is gated by them at once.`,
		Example: `  failproof import promptfoo promptfooconfig.yaml
  failproof import promptfoo promptfooconfig.yaml --results output.json
  failproof import promptfoo promptfooconfig.yaml --out gate`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			in.File = a[0]
			return importPromptfoo(sys, in)
		},
	}
	cmd.Flags().StringVar(&in.Out, "out", ".", "the `folder` to write to; paths of the suites and of the configuration begin there")
	cmd.Flags().StringVar(&in.Results, "results", "", "promptfoo's stored results, a JSON `file`, to make recordings of")
	return cmd
}

func importPromptfoo(sys System, in run.ImportInputs) error {
	done, err := run.Import(in)
	for _, name := range done.Written {
		fmt.Fprintf(sys.Stdout, "wrote  %s\n", show.Log(name))
	}
	for _, f := range done.Findings { // with their places; what changed or was left is in the list
		if f.Level == promptfoo.Lost {
			fmt.Fprintf(sys.Stdout, "%s: %s\n", show.Log(f.Place()), show.Log(f.String()))
		}
	}
	if err != nil || document.HasErrors(done.Faults) {
		return invalid(sys, done.Faults, err)
	}
	_, err = fmt.Fprintf(sys.Stdout, "\n%s\n%s\n", done.Summary(), show.Log("Next: "+done.Next(in.Out)))
	return err
}
