package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/source"
)

// runOptions are the flags of `failproof run`.
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
	Cache    string
	NoCache  bool
	DryRun   bool
	Yes      bool
	JSON     bool
	Quiet    bool
}

func newRun(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [SUITE…]",
		Short: "Run, classify and score suites; with --base, compare and gate",
		Long: `Asks the targets of the suites, classifies and scores every answer, and judges the bars. With --base it compares
with a revision, a folder or a stored report.json, and fails on regressions. Writes report.json, results.jsonl,
report.html, comment.md, junit.xml and report.sarif into --out.`,
		Example: `  failproof run
  failproof run --base main
  failproof run --base main --head feature --scope all suites/refund.yaml
  failproof run --base main --head main --trials 10`,
		RunE: func(cmd *cobra.Command, suites []string) error {
			if err := noneEmpty(cmd, "base", "head", "config", "out", "cache"); err != nil {
				return err
			}
			o.Suites = suites
			return runGate(cmd.Context(), sys, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Base, "base", "", "what to compare with: a git revision (its merge base with the head), a folder, or a stored report.json")
	flags.StringVar(&o.Head, "head", "", "what to judge: a git revision or a folder (default: the working tree)")
	flags.StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	flags.StringVar(&o.Scope, "scope", scopeChanged, "with --base: run the suites that changed, or all")
	flags.StringVar(&o.Phase, "phase", "", "baseline, finetuned or deployment, in place of the configuration's")
	flags.StringVar(&o.MinScore, "min-run-score", "", "the run bar, 0 to 1, in place of the configuration's")
	flags.StringVar(&o.Trials, "trials", "", "answers of live targets to each case, in place of the files'; with --base and --head of one revision, the suite's own noise is measured")
	flags.StringVar(&o.Out, "out", defaultOut, "the folder that the files are written into")
	flags.StringVar(&o.RunID, "run-id", "", "the run's id in the files (default: the time)")
	flags.StringVar(&o.Cache, "cache", defaultCache, "the folder that keeps the answers of live targets from run to run")
	flags.BoolVar(&o.NoCache, "no-cache", false, "neither use nor keep answers: ask everything anew")
	flags.BoolVar(&o.DryRun, "dry-run", false, "say what would be asked and what it would cost, and ask nothing")
	flags.BoolVar(&o.Yes, "yes", false, "do not ask before spending, even at a terminal")
	flags.BoolVar(&o.JSON, "json", false, "print report.json to standard output in place of the table")
	flags.BoolVar(&o.Quiet, "quiet", false, "print no progress and no table")
	return cmd
}

// noneEmpty refuses flags that are given without a value: --base "$BASE" with an unset variable would compare nothing, and
// pass.
func noneEmpty(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return inputErrorf("--%s is empty; expected %s; leave the flag out if you do not mean it", name, f.Usage)
		}
	}
	return nil
}

// runGate runs the gate from the command line and turns its verdict into the error that carries it.
func runGate(ctx context.Context, sys System, o runOptions) error {
	g, err := newGate(sys, o)
	if err != nil {
		return err
	}
	if o.DryRun {
		return dryRun(sys, g)
	}
	if g.Out, err = openOut(sys.Dir, o.Out); err != nil {
		return err
	}
	defer g.Out.Close()
	if g.Stored != nil && g.Out.is(g.Stored.folder) {
		return inputErrorf("--base names the report in %s, which this run would write over; give the run another folder with --out", o.Out)
	}
	g.Progress = newProgress(sys, o.Quiet)
	rep, err := g.judge(ctx)
	if err != nil {
		return err
	}
	if err := g.write(rep, render.Links{}); err != nil {
		return err
	}
	if err := show(sys, o, rep); err != nil {
		return err
	}
	return asError(rep.Verdict)
}

// asError is nil for a pass, and else carries the verdict to the exit code.
func asError(v report.Verdict) error {
	if v == report.Passed {
		return nil
	}
	return verdictError{v}
}

// newGate checks the options and opens both revisions.
func newGate(sys System, o runOptions) (*gate, error) {
	min, err := parseScore("--min-run-score", o.MinScore)
	if err != nil {
		return nil, err
	}
	if err := checkOptions(o); err != nil {
		return nil, err
	}
	trials, err := parseTrials(o.Trials)
	if err != nil {
		return nil, err
	}
	g := &gate{Trials: trials, Config: o.Config, Suites: o.Suites, Scope: o.Scope, Phase: o.Phase, MinScore: min,
		Getenv: sys.Getenv, Now: sys.Now, RunID: o.RunID, Dir: sys.Dir, Cache: o.Cache, GoOn: askToGoOn(sys, o),
		Say: func(format string, args ...any) {
			if !o.Quiet {
				say(sys, format, args...)
			}
		}}
	if o.NoCache {
		g.Cache = noCache
	}
	if g.Head, err = openHead(sys.Dir, o.Head); err != nil {
		return nil, err
	}
	return g, g.openBase(sys.Dir, o)
}

// checkOptions checks what flags and inputs share.
func checkOptions(o runOptions) error {
	if err := oneOf("phase", o.Phase, "", string(config.Baseline), string(config.Finetuned), string(config.Deployment)); err != nil {
		return err
	}
	return oneOf("scope", o.Scope, scopeChanged, scopeAll)
}

func openHead(dir, head string) (*source.Tree, error) {
	if head == "" {
		tree, err := source.Worktree(dir)
		return tree, asInput("open the working tree", err)
	}
	tree, err := source.Open(dir, head)
	return tree, asInput("open the head", err)
}

// openBase opens what --base names: a stored report, a folder, or the merge base of a revision with the head.
func (g *gate) openBase(dir string, o runOptions) (err error) {
	if o.Base == "" {
		return nil
	}
	tree, err := source.Open(dir, o.Base)
	if path, ok := reportPath(dir, o.Base, tree, err); ok {
		g.Stored, err = readReport(path)
		return err
	}
	if g.Base = tree; err != nil {
		return asInput("open the base", err)
	}
	if g.Base.Revision.SHA == "" || g.Head.Revision.Kind == source.KindFolder {
		return nil
	}
	sha, err := source.MergeBase(dir, g.Base.Revision.SHA, headRevision(g.Head))
	if err != nil {
		return asInput("find the merge base", err)
	}
	if sha != g.Base.Revision.SHA {
		name := g.Base.Revision.Name
		if g.Base, err = source.Git(dir, sha); err != nil {
			return asInput("open the merge base", err)
		}
		g.Base.Revision.Name, g.Base.Revision.MergeBase = name, true
	}
	return nil
}

// headRevision is what the merge base is looked up for: the commit that the working tree stands on, if it is no commit.
func headRevision(head *source.Tree) string {
	if head.Revision.SHA != "" {
		return head.Revision.SHA
	}
	return "HEAD"
}

// reportPath tells whether --base names a stored report: a report.json, or the folder that a run wrote it into. tree and
// err are what it names otherwise. A name that is a revision, or may be one that is not here, never is a report: else a
// change could add a file called main and be compared with that.
func reportPath(dir, base string, tree *source.Tree, err error) (string, bool) {
	path := System{Dir: dir}.path(base)
	if err != nil {
		noRevision := errors.Is(err, source.ErrNoRevision) || errors.Is(err, source.ErrNoRepository)
		return path, (noRevision || source.WrittenAsPath(base)) && isFile(path)
	}
	if _, hasConfig := config.Find(tree); tree.Revision.Kind != source.KindFolder || hasConfig {
		return "", false
	}
	return path, isFile(filepath.Join(path, reportFile)) && isFile(filepath.Join(path, resultsFile))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func asInput(what string, err error) error {
	if err == nil {
		return nil
	}
	return inputErrorf("%s: %w", what, err)
}

// plainNumber is how a number is written, in files and on the command line alike.
var plainNumber = regexp.MustCompile(`^(0|[1-9]\d*)(\.\d+)?$`)

// parseScore reads a score in [0, 1] in plain decimal notation; "" is none.
func parseScore(flag, text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !plainNumber.MatchString(text) || v > 1 {
		return nil, inputErrorf("%s is %q; expected a plain number from 0 to 1, such as 0.85", flag, text)
	}
	return &v, nil
}

// parseTrials reads a number of answers; "" is 0.
func parseTrials(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 100 {
		return 0, inputErrorf("--trials is %q; expected a whole number from 1 to 100", text)
	}
	return n, nil
}

func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	words := ""
	for _, a := range allowed {
		if a != "" {
			words += ", " + a
		}
	}
	return inputErrorf("%s is %q; expected one of %s", flag, value, words[2:])
}
