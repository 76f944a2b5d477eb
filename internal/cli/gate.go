package cli

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/results"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
)

// gateOptions are the flags of the command gate.
type gateOptions struct {
	runOptions
	format, runs string
}

func newGate(sys System) *cobra.Command {
	var o gateOptions
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "Gate the results that another runner wrote",
		Long: `Reads the results of another runner from before and after a change, pairs the cases, and gates the head as
a run does. No model is called. Without --head and --base, results in the configuration names the files.
A folder has the files of one side. Reads ` + text.List(results.Formats(), "and") + `. Writes
report.json, results.jsonl, ` + render.Files() + ` into --out.`,
		Example: `  failproof gate --base base.json --head head.json
  failproof gate --base out/base --head out/head --runs '-(\d+)\]$'`,
		Args: checkArgs(cobra.ExactArgs(0)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runResults(cmd.Context(), sys, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Head, "head", "", "results of the change: a `file`, or a folder of files")
	flags.StringVar(&o.Base, "base", "", "results from before the change: a `file`, or a folder of files")
	flags.StringVar(&o.format, "format", "", "the `format` of both: "+text.List(results.Formats(), "or")+" (default: their content decides)")
	flags.StringVar(&o.runs, "runs", "", "a regular `expression` with one group, which finds in a test's name "+
		"which run of its case it is")
	addConfig(flags, &o.Config)
	flags.StringVar(&o.Out, "out", output.DefaultFolder, "the `folder` for the output files")
	flags.StringVar(&o.RunID, "run-id", "", "the run's `id` in the files (default: the time)")
	flags.BoolVar(&o.JSON, "json", false, "print report.json instead of the table")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no table")
	return cmd
}

func runResults(ctx context.Context, sys System, o gateOptions) error {
	paths, err := resultPaths(o.format, "--format", o.runs, "--runs")
	if err != nil {
		return err
	}
	named := [...]string{o.Base, o.Head}
	o.Base, o.Head, o.Scope = "", "", sides.ScopeAll
	from := sys.Dir
	sys = sys.inConfigFolder(&o.runOptions)
	for i, path := range []*string{&paths.Base, &paths.Head} {
		if *path = named[i]; *path != "" && sys.Dir != from && !filepath.IsAbs(*path) {
			if *path, err = filepath.Rel(sys.Dir, filepath.Join(from, *path)); err != nil {
				return err
			}
		}
	}
	branch, _ := sides.DefaultBranch(sys.Dir)
	if paths.Head == "" && paths.Base == "" {
		o.Base = branch // its commit may have the results of the base, which the configuration names
	}
	in, err := newInputs(sys, o.runOptions)
	if err != nil {
		return err
	}
	if o.Base == "" && branch != "" { // the files are named, and the gate is still the base's
		if in.Rules, err = source.Git(sys.Dir, branch); err != nil {
			return err
		}
	}
	in.Results = paths
	return judgeRun(ctx, sys, o.runOptions, in)
}

// resultPaths returns result paths with the given format and regular expression but without files. formatFlag and
// runsFlag are the names of both flags in errors.
func resultPaths(format, formatFlag, runs, runsFlag string) (_ *sides.ResultPaths, err error) {
	r := &sides.ResultPaths{Format: format}
	if format != "" {
		if err := oneOf(formatFlag, format, results.Formats()...); err != nil {
			return nil, err
		}
	}
	if runs != "" {
		if r.Runs, err = config.CompileRuns(runs); err != nil {
			return nil, fault.Inputf("%s is %q: %w", runsFlag, runs, err)
		}
	}
	return r, nil
}
