package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/sides"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/validate"
	"github.com/failproof/failproof/internal/version"
)

type doctorOptions struct {
	Config, Repository string
	Offline, JSON, Fix bool
}

func newDoctor(sys System) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find settings that let a change past the gate",
		Long: `Reads workflows, CODEOWNERS, configuration and recordings, and from GitHub the rules of the default
branch. Prints what lets a change past the gate, or stops the gate from working, and how to fix it.
The exit code is 1 if something is open. GITHUB_TOKEN, else GH_TOKEN, is used to read from GitHub.`,
		Example: "  failproof doctor\n  failproof doctor --offline\n  failproof doctor --fix\n  failproof doctor " +
			"--repository acme/support --json",
		Args: checkArgs(cobra.ExactArgs(0)),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.JSON && o.Fix {
				return fault.Inputf("--json and --fix cannot be combined")
			}
			return examine(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else "+
		"failproof.yml)")
	cmd.Flags().StringVar(&o.Repository, "repository", "", "OWNER/NAME on GitHub (default: GITHUB_REPOSITORY, "+
		"else the remote origin)")
	cmd.Flags().BoolVar(&o.Offline, "offline", false, "do not call GitHub: skip the default branch's rules")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the findings as JSON")
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "print patches of workflows for git apply, then what is left to do")
	return cmd
}

func examine(ctx context.Context, sys System, o doctorOptions) error {
	in, err := newInputs(sys, runOptions{Config: o.Config, Scope: sides.ScopeAll})
	if err != nil {
		return err
	}
	setup, err := validate.ReadSetup(in)
	if err != nil {
		return err
	}
	setup.Inputs, setup.InputFault = []string{"token"}, inputFault(sys)
	for _, f := range actionFlags {
		setup.Inputs = append(setup.Inputs, f.name)
	}
	if root, below, err := source.FindRepository(sys.Dir); err == nil {
		if setup.Files, err = source.Worktree(root); err != nil {
			return fault.Inputf("open the repository: %w", err)
		}
		setup.Folder = below
	}
	if setup.Guard, err = readGuard(ctx, sys, o); err != nil {
		setup.GuardProblem = err.Error()
	}
	findings := doctor.Examine(setup)
	switch {
	case o.JSON:
		err = doctor.WriteJSON(sys.Stdout, findings)
	case o.Fix:
		patches, left := doctor.Fix(setup)
		err = doctor.PrintPatches(sys.Stdout, patches, left)
	default:
		err = doctor.Print(sys.Stdout, findings)
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f doctor.Finding) bool { return f.Open }) {
		return verdictError{verdict: report.Failed}
	}
	return nil
}

// inputFault returns a function that says what is wrong with the inputs of a step, as the action would say it.
func inputFault(sys System) func(map[string]string) string {
	return func(inputs map[string]string) string {
		sys.Getenv = func(name string) string { return inputs[strings.ToLower(strings.TrimPrefix(name, "INPUT_"))] }
		if _, err := readInputs(sys, github.NewRunner(sys.Getenv, io.Discard)); err != nil {
			return err.Error()
		}
		return ""
	}
}

// readGuard reads from GitHub what a merge into the default branch requires. If that cannot be read, the error says
// why.
func readGuard(ctx context.Context, sys System, o doctorOptions) (*github.Guard, error) {
	if o.Offline {
		return nil, fmt.Errorf("--offline was given")
	}
	return github.FindGuard(ctx, github.GuardQuery{Name: o.Repository, Origin: func() (string, error) { return source.Origin(sys.Dir) },
		Getenv: sys.Getenv, UserAgent: "failproof/" + version.Current(), Sleep: sys.Sleep})
}
