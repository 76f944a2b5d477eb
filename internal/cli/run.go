package cli

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/failproof/failproof/internal/asking"
	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/progress"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/version"
)

type runOptions struct {
	Suites   []string
	Head     string
	Base     string
	Config   string
	Scope    string
	Phase    string
	MinScore string
	Trials   string
	Out      string
	RunID    string
	Shard    string
	Cache    string
	NoCache  bool
	DryRun   bool
	Yes      bool
	JSON     bool
	Quiet    bool
	OutNamed bool // the flag --out was given
	Only     filterFlags
}

func newRun(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [SUITE…]",
		Short: "Run suites and score the answers; with --base, compare and decide",
		Long: `Runs the suites: calls their targets, classifies and scores every answer, and checks the thresholds.
With --base it compares with a revision, a folder or a stored report.json, and fails on regressions.
Writes report.json, results.jsonl, ` + render.Files() + ` into --out.`,
		Example: `  failproof run
  failproof run --base main
  failproof run --base main --head feature --scope all suites/refund.yaml
  failproof run --case 'refund-*' --target fast
  failproof run --failed
  failproof run --base main --head main --trials 10`,
		RunE: func(cmd *cobra.Command, suites []string) error {
			o.Suites, o.OutNamed = suites, cmd.Flags().Changed("out")
			if o.Shard != "" && o.Only.isSet() {
				return fault.Inputf("--shard cannot be combined with --case, --target or --failed")
			}
			if o.Shard != "" {
				return runShard(cmd.Context(), sys.inConfigFolder(&o), o)
			}
			return runGate(cmd.Context(), sys.inConfigFolder(&o), o)
		},
	}
	addRunFlags(cmd, &o)
	o.Only.add(cmd.Flags())
	cmd.Flags().StringVar(&o.Shard, "shard", "", "call the live targets of this `part` of the run, such as 2/8; "+
		"failproof merge gives the verdict")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the calls and their cost, and call no model")
	return cmd
}

// addRunFlags adds the flags that the commands run and merge share.
func addRunFlags(cmd *cobra.Command, o *runOptions) {
	flags := cmd.Flags()
	flags.StringVar(&o.Base, "base", "", "what to compare with: a git `revision` (its merge base with the head), "+
		"or the path of a folder or a stored report.json; without a value, the default branch")
	flags.StringVar(&o.Head, "head", "", "what to judge: a git `revision` or a folder (default: the working tree)")
	addAskFlags(flags, o)
	flags.StringVar(&o.Scope, "scope", sides.ScopeChanged, "with --base: run `changed` suites or all")
	flags.StringVar(&o.Phase, "phase", "", "the `phase`: baseline, finetuned or deployment (default: the "+
		"configuration's)")
	flags.StringVar(&o.MinScore, "min-run-score", "", "the minimum run score, a `number` from 0 to 1 (default: "+
		"the configuration's)")
	flags.StringVar(&o.Trials, "trials", "", "the `number` of answers to each live case (default: the suite's); "+
		"if --base and --head are one revision, the run measures the suite's noise")
	flags.StringVar(&o.Out, "out", output.DefaultFolder, "the `folder` for the output files")
	flags.StringVar(&o.RunID, "run-id", "", "the run's `id` in the output files (default: the time)")
	addYes(flags, o)
	flags.BoolVar(&o.JSON, "json", false, "print report.json instead of the table")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no progress and no table")
}

// addAskFlags adds the flags that name the configuration and the response cache.
func addAskFlags(flags *pflag.FlagSet, o *runOptions) {
	addConfig(flags, &o.Config)
	flags.StringVar(&o.Cache, "cache", output.DefaultCache, "the `folder` of the response cache")
	flags.BoolVar(&o.NoCache, "no-cache", false, "do not use the response cache")
}

// addConfig adds the flag that names the configuration, in commands that also look for it above the current folder.
func addConfig(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "config", "", "the configuration `file` (default: .github/failproof.yml, else failproof.yml, "+
		"here or above)")
}

// yesToAll is the help text of --yes in commands that call live targets.
const yesToAll = "skip the questions about targets that only this checkout names, and about cost"

func addYes(flags *pflag.FlagSet, o *runOptions) {
	flags.BoolVar(&o.Yes, "yes", false, yesToAll)
}

// runGate runs the suites, judges the answers, and returns the verdict as an error for the exit code. With --dry-run,
// it only prints the planned calls.
func runGate(ctx context.Context, sys System, o runOptions) error {
	in, err := newInputs(sys, o)
	if err != nil {
		return err
	}
	if o.DryRun {
		return dryRun(sys, in)
	}
	return judgeRun(ctx, sys, o, in)
}

func judgeRun(ctx context.Context, sys System, o runOptions, in sides.Inputs) error {
	out, err := output.Open(sys.Dir, o.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	if in.Stored != nil && out.Is(in.Stored.Folder) {
		return fault.Inputf("--base names the report in %s, which this run would overwrite; choose another "+
			"folder with --out", o.Out)
	}
	to := newSinks(sys, o, out)
	judged, err := run.Judge(ctx, in, to)
	if err != nil {
		return err
	}
	reportBugs(sys, to, judged.Redactor)
	return writeAndPrint(sys, o, out, judged.Report, judged.Answers)
}

// writeAndPrint writes the report's folder, prints the outcome, and returns the verdict as an error for the exit code.
func writeAndPrint(sys System, o runOptions, out *output.Folder, rep *report.Report, answers report.ResultFinders) error {
	if err := run.Write(out, rep, show.Links{}, answers); err != nil {
		return err
	}
	if err := printResult(sys, o, rep); err != nil {
		return err
	}
	return verdictAsError(rep)
}

// verdictAsError returns the report's verdict as an error for the exit code. It returns nil if the verdict is passed.
// It also returns nil for a report-only run, except if a bug of failproof broke the run.
func verdictAsError(rep *report.Report) error {
	if rep.Verdict == report.Passed || rep.ReportOnly() && !rep.HasInternalError() {
		return nil
	}
	return verdictError{verdict: rep.Verdict, broken: rep.HasInternalError()}
}

func newInputs(sys System, o runOptions) (in sides.Inputs, err error) {
	in = sides.Inputs{Bootstrap: true, Config: o.Config, Suites: o.Suites, Scope: o.Scope, Phase: o.Phase, RunID: o.RunID, Version: version.Current(),
		Getenv: sys.Getenv, Now: sys.Now, Dir: sys.Dir, Cache: o.Cache, Progress: progress.New(sys.Stderr, progressForm(sys, o.Quiet))}
	if !inPipeline(sys) { // a pipeline's author chose to call them
		in.ConfirmTargets = targetConfirmer(sys, o)
	}
	if in.MinScore, err = parseScore("--min-run-score", o.MinScore); err != nil {
		return in, err
	}
	if err := checkOptions(o.Phase, o.Scope); err != nil {
		return in, err
	}
	if in.Trials, err = parseTrials("--trials", o.Trials); err != nil {
		return in, err
	}
	if o.NoCache {
		in.Cache = sides.NoCache
	}
	if in.Filter, err = o.Only.filter(sys.path(o.Out)); err != nil {
		return in, err
	}
	if in.Head, err = sides.OpenHead(sys.Dir, o.Head); err != nil || o.Base == "" {
		return in, err
	}
	if o.Base == defaultBranch {
		if o.Base, err = sides.DefaultBranch(sys.Dir); err != nil {
			return in, err
		}
	}
	return in.WithBase(o.Base)
}

// newSinks returns the sinks for a command's messages, questions and bugs. out may be nil if the command writes no
// report.
func newSinks(sys System, o runOptions, out *output.Folder) asking.Sinks {
	return asking.Sinks{Out: out, Confirm: confirmPrompt(sys, o), Bugs: &fault.Bugs{}, Say: func(format string, args ...any) {
		if !o.Quiet {
			logf(sys, format, args...)
		}
	}}
}

// checkOptions returns an error if the phase or the scope is unknown. Commands have both as flags, and the action has
// both as inputs.
func checkOptions(phase, scope string) error {
	if err := oneOf("phase", phase, "", string(config.Baseline), string(config.Finetuned), string(config.Deployment)); err != nil {
		return err
	}
	return oneOf("scope", scope, sides.ScopeChanged, sides.ScopeAll)
}

// parseScore returns the score from 0 to 1 that text has, or nil if text is empty. Errors call it by the name flag.
func parseScore(flag, text string) (*float64, error) {
	v, err := parsePlain(flag, text, "a plain number from 0 to 1, such as 0.85", func(v float64) bool { return v <= 1 })
	if err != nil || text == "" {
		return nil, err
	}
	return &v, nil
}

// parsePlain returns the number in plain decimal notation that text has, or 0 if text is empty. If text is no such
// number, or fits refuses the number, the error names flag and what was expected.
func parsePlain(flag, text, expected string, fits func(float64) bool) (float64, error) {
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !document.Decimal.MatchString(text) || !fits(v) {
		return 0, fault.Inputf("%s is %q; expected %s", flag, text, expected)
	}
	return v, nil
}

// parseTrials parses text as a number of trials, from 1 to 100. It returns 0 if text is empty. Errors name flag.
func parseTrials(flag, text string) (int, error) {
	n, err := parsePlain(flag, text, "a whole number from 1 to 100", func(v float64) bool {
		return v >= 1 && v <= 100 && v == math.Trunc(v)
	})
	return int(n), err
}

func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fault.Inputf("%s is %q; expected one of %s", flag, value, show.Join(", ", allowed...))
}

// dryRun prints what a run would call. It makes no call and writes no file. If the files have errors, it returns the
// verdict invalid as an error.
func dryRun(sys System, in sides.Inputs) error {
	plan, err := run.ReadPlan(in)
	if err != nil {
		return err
	}
	printFaultsWithLines(sys, plan.Sides.Faults)
	if document.HasErrors(plan.Sides.Faults) {
		return verdictError{verdict: report.Invalid}
	}
	forecast, warnings := plan.DryRun()
	err = forecast.Print(sys.Stdout)
	for _, w := range warnings {
		logf(sys, "%s", w.Message)
	}
	return err
}

// confirmPrompt returns a function that asks the person at the terminal a question and reports whether the answer is
// yes. It returns nil if there is no terminal, or with --yes or --quiet.
func confirmPrompt(sys System, o runOptions) func(question string) bool {
	if o.Yes || o.Quiet || !isTerminal(sys.Stdin) || !isTerminal(sys.Stderr) {
		return nil
	}
	return func(question string) bool {
		fmt.Fprintf(sys.Stderr, "%s. Go on? [y/N] ", question)
		answer, _ := bufio.NewReader(sys.Stdin).ReadString('\n') // at the end of the input, the answer is no
		answer = strings.ToLower(strings.TrimSpace(answer))
		return answer == "y" || answer == "yes"
	}
}

// inConfigFolder returns s with another working folder: the nearest folder above s.Dir, up to the root of the
// repository, that has a configuration. It rewrites the paths in o so that they name the same files. If s.Dir has a
// configuration or o names one, inConfigFolder returns s unchanged.
func (s System) inConfigFolder(o *runOptions) System {
	if dir, found := sides.ConfigAbove(s.Dir); found && o.Config == "" {
		return s.inFolder(dir, o)
	}
	return s
}

// inFolder returns s with dir as its working folder, and logs the configuration there. It rewrites the paths in o so
// that they name the same files.
func (s System) inFolder(dir string, o *runOptions) System {
	from, _ := filepath.Rel(dir, s.Dir) // dir is above s.Dir
	back, _ := filepath.Rel(s.Dir, dir)
	path, _ := config.Find(os.DirFS(dir))
	logf(s, "using %s", filepath.ToSlash(filepath.Join(back, path)))
	for i, name := range o.Suites {
		rest, excluded := config.CutExclusion(name)
		if !filepath.IsAbs(rest) {
			o.Suites[i] = map[bool]string{true: "!"}[excluded] + filepath.ToSlash(filepath.Join(from, rest))
		}
	}
	for _, name := range []*string{&o.Base, &o.Head} {
		if source.WrittenAsPath(*name) {
			*name = s.path(*name)
		}
	}
	if o.Out != "" && o.OutNamed {
		o.Out = s.path(o.Out)
	}
	s.Dir = dir
	return s
}
