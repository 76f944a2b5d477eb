package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/model/shard"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/shards"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/version"
)

func newAction(sys System) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Run inside GitHub Actions, as the container does",
		Long: `Reads the event and the inputs of the workflow, and judges the merge of the pull request with its
base branch. Publishes a comment, a check run, a job summary and outputs. The exit code is the
verdict's; what cannot be published is a warning. On issue_comment it is the bot: it runs the
command in a comment, such as "/failproof help".

Outside of the action, pass the inputs as flags and the token in GITHUB_TOKEN.`,
		Args: checkArgs(cobra.ExactArgs(0)),
		// an input may be empty
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
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

// shardsFolder is the folder, below the workspace, with the answers of a run's shards. Each shard has its own folder
// in it.
const shardsFolder = ".failproof/shards"

// runAction handles the event that started the workflow. Usually it judges the commits that the event compares, and
// publishes the result. If the event is a comment, it carries out the comment's command. With the input shard, it only
// calls the models for that shard.
func runAction(ctx context.Context, sys System) error {
	// The runner carries out commands that it finds in the log. Names of files and other foreign text must not be read
	// as commands, so both streams are escaped.
	runner := github.NewRunner(sys.Getenv, sys.Stdout)
	sys.Stdout, sys.Stderr = show.LogWriter(sys.Stdout), show.LogWriter(sys.Stderr)
	_ = runner.Mask(runner.Token()) // a log that takes no mask takes no line
	in, err := readInputs(sys, runner)
	if err == nil && in.Merge {
		in.ShardsDir = shardsFolder
		in.Shards, err = shards.ReadIn(sys.path(shardsFolder))
	}
	var job action.Job
	if err == nil {
		job, err = action.NewJob(in, runner, func(format string, args ...any) { logf(sys, format, args...) }, sys.Sleep)
	}
	if err == nil {
		err = runJob(ctx, sys, in, job)
	}
	if _, judged := errors.AsType[verdictError](err); err == nil || judged {
		return err
	}
	return action.PublishError(runner, err)
}

// runJob runs a job. Its error is a verdictError if there is a report.
func runJob(ctx context.Context, sys System, in action.Inputs, job action.Job) error {
	job, judge, err := job.Prepare(ctx)
	if err != nil || !judge {
		return err
	}
	if in.Part.Total > 0 {
		return askShard(ctx, sys, in, job)
	}
	judged, err := judgeJob(ctx, sys, in, job)
	if err != nil {
		job.MarkDone(ctx, github.ReactionRefused)
		return err
	}
	job.Publish(ctx, judged)
	job.MarkDone(ctx, github.ReactionDone)
	return verdictAsError(judged.Report)
}

// askShard calls the live targets for one shard of a run. It writes the answers to a file for the job that merges
// the shards.
func askShard(ctx context.Context, sys System, in action.Inputs, job action.Job) error {
	out, closeFolder, err := openJobFolder(sys, in)
	if err != nil {
		return err
	}
	defer closeFolder()
	done, err := job.AskShard(ctx, newSinks(sys, runOptions{Yes: true}, out))
	if err != nil {
		return err
	}
	return printShard(sys, done, filepath.Join(in.Out, output.ShardFile))
}

// openJobFolder opens the report's folder. The function closeFolder closes the folder. It also makes the owner of the
// workspace the owner of the folder and of the cache.
func openJobFolder(sys System, in action.Inputs) (out *output.Folder, closeFolder func(), err error) {
	if out, err = output.Open(sys.Dir, in.Out); err != nil {
		return nil, nil, err
	}
	return out, func() {
		if cache := cmp.Or(in.Cache, output.DefaultCache); cache != sides.NoCache {
			output.GiveCacheToOwner(sys.Dir, filepath.Join(sys.Dir, cache))
		}
		out.GiveToOwner(sys.Dir)
		out.Close()
	}, nil
}

// judgeJob judges the commits of the event, writes the report's folder, and prints the table. If a schedule started the
// job, judgeJob measures drift instead.
func judgeJob(ctx context.Context, sys System, in action.Inputs, job action.Job) (judged action.Outcome, err error) {
	out, closeFolder, err := openJobFolder(sys, in)
	if err != nil {
		return judged, err
	}
	defer closeFolder()
	to := newSinks(sys, runOptions{Yes: true}, out)
	if job.IsScheduled() {
		judged, err = measureJob(ctx, sys, job, to)
	} else {
		judged, err = job.Judge(ctx, to)
	}
	if err != nil {
		return judged, err
	}
	reportBugs(sys, to, judged.Redactor)
	if err := run.Write(out, judged.Report, judged.Links, judged.Answers); err != nil {
		return judged, err
	}
	return judged, terminal.Write(sys.Stdout, story.New(judged.Report, judged.Links), terminal.Options{Width: 120})
}

func measureJob(ctx context.Context, sys System, job action.Job, to asking.Sinks) (action.Outcome, error) {
	folder, err := output.Open(sys.Dir, action.DriftFolder)
	if err != nil {
		return action.Outcome{}, err
	}
	defer output.GiveCacheToOwner(sys.Dir, filepath.Join(sys.Dir, action.DriftFolder))
	defer folder.Close()
	return job.Measure(ctx, folder, to)
}

// readInputs reads and checks the inputs of the action. Inputs with a default in action.yml may be missing, because a
// container that runs without action.yml does not set them. Paths begin in the current folder unless the input
// working-directory names another folder.
func readInputs(sys System, runner *github.Runner) (in action.Inputs, err error) {
	in = action.Inputs{
		Inputs: sides.Inputs{Config: runner.Input("config"),
			Suites: config.SplitGlobs(runner.Input("suites")),
			Scope:  cmp.Or(runner.Input("scope"), sides.ScopeChanged), Phase: runner.Input("phase"),
			Cache:     runner.Input("cache"),
			Bootstrap: runner.Input("bootstrap") == "true", Version: version.Current(), Dir: sys.Dir,
			Getenv: sys.Getenv, Now: sys.Now,
			Progress: progress.New(sys.Stderr, progressForm(sys, false))},
		Compare: runner.Input("base"), Check: runner.Input("check") != "false",
		Comment: cmp.Or(github.CommentMode(runner.Input("comment")), github.CommentAuto),
		Out:     cmp.Or(runner.Input("out"), output.DefaultFolder),
		Page:    runner.Input("page-url"),
	}
	if err := readResultInputs(&in, runner); err != nil {
		return in, err
	}
	if in, err = in.InFolder(runner.Input("working-directory"), runner.Input("name")); err != nil {
		return in, err
	}
	if err := cmp.Or(oneOf("input bootstrap", runner.Input("bootstrap"), "", "true", "false"),
		oneOf("input comment", string(in.Comment), "auto", "always", "failures", "never"),
		oneOf("input check", runner.Input("check"), "", "true", "false")); err != nil {
		return in, err
	}
	if in.Part, in.Merge, err = parseShard(runner.Input("shard")); err != nil {
		return in, err
	}
	if in.Cache != sides.NoCache && filepath.IsAbs(in.Cache) {
		return in, fault.Inputf("input cache is an absolute path; expected one below the workspace, or off")
	}
	if filepath.IsAbs(in.Out) {
		return in, fault.Inputf("input out is an absolute path; expected one below the workspace")
	}
	if in.Page != "" && !show.PageForm.MatchString(in.Page) {
		return in, fault.Inputf("input page-url is %q; expected the https address of report.html, without a "+
			"fragment", in.Page)
	}
	if err := checkOptions(in.Phase, in.Scope); err != nil {
		return in, err
	}
	if in.MaxTrials, err = parseTrials("input trials", runner.Input("trials")); err != nil {
		return in, err
	}
	if in.MaxCostUSD, err = parsePlain("input max-cost-usd", runner.Input("max-cost-usd"),
		"a plain number of US dollars above 0, such as 2.50",
		func(v float64) bool { return v > 0 && v <= 1e6 }); err != nil {
		return in, err
	}
	in.MinScore, err = parseScore("input min-run-score", runner.Input("min-run-score"))
	return in, err
}

// readResultInputs reads into in the inputs results-*, which name the results of another runner.
func readResultInputs(in *action.Inputs, runner *github.Runner) (err error) {
	base, head := runner.Input("results-base"), runner.Input("results-head")
	format, runs := runner.Input("results-format"), runner.Input("results-runs")
	switch {
	case base+head+format+runs == "":
		return nil
	case len(in.Suites) > 0:
		return fault.Inputf("inputs suites and results-* are both set; a run has suites or results")
	}
	for _, path := range []string{base, head} {
		if path != "" && !filepath.IsLocal(path) {
			return fault.Inputf("input results-base or results-head is %q; expected a path below the workspace, "+
				"or an artifact", path)
		}
	}
	if in.Results, err = resultPaths(format, "input results-format", runs, "input results-runs"); err == nil {
		in.Results.Base, in.Results.Head = base, head
	}
	return err
}

// mergeShards is the value of the input "shard" in the job that judges the answers of all shards.
const mergeShards = "merge"

func parseShard(text string) (part shard.Part, merge bool, err error) {
	if text == "" || text == mergeShards {
		return part, text == mergeShards, nil
	}
	if part, err = shard.ParsePart(text); err != nil {
		return part, false, fault.Inputf("input shard is %q: %w; or merge, in the job that gives the verdict", text, err)
	}
	return part, false, nil
}

// actionFlags are the inputs of action.yml as flags, for a step that runs `failproof action` directly. They override
// the runner's variables. The token has no flag, because other programs on the machine can read a command line.
var actionFlags = []struct{ name, usage string }{
	{"config", "path of the configuration (default: .github/failproof.yml, else failproof.yml)"},
	{"suites", "suite files to run, separated by white space or commas (default: the configuration's)"},
	{"scope", "changed (default) or all: which suites run"},
	{"base", "branch, tag or SHA to compare with (default: the event's base)"},
	{"phase", "threshold preset: baseline, finetuned or deployment (default: the configuration's)"},
	{"min-run-score", "minimum run score, from 0 to 1 (default: the configuration's)"},
	{"comment", "when a pull request gets a comment: auto (default), always, failures or never"},
	{"check", "make the check run: true (default) or false"},
	{"name", "name of this run, if a pull request has several (default: from the run's inputs)"},
	{"working-directory", "folder of the repository in which all paths begin (default: the current folder)"},
	{"bootstrap", "call live targets of a first configuration: true or false (default)"},
	{"out", "folder for the files, below the workspace (default: .failproof/out)"},
	{"page-url", "https address at which report.html is published; the comment links to it"},
	{"cache", "folder of the response cache, below the workspace, or off (default: .failproof/cache)"},
	{"shard", "part of the run that this job does, such as 1/4; merge in the job that gives the verdict"},
	{"trials", "maximum trials per live case (default: the suite's)"},
	{"results-base", "results of another runner from before the change: a file, a folder, or artifact:NAME@BRANCH"},
	{"results-head", "results of another runner for the change: a file, a folder, or artifact:NAME; no suite is " +
		"run then"},
	{"results-format", "format of both: promptfoo, junit or jsonl; else their content decides"},
	{"results-runs", "regular expression with one group, which finds in a JUnit test's name which run of its " +
		"case it is"},
	{"max-cost-usd", "cost limit for live targets in US dollars; can only lower limits.max_cost_usd"},
}

// actionEnv returns a function that looks up environment variables as env does. A flag of cmd overrides the variable in
// which the runner passes the input of the same name. In a step without `uses:`, no variable has the input token, so
// the function returns GITHUB_TOKEN for it.
func actionEnv(cmd *cobra.Command, env func(string) string) func(string) string {
	given := map[string]string{}
	for _, f := range actionFlags {
		if flag := cmd.Flags().Lookup(f.name); flag.Changed {
			given["INPUT_"+strings.ToUpper(f.name)] = flag.Value.String()
		}
	}
	return func(name string) string {
		if value, ok := given[name]; ok {
			return value
		}
		if name == "INPUT_TOKEN" {
			return cmp.Or(env(name), env("GITHUB_TOKEN"))
		}
		return env(name)
	}
}
