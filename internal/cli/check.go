package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/doctor"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/source"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/version"
	"github.com/failproof/failproof/schemas"
)

func newValidate(sys System) *cobra.Command {
	var configPath, format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [SUITE…]",
		Short: "Check configuration and suites; no network, no recordings",
		Long: `Checks the configuration and every suite and prints all faults of all files, each as path:line:column. Nothing is asked
and recordings are not read. At the root of a repository of several services, which has no configuration itself, each folder
below that has one is checked. With --json it prints the suites, their cases and the request keys that recordings carry.`,
		RunE: func(_ *cobra.Command, suites []string) error {
			if err := oneOf("--format", format, "text", "github"); err != nil {
				return err
			}
			o := runOptions{Suites: suites, Config: configPath}
			return validate(sys.above(&o), configPath, o.Suites, asJSON, format)
		},
	}
	cmd.Flags().StringVar(&configPath, "config", "", "the configuration `file` (default: .github/failproof.yml, else failproof.yml, here or above)")
	cmd.Flags().StringVar(&format, "format", "text", "`text`, or github (annotations of a workflow’s step)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print suites, cases, keys and faults as JSON to standard output")
	return cmd
}

func validate(sys System, configPath string, globs []string, asJSON bool, format string) error {
	if asJSON {
		checked, err := run.Check(sys.Dir, configPath, globs)
		if err != nil {
			return err
		}
		return checkedVerdict(checked.Faults, checked.WriteJSON(sys.Stdout))
	}
	all, err := run.CheckAll(sys.Dir, configPath, globs)
	if err != nil {
		return err
	}
	var faults []document.Diagnostic
	for _, checked := range all {
		faults = append(faults, checked.Faults...)
	}
	if format == "github" {
		err = action.Annotate(sys.Stdout, sys.Getenv, sys.Dir, &report.Report{Diagnostics: faults})
	} else {
		printFaults(sys, faults)
	}
	for _, checked := range all {
		if !document.HasErrors(checked.Faults) && err == nil {
			printValid(sys, checked)
		}
	}
	return checkedVerdict(faults, err)
}

func checkedVerdict(faults []document.Diagnostic, err error) error {
	if err == nil && document.HasErrors(faults) {
		return verdictError{verdict: report.Invalid}
	}
	return err
}

func printValid(sys System, checked run.Checked) {
	at := ""
	if checked.Folder != "" {
		at = document.Line(checked.Folder) + ": "
	}
	fmt.Fprintf(sys.Stdout, "%s%s: valid\n", at, checked)
	if n, first := checked.Unheld(); n > 0 {
		fmt.Fprintf(sys.Stdout, "note: %s with nothing to hold the answer to, first %s; give them an expectation, a format or a policy\n", text.Count(n, "case"), first)
	}
}

func newSchema(sys System) *cobra.Command {
	return &cobra.Command{
		Use:       "schema suite|config|result|report",
		Short:     "Print the JSON Schema of a file",
		Args:      args(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"suite", "config", "result", "report"},
		RunE: func(_ *cobra.Command, a []string) error {
			of := map[string]func() []byte{"suite": schemas.Suite, "config": schemas.Config, "result": schemas.Result, "report": schemas.Report}
			_, err := sys.Stdout.Write(of[a[0]]())
			return err
		},
	}
}

type doctorOptions struct {
	Config, Repository string
	Offline, JSON      bool
}

func newDoctor(sys System) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what here lets a change past the gate, and what to change",
		Long: `Looks at workflows, CODEOWNERS, configuration and recordings, and, where GitHub can be asked, at the rules of the
default branch. Says what a stranger could do, or what does not work, and what to change. Exit code 1 when something
is open. GITHUB_TOKEN, else GH_TOKEN, is the token that GitHub is asked with; it needs to read only.`,
		Example: "  failproof doctor\n  failproof doctor --offline\n  failproof doctor --repository acme/support --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := noneEmpty(cmd, "config", "repository"); err != nil {
				return err
			}
			return examine(cmd.Context(), sys, o)
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	cmd.Flags().StringVar(&o.Repository, "repository", "", "OWNER/NAME on GitHub (default: GITHUB_REPOSITORY, else the remote origin)")
	cmd.Flags().BoolVar(&o.Offline, "offline", false, "ask nobody: leave out the rules of the default branch")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print the findings as JSON to standard output")
	return cmd
}

func examine(ctx context.Context, sys System, o doctorOptions) error {
	in, err := newInputs(sys, runOptions{Config: o.Config, Scope: run.ScopeAll})
	if err != nil {
		return err
	}
	setup, err := run.ReadSetup(in)
	if err != nil {
		return err
	}
	if root, below, err := source.Within(sys.Dir); err == nil {
		if setup.Files, err = source.Worktree(root); err != nil {
			return fault.Inputf("open the repository: %w", err)
		}
		setup.Folder = below
	}
	if setup.Guard, err = readGuard(ctx, sys, o); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		setup.Unseen = err.Error()
	}
	findings := doctor.Examine(setup)
	print := doctor.Print
	if o.JSON {
		print = doctor.WriteJSON
	}
	if err := print(sys.Stdout, findings); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f doctor.Finding) bool { return f.Open }) {
		return verdictError{verdict: report.Failed}
	}
	return nil
}

// readGuard asks GitHub what the default branch requires. Its error says why that is not known.
func readGuard(ctx context.Context, sys System, o doctorOptions) (*github.Guard, error) {
	if o.Offline {
		return nil, fmt.Errorf("--offline was given")
	}
	return github.FindGuard(ctx, github.GuardQuery{Name: o.Repository, Origin: func() (string, error) { return source.Origin(sys.Dir) },
		Getenv: sys.Getenv, UserAgent: "failproof/" + version.Of(), Sleep: sys.Sleep})
}
