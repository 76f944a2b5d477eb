package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
)

func newAction(sys System) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Run inside GitHub Actions: what the container does",
		Long: `Reads the event and the inputs of the workflow, gates what a pull request would make of its branch against the branch,
and publishes a comment, a check run, a job summary and outputs. What cannot be published is a warning; the exit code is
the verdict's. On issue_comment it is the bot: it does what a comment such as "/failproof help" asks for.

In a step of its own the inputs are flags, and the token is the variable GITHUB_TOKEN.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			sys.Getenv = actionEnv(cmd, sys.Getenv)
			return runAction(cmd.Context(), sys)
		},
	}
	for _, f := range actionFlags {
		cmd.Flags().String(f.name, "", f.usage)
	}
	return cmd
}

// shardsFolder is where the action finds what the parts of a run were told, below the workspace: each in a folder of its own.
const shardsFolder = ".failproof/shards"

// runAction judges what the event compares, and publishes that.
func runAction(ctx context.Context, sys System) error {
	// What a model wrote never reaches the log, and what a file is called must not be a command of the runner.
	runner := github.NewRunner(sys.Getenv, sys.Stdout)
	sys.Stdout, sys.Stderr = show.LogWriter(sys.Stdout), show.LogWriter(sys.Stderr)
	ended := action.NewEnding(runner, runner.Input("token"))
	if err := runner.Mask(runner.Input("token")); err != nil {
		say(sys, "%s", ended.Hidden(err))
	}
	in, err := readInputs(sys, runner)
	if err != nil {
		return ended.Without(report.Invalid, err)
	}
	if in.Merge {
		found, err := run.OpenShardsIn(sys.path(shardsFolder))
		if err != nil {
			return ended.Without(report.Invalid, err)
		}
		defer found.Close()
		in.ShardsDir, in.Shards = shardsFolder, found.Answers
	}
	job, err := action.Open(in, runner, func(format string, args ...any) { say(sys, format, args...) }, sys.Sleep)
	if err != nil {
		return ended.Without(report.Invalid, fault.Input{Err: err})
	}
	job, judge, err := job.Heed(ctx)
	if err != nil {
		return ended.Without(report.Undecided, err)
	}
	if !judge {
		return nil
	}
	if in.Part.Of > 0 {
		return askJobsShard(ctx, sys, in, job, ended)
	}
	judged, err := judgeJob(ctx, sys, in, job)
	if err != nil {
		return ended.Without(verdictOf(err), err)
	}
	job.Publish(ctx, judged)
	return asError(judged.Report)
}

// askJobsShard asks a part of a run and writes its file, for the job that merges.
func askJobsShard(ctx context.Context, sys System, in action.Inputs, job action.Job, ended action.Ending) error {
	out, leave, err := openJobs(sys, in)
	if err != nil {
		return ended.Without(verdictOf(err), err)
	}
	defer leave()
	done, err := job.AskShard(ctx, newSinks(sys, runOptions{Yes: true}, out))
	if err != nil {
		return ended.Without(verdictOf(err), err)
	}
	return tellShard(sys, done, filepath.Join(in.Out, output.ShardFile))
}

// openJobs opens the report's folder; leave hands it, and the cache, to whoever owns the workspace, and closes it.
func openJobs(sys System, in action.Inputs) (out *output.Folder, leave func(), err error) {
	if out, err = output.Open(sys.Dir, in.Out); err != nil {
		return nil, nil, err
	}
	return out, func() {
		if cache := cmp.Or(in.Cache, output.DefaultCache); cache != run.NoCache {
			output.GiveCacheToOwner(sys.Dir, filepath.Join(sys.Dir, cache))
		}
		out.GiveToOwner(sys.Dir)
		out.Close()
	}, nil
}

// judgeJob judges and writes the report's folder.
func judgeJob(ctx context.Context, sys System, in action.Inputs, job action.Job) (judged action.Judged, err error) {
	out, leave, err := openJobs(sys, in)
	if err != nil {
		return judged, err
	}
	defer leave()
	to := newSinks(sys, runOptions{Yes: true}, out)
	if job.Scheduled() {
		judged, err = measureJob(ctx, sys, job, to)
	} else {
		judged, err = job.Judge(ctx, to)
	}
	if err != nil {
		return judged, err
	}
	reportBugs(sys, to, judged.Hide)
	if err := run.Write(out, judged.Report, judged.Links, judged.Answers); err != nil {
		return judged, err
	}
	return judged, terminal.Table(sys.Stdout, view.New(judged.Report, judged.Links), terminal.TableOptions{Width: 120})
}

// measureJob measures the branch, with what earlier runs of it kept.
func measureJob(ctx context.Context, sys System, job action.Job, to run.Sinks) (action.Judged, error) {
	folder, err := output.Open(sys.Dir, action.DriftFolder)
	if err != nil {
		return action.Judged{}, err
	}
	defer output.GiveCacheToOwner(sys.Dir, filepath.Join(sys.Dir, action.DriftFolder))
	defer folder.Close()
	return job.Measure(ctx, folder, to)
}

// verdictOf is the verdict of a run that ended in an error.
func verdictOf(err error) report.Verdict {
	if _, is := errors.AsType[fault.Input](err); is {
		return report.Invalid
	}
	return report.Undecided
}
