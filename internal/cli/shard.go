package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/text"
)

// shardsFolder is where the action finds what the parts of a run were told, below the workspace: each in a folder of its own.
const shardsFolder = ".failproof/shards"

// runShard asks one part of a run.
func runShard(ctx context.Context, sys System, o runOptions) error {
	if o.DryRun || o.JSON {
		return fault.Inputf("--shard asks a part and judges nothing: --dry-run and --json are for the whole run")
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
	return tellShard(sys, done, filepath.Join(o.Out, output.ShardFile))
}

// tellShard says what a part came to.
func tellShard(sys System, done run.Sharded, file string) error {
	for _, d := range done.Faults {
		fmt.Fprintln(sys.Stderr, show.Diagnostic(d))
	}
	if document.HasErrors(done.Faults) {
		return verdictError{verdict: report.Invalid}
	}
	if done.Ended != "" {
		say(sys, "shard %s was not asked to its end: %s", done.Part, done.Ended)
	}
	say(sys, "shard %s: %s in %s; `failproof merge` judges it with the others", done.Part, text.Count(done.Answers, "answer"), file)
	return nil
}

func newMerge(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "merge SHARD…",
		Short: "Judge a run whose parts were asked by `run --shard`, as one",
		Long: `Reads what the parts of a run were told, from files or from folders that hold them, and does the rest of that run: judges, compares,
asks again what noise may explain, and writes the files. The report is the one of a run that was not divided. It takes the
flags that the parts had. While a part is missing the verdict is "undecided", unless a regression is proven without it.`,
		Example: `  failproof run --base main --shard 1/2 --out shards/1
  failproof run --base main --shard 2/2 --out shards/2
  failproof merge --base main shards`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := noneEmpty(cmd, "base", "head", "config", "out", "cache"); err != nil {
				return err
			}
			o.OutNamed = cmd.Flags().Changed("out")
			return runMerge(cmd.Context(), sys, o, paths)
		},
	}
	addRunFlags(cmd, &o)
	cmd.Flags().StringArrayVar(&o.Suites, "suite", nil, "a suite that the parts were given, in place of the configuration's; may be repeated")
	return cmd
}

func runMerge(ctx context.Context, sys System, o runOptions, paths []string) error {
	files, closeAll, err := openShards(sys, paths)
	defer closeAll()
	if err != nil {
		return err
	}
	sys = sys.above(&o)
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fault.Inputf("%s holds no %s; expected what `failproof run --shard` wrote", strings.Join(paths, ", "), output.ShardFile)
	}
	if in.Shards, err = shard.Read(files); err != nil {
		return fault.Inputf("the shards: %w", err)
	}
	return judgeRun(ctx, sys, o, in)
}

// openShards opens the files of parts. A folder stands for those below it.
func openShards(sys System, paths []string) (files []shard.File, closeAll func(), err error) {
	closeAll = func() {
		for _, f := range files {
			_ = f.ReaderAt.(*os.File).Close() // it was only read
		}
	}
	for _, path := range paths {
		found, err := shardFiles(sys.path(path))
		if err != nil {
			return files, closeAll, fault.Inputf("the shards: %w", err)
		}
		for _, name := range found {
			f, err := openShard(name)
			if err != nil {
				return files, closeAll, fault.Inputf("the shards: %w", err)
			}
			files = append(files, f)
		}
	}
	return files, closeAll, nil
}

// jobsShards opens what the jobs of a matrix were told; a folder that is not there holds nothing.
func jobsShards(sys System) ([]shard.File, func(), error) {
	if _, err := os.Stat(sys.path(shardsFolder)); errors.Is(err, fs.ErrNotExist) {
		return nil, func() {}, nil
	}
	return openShards(sys, []string{shardsFolder})
}

// shardFiles are the files of parts at a path: itself, or those below it.
func shardFiles(path string) (found []string, err error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == output.ShardFile && !entry.IsDir() {
			found = append(found, name)
		}
		return err
	})
	return found, err
}

func openShard(name string) (shard.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return shard.File{}, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", name)
	}
	if err != nil {
		_ = f.Close() // it was only looked at
		return shard.File{}, err
	}
	return shard.File{Name: name, ReaderAt: f, Size: info.Size()}, nil
}
