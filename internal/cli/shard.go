package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/text"
)

func runShard(ctx context.Context, sys System, o runOptions) error {
	if o.DryRun || o.JSON {
		return fault.Inputf("--shard gives no verdict, so it cannot be combined with --dry-run or --json")
	}
	part, err := shard.ParsePart(o.Shard)
	if err != nil {
		return fault.Inputf("--shard is %q: %w", o.Shard, err)
	}
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	in.Part = part
	out, err := output.Open(sys.Dir, o.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	done, err := run.AskShard(ctx, in, newSinks(sys, o, out))
	if err != nil {
		return err
	}
	return printShard(sys, done, filepath.Join(o.Out, output.ShardFile))
}

func printShard(sys System, done shards.Result, file string) error {
	printFaultsOnly(sys, done.Faults)
	if document.HasErrors(done.Faults) {
		return verdictError{verdict: report.Invalid}
	}
	if done.Ended != "" {
		logf(sys, "shard %s was not completed: %s", done.Part, done.Ended)
	}
	logf(sys, "shard %s: %s in %s; `failproof merge` judges all shards", done.Part, text.Count(done.Answers, "answer"), file)
	return nil
}

func newMerge(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "merge SHARD…",
		Short: "Judge the shards of `run --shard` as one run",
		Long: `Reads the answers that the shards of a run wrote, from files or folders, and does the rest of the
run: judges, compares, reruns flipped cases, and writes the files. The report equals that of an
undivided run. Give it the flags that the shards had. If a shard is missing, the verdict is
"undecided", unless a regression is confirmed without it.`,
		Example: `  failproof run --base main --shard 1/2 --out shards/1
  failproof run --base main --shard 2/2 --out shards/2
  failproof merge --base main shards`,
		Args: checkArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, paths []string) error {
			o.OutNamed = cmd.Flags().Changed("out")
			return runMerge(cmd.Context(), sys, o, paths)
		},
	}
	addRunFlags(cmd, &o)
	cmd.Flags().StringArrayVar(&o.Suites, "suite", nil, "a `suite` file that the shards were given (default: the "+
		"configuration's); can be repeated")
	return cmd
}

func runMerge(ctx context.Context, sys System, o runOptions, paths []string) error {
	var full []string
	for _, path := range paths {
		full = append(full, sys.path(path))
	}
	found, err := shards.Read(full)
	if err != nil {
		return err
	}
	sys = sys.inConfigFolder(&o)
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	if found.Total == 0 {
		return fault.Inputf("%s has no %s; expected a folder that `failproof run --shard` wrote", strings.Join(paths, ", "), output.ShardFile)
	}
	in.Shards = found
	return judgeRun(ctx, sys, o, in)
}
