package cli

import (
	"context"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
)

// gateOptions are the flags of gate.
type gateOptions struct {
	runOptions
	format, runs string
}

func newGate(sys System) *cobra.Command {
	var o gateOptions
	cmd := &cobra.Command{
		Use:   "gate --head FILE [--base FILE]",
		Short: "Gate the results that another runner wrote",
		Long: `Reads what another runner wrote before and after a change, pairs the cases, and holds the head to the gate as a run
does. It asks nobody. A folder holds the parts of one side. Reads ` + text.List(results.Formats(), "and") + `. Writes
report.json, results.jsonl, ` + render.Files() + ` into --out.`,
		Example: `  failproof gate --base base.json --head head.json
  failproof gate --base out/base --head out/head --runs '-(\d+)\]$'`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd, "base", "head", "config", "out"); err != nil {
				return err
			}
			return runResults(cmd.Context(), sys, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Head, "head", "", "results of the change: a `file`, or a folder of files")
	flags.StringVar(&o.Base, "base", "", "results from before it, likewise a `file` or a folder")
	flags.StringVar(&o.format, "format", "", "the `format` of both: "+text.List(results.Formats(), "or")+" (default: their content decides)")
	flags.StringVar(&o.runs, "runs", "", "a regular `expression` with one group, which finds in a test's name which run of its case it is")
	flags.StringVar(&o.Config, "config", "", "the configuration `file` (default: .github/failproof.yml, else failproof.yml, here)")
	flags.StringVar(&o.Out, "out", output.DefaultFolder, "the `folder` that the files are written into")
	flags.StringVar(&o.RunID, "run-id", "", "the run's `id` in the files (default: the time)")
	flags.BoolVar(&o.JSON, "json", false, "print report.json to standard output in place of the table")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no table")
	return cmd
}

func runResults(ctx context.Context, sys System, o gateOptions) error {
	if o.Head == "" {
		return fault.Inputf("--head is missing; expected the file or folder that the runner wrote for the change")
	}
	head, base := o.Head, o.Base
	o.Head, o.Base, o.Scope = "", "", sides.ScopeAll
	in, err := newInputs(sys, o.runOptions)
	if err != nil {
		return err
	}
	if in.Results, err = resultsOf(o.format, "--format", o.runs, "--runs"); err != nil {
		return err
	}
	if in.Results.Head, err = openResults(sys, head); err != nil {
		return err
	}
	if base != "" {
		if in.Results.Base, err = openResults(sys, base); err != nil {
			return err
		}
	}
	return judgeRun(ctx, sys, o.runOptions, in)
}

// resultsOf checks how results are to be read.
func resultsOf(format, formatFlag, runs, runsFlag string) (*sides.Results, error) {
	r := &sides.Results{Format: format}
	if format != "" {
		if err := oneOf(formatFlag, format, results.Formats()...); err != nil {
			return nil, err
		}
	}
	if runs == "" {
		return r, nil
	}
	var err error
	if r.Runs, err = regexp.Compile(runs); err == nil {
		err = results.CheckRuns(r.Runs)
	}
	if err != nil {
		return nil, fault.Inputf("%s is %q: %w", runsFlag, runs, err)
	}
	return r, nil
}

// openResults opens the folder that a file or folder of results lies in. No link below it is followed.
func openResults(sys System, name string) (sides.ResultFiles, error) {
	at := sys.path(name)
	root, err := os.OpenRoot(filepath.Dir(at))
	if err != nil {
		return sides.ResultFiles{}, fault.Inputf("open the results: %w", err)
	}
	path := filepath.Base(at)
	if _, err := root.Lstat(path); err != nil {
		return sides.ResultFiles{}, fault.Inputf("there are no results in %s; expected the file that the runner wrote, or a folder of such", name)
	}
	return sides.ResultFiles{Tree: root.FS(), Path: path, Name: filepath.ToSlash(name)}, nil
}
