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
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/redact"
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

// runAction judges what the event compares, and publishes that.
func runAction(ctx context.Context, sys System) error {
	// What a model wrote never reaches the log, and what a file is called must not be a command of the runner.
	runner := github.NewRunner(sys.Getenv, sys.Stdout)
	sys.Stdout, sys.Stderr = show.LogWriter(sys.Stdout), show.LogWriter(sys.Stderr)
	ended := ended{runner, redact.New([]string{runner.Input("token")}, nil)}
	if err := runner.Mask(runner.Input("token")); err != nil {
		say(sys, "%s", ended.hide.Text(err.Error()))
	}
	in, err := readInputs(sys, runner)
	if err != nil {
		return ended.without(report.Invalid, err)
	}
	if in.Merge {
		files, closeAll, err := jobsShards(sys)
		defer closeAll()
		if err == nil {
			in.ShardsDir = shardsFolder
			in.Shards, err = shard.Read(files)
		}
		if err != nil {
			return ended.without(report.Invalid, fault.Input{Err: err})
		}
	}
	job, err := action.Open(in, runner, func(format string, args ...any) { say(sys, format, args...) }, sys.Sleep)
	if err != nil {
		return ended.without(report.Invalid, fault.Input{Err: err})
	}
	job, judge, err := job.Heed(ctx)
	if err != nil {
		return ended.without(report.Undecided, err)
	}
	if !judge {
		return nil
	}
	if in.Part.Of > 0 {
		return askJobsShard(ctx, sys, in, job, ended)
	}
	judged, err := judgeJob(ctx, sys, in, job)
	if err != nil {
		return ended.without(verdictOf(err), err)
	}
	job.Publish(ctx, judged)
	return asError(judged.Report)
}

// askJobsShard asks a part of a run and writes its file, for the job that merges.
func askJobsShard(ctx context.Context, sys System, in action.Inputs, job action.Job, ended ended) error {
	out, leave, err := openJobs(sys, in)
	if err != nil {
		return ended.without(verdictOf(err), err)
	}
	defer leave()
	done, err := job.AskShard(ctx, newSinks(sys, runOptions{Yes: true}, out))
	if err != nil {
		return ended.without(verdictOf(err), err)
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

// ended is where word is left of a run that ended before it had a report.
type ended struct {
	runner *github.Runner
	hide   *redact.Redactor // knows the token
}

// without leaves word of a run without a report, and passes the error on.
func (e ended) without(v report.Verdict, err error) error {
	heading := "## ⏸️ Prompt gate undecided: nothing was judged"
	if v == report.Invalid {
		heading = "## 🚫 Prompt gate: an input is not valid, nothing was judged"
	}
	err = hiddenError{err, e.hide.Text(err.Error())}
	return errors.Join(err, e.runner.Summary(heading+"\n\n"+show.Inline(err.Error())+"\n"), e.runner.SetOutput("verdict", string(v)))
}

// hiddenError is an error without the secrets that its words held, as when GitHub repeats a token.
type hiddenError struct {
	err  error
	text string
}

func (e hiddenError) Error() string { return e.text }
func (e hiddenError) Unwrap() error { return e.err }

// verdictOf is the verdict of a run that ended in an error.
func verdictOf(err error) report.Verdict {
	if _, is := errors.AsType[fault.Input](err); is {
		return report.Invalid
	}
	return report.Undecided
}
