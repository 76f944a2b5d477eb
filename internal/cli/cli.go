// Package cli implements the commands with their flags, the inputs of the action, and the exit code. It has no rule
// about answers, scores or verdicts.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/version"
)

// Exit codes, as in the README. Every code except ExitPassed fails a step of a workflow.
const (
	ExitPassed    = 0
	ExitFailed    = 1 // the gate failed
	ExitInput     = 2 // a suite file, configuration or input is wrong
	ExitUndecided = 3 // too many answers missing, or a provider or GitHub is unavailable
	ExitBug       = 4 // a bug in failproof
)

// System is the environment of a command.
type System struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // everything else
	Getenv func(string) string
	Now    func() time.Time
	// waits between calls of GitHub; returns the context's error if that is done first; nil: waits in real time
	Sleep func(context.Context, time.Duration) error
	Dir   string // the working directory

	UserDir string // the user's settings folder, where answers to questions are remembered; "": none
}

// path returns name, a path from the command line, as a path in the working directory s.Dir. An absolute name stays as
// it is.
func (s System) path(name string) string { return sides.PathIn(s.Dir, name) }

// verdictError is a verdict other than passed, as an error that sets the exit code. A function that returns it has
// already printed everything about the verdict.
type verdictError struct {
	verdict report.Verdict
	broken  bool // a bug occurred
}

func (e verdictError) Error() string { return "verdict: " + string(e.verdict) }

// Main runs the command line and returns the exit code. It reports a panic as a bug of failproof.
func Main(ctx context.Context, args []string, sys System) (code int) {
	defer func() {
		if v := recover(); v != nil {
			code = exitCode(ctx, sys, fault.NewBug(v, "running this command"))
		}
	}()
	root := newRoot(sys)
	root.SetArgs(withDefaultBase(args))
	return exitCode(ctx, sys, root.ExecuteContext(ctx))
}

// exitCode returns the exit code of a command that ended with err, and logs err unless it is a verdict. A
// context.Canceled error counts as a cancellation only if ctx, the context of the command, was canceled. Otherwise
// exitCode reports it like any other error.
func exitCode(ctx context.Context, sys System, err error) int {
	if err == nil {
		return ExitPassed
	}
	if bug, ok := errors.AsType[*fault.Bug](err); ok {
		reportBug(sys, bug)
		return ExitBug
	}
	if verdict, ok := errors.AsType[verdictError](err); ok {
		return verdict.code()
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		logf(sys, "%s: nothing was decided; run the command again", cancelled(ctx))
		return ExitUndecided
	}
	logf(sys, "%v", err)
	_, unreachable := errors.AsType[fault.Unreachable](err)
	if _, input := errors.AsType[fault.Input](err); input && !unreachable {
		return ExitInput
	}
	return ExitUndecided
}

// cancelled returns the words that tell the user of the cancellation, with the cause of ctx's end if it is known.
func cancelled(ctx context.Context) string {
	if why := context.Cause(ctx); why != context.Canceled {
		return "canceled (" + why.Error() + ")"
	}
	return "canceled"
}

func (e verdictError) code() int {
	switch {
	case e.broken:
		return ExitBug
	case e.verdict == report.Failed:
		return ExitFailed
	case e.verdict == report.Invalid:
		return ExitInput
	}
	return ExitUndecided
}

// logf writes one line to standard error. It escapes the line, because the text may quote files.
func logf(sys System, format string, args ...any) {
	fmt.Fprintf(sys.Stderr, "failproof: %s\n", show.LogLine(fmt.Sprintf(format, args...)))
}

func newRoot(sys System) *cobra.Command {
	root := &cobra.Command{
		Use:   "failproof",
		Short: "Test the prompts that a change touches; fail if answers got worse",
		Long: `failproof runs the prompts that a change touches, judges the answers before and after by written
rules, and fails if they got worse.

Exit codes: 0 passed, 1 the gate failed, 2 a suite file, the configuration or an input is wrong,
3 undecided (too many answers are missing, or a provider or GitHub is unavailable), 4 a bug of failproof.`,
		Version:       version.Current(),
		Args:          rejectUnknown,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,

		PersistentPreRunE: rejectEmptyFlags,
	}
	root.SetIn(sys.Stdin)
	root.SetOut(sys.Stdout)
	root.SetErr(sys.Stderr)
	root.AddCommand(newRun(sys), newValidate(sys), newRecord(sys), newDiff(sys), newGate(sys), newRender(sys), newInit(sys), newDoctor(sys), newSchema(sys),
		group("import", "Convert the configuration of another tool", newImportPromptfoo(sys)),
		group("model", "Fetch the model that compares answers by meaning", newModelPull(sys)),
		group("judge", "Check the model that grades answers", newJudgeCheck(sys)), newDemo(sys), newAction(sys), newMerge(sys), newExplain(sys),
		newView(sys), newVersion(sys))
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"}) // it exists now
	rejectUnknownBelow(completion)
	setHelp(root)
	return root
}

// rejectEmptyFlags returns an error if a flag is given with an empty value. With an unset variable, --base "$BASE"
// would compare nothing and pass.
func rejectEmptyFlags(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values, isList := f.Value.(pflag.SliceValue)
		if err == nil && (f.Value.String() == "" || isList && slices.Contains(values.GetSlice(), "")) {
			err = emptyFlagError(f)
		}
	})
	return err
}

// emptyFlagError returns the error that a flag is given with an empty value.
func emptyFlagError(f *pflag.Flag) error {
	value, usage := pflag.UnquoteUsage(f)
	return fault.Inputf("--%s is empty; leave it out, or write `%s`: %s", f.Name,
		strings.TrimSpace("--"+f.Name+" "+value), usage)
}

// checkArgs returns a check of positional arguments that fails if check fails. Its error has exit code ExitInput and
// says how the command is used.
func checkArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		err := check(cmd, a)
		switch {
		case err == nil:
			return nil
		case len(a) == 0:
			err = errors.New("an argument is missing")
		case strings.HasPrefix(err.Error(), "accepts "):
			err = errors.New(text.Count(len(a), "argument") + " here")
		}
		return fault.Inputf("%w; expected `%s`; see `%s --help`", err, cmd.UseLine(), cmd.CommandPath())
	}
}

// helpColumns is the width of help texts.
const helpColumns = 80

// setHelp wraps the help text of cmd and of its subcommands. It makes errors about flags suggest the flag that was
// probably meant.
func setHelp(cmd *cobra.Command) {
	cmd.Long = wrapped(cmd.Long)
	cmd.SetUsageTemplate(strings.NewReplacer(".FlagUsages |", ".FlagUsagesWrapped 80 |", "for more information "+
		"about a command", "for more about a command").
		Replace(cmd.UsageTemplate()))
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && wrong.GetValue() == "" {
			return emptyFlagError(wrong.GetFlag())
		}
		return fault.Inputf("%w%s; see `%s --help`", err, suggestFlag(cmd, err), cmd.CommandPath())
	})
	for _, below := range cmd.Commands() {
		setHelp(below)
	}
}

// wrapped returns text with every paragraph wrapped at helpColumns. A paragraph that begins with a space stays as it
// is.
func wrapped(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			paragraphs[i] = strings.Join(show.WrapLine(strings.ReplaceAll(p, "\n", " "), helpColumns, helpColumns), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// suggestFlag returns words that suggest the flag that was probably meant, if err is about an unknown flag. Otherwise
// it returns "".
func suggestFlag(cmd *cobra.Command, err error) string {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return ""
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	return text.Hint(", did you mean --%s?", name, known)
}

// group returns a command named use whose only subcommand is inner. Without the subcommand, the command prints its
// help.
func group(use, short string, inner *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short}
	rejectUnknownBelow(cmd)
	cmd.AddCommand(inner)
	return cmd
}

// rejectUnknownBelow makes a command that only has subcommands print its help, and reject the name of an unknown one.
func rejectUnknownBelow(cmd *cobra.Command) {
	cmd.Args, cmd.RunE = rejectUnknown, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// rejectUnknown returns an error if there are arguments. It checks commands that only have subcommands: cobra passes
// them an argument only if that names no subcommand.
func rejectUnknown(cmd *cobra.Command, a []string) error {
	if len(a) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	meant := text.Hint(", did you mean `"+cmd.CommandPath()+" %s`?", a[0], known)
	return fault.Inputf("unknown command %q%s; see `%s --help`", a[0], meant, cmd.CommandPath())
}

// defaultBranch is the value of a --base that the command line gives without a value.
const defaultBranch = "the default branch"

// withDefaultBase returns args with the value defaultBranch added to a --base that has no value. It does so for the
// commands run, record and explain. Otherwise cobra would take the next flag as the value of --base.
func withDefaultBase(args []string) []string {
	if len(args) == 0 || args[0] != "run" && args[0] != "record" && args[0] != "explain" {
		return args
	}
	out := make([]string, 0, len(args))
	for i, a := range args {
		if a == "--base" && (i == len(args)-1 || strings.HasPrefix(args[i+1], "-")) {
			a = "--base=" + defaultBranch
		}
		out = append(out, a)
	}
	return out
}
