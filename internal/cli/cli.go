// Package cli is the shell around the core: the commands, the inputs of the action, the order of work and the exit code.
// It holds no rule about answers, scores or verdicts.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
)

// Exit codes of spec section 7. Every code but ExitPassed fails a step of a workflow.
const (
	ExitPassed    = 0
	ExitFailed    = 1 // the gate failed
	ExitInput     = 2 // a suite file, configuration or input is wrong
	ExitUndecided = 3 // too much unscored, or a provider or GitHub out of reach
	ExitBug       = 4 // a bug of ours
)

// Version is set by the linker in a release.
var Version = "dev"

// System is the world a command runs in.
type System struct {
	Stdin  io.Reader
	Stdout io.Writer // results
	Stderr io.Writer // everything else
	Getenv func(string) string
	Now    func() time.Time
	Dir    string // the working directory
}

// path is a path of the command line as the process can open it.
func (s System) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Dir, name)
}

// inputError is a fault in what the user gave: a flag, a revision, a file. It ends in ExitInput.
type inputError struct{ err error }

func (e inputError) Error() string { return e.err.Error() }
func (e inputError) Unwrap() error { return e.err }

func inputErrorf(format string, args ...any) error {
	return inputError{fmt.Errorf(format, args...)}
}

// unreachableError is a provider or GitHub that could not be reached. It ends in ExitUndecided.
type unreachableError struct{ err error }

func (e unreachableError) Error() string { return e.err.Error() }
func (e unreachableError) Unwrap() error { return e.err }

// verdictError carries a verdict that is not a pass to the exit code; everything was printed already.
type verdictError struct{ verdict report.Verdict }

func (e verdictError) Error() string { return "verdict: " + string(e.verdict) }

// Main runs the command line and returns the exit code.
func Main(ctx context.Context, args []string, sys System) (code int) {
	defer func() {
		if v := recover(); v != nil {
			reportBug(sys, fmt.Sprint(v), debug.Stack())
			code = ExitBug
		}
	}()
	root := newRoot(sys)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return exitCode(sys, err)
}

// exitCode is the one place where an outcome becomes a number.
func exitCode(sys System, err error) int {
	var verdict verdictError
	var bug *evaluate.Bug
	var input inputError
	var unreachable unreachableError
	switch {
	case err == nil:
		return ExitPassed
	case errors.As(err, &verdict):
		return verdictCode(verdict.verdict)
	case errors.As(err, &bug):
		reportBug(sys, bug.Error(), bug.Stack)
		return ExitBug
	case errors.Is(err, context.Canceled):
		say(sys, "cancelled: nothing was decided; run it again")
		return ExitUndecided
	case errors.As(err, &unreachable):
		say(sys, "%v", err)
		return ExitUndecided
	case errors.As(err, &input):
		say(sys, "%v", err)
		return ExitInput
	default:
		say(sys, "%v", err)
		return ExitUndecided
	}
}

func verdictCode(v report.Verdict) int {
	switch v {
	case report.Passed:
		return ExitPassed
	case report.Failed:
		return ExitFailed
	case report.Invalid:
		return ExitInput
	default:
		return ExitUndecided
	}
}

// say writes one line to standard error. What it prints may quote files: it is made inert here.
func say(sys System, format string, args ...any) {
	fmt.Fprintf(sys.Stderr, "failproof: %s\n", render.Log(fmt.Sprintf(format, args...)))
}

// issuesURL is where a bug of ours is reported.
const issuesURL = "https://github.com/failproof/failproof/issues/new"

// reportBug says that failproof broke and how to report it. The stack goes to a file: it may quote what was judged, and
// has no place in the log of a pull request.
func reportBug(sys System, what string, stack []byte) {
	say(sys, "this is a bug in failproof, not in your prompts: %s", what)
	where := "(the stack could not be written)"
	if f, err := os.CreateTemp("", "failproof-crash-*.txt"); err == nil {
		fmt.Fprintf(f, "failproof %s\n%s\n\n%s", Version, what, stack)
		if f.Close() == nil {
			where = f.Name()
		}
	}
	say(sys, "please report it at %s with the command and this file: %s", issuesURL, where)
}

func newRoot(sys System) *cobra.Command {
	root := &cobra.Command{
		Use:   "failproof",
		Short: "A gate for prompt changes: scores the answers of base and head and fails on a regression",
		Long: `failproof checks suite files, judges the answers of a base and a head revision by written rules, compares
them and fails when the run misses its bar.

Exit codes: 0 passed, 1 gate failed, 2 a suite file, configuration or input is wrong,
3 undecided (too much unscored, or a provider or GitHub out of reach), 4 a bug of failproof.`,
		Version:       Version,
		Args:          args(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(sys.Stdin)
	root.SetOut(sys.Stdout)
	root.SetErr(sys.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return inputErrorf("%w; see `%s --help`", err, cmd.CommandPath())
	})
	root.AddCommand(newRun(sys), newValidate(sys), newRecord(sys), newDiff(sys), newRender(sys), newInit(sys), newSchema(sys),
		newModel(sys), newDemo(sys), newAction(sys))
	return root
}

// args wraps a check of positional arguments so that its complaint ends in ExitInput.
func args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		if err := check(cmd, a); err != nil {
			return inputErrorf("%w; see `%s --help`", err, cmd.CommandPath())
		}
		return nil
	}
}
