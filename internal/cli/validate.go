package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/text"
	"github.com/failproof/failproof/internal/validate"
)

func newValidate(sys System) *cobra.Command {
	var o runOptions
	var format string
	cmd := &cobra.Command{
		Use:   "validate [SUITE…]",
		Short: "Check configuration and suites, without network and recordings",
		Long: `Checks the configuration and every suite, and prints all errors of all files, each as
path:line:column. No model is called and recordings are not read. In a folder without a
configuration, each folder below that has one is checked. With --json it prints the suites, their
cases and the request keys that recordings carry.`,
		RunE: func(_ *cobra.Command, suites []string) error {
			if err := oneOf("--format", format, "text", "github"); err != nil {
				return err
			}
			o.Suites = suites
			return validateFiles(sys.inConfigFolder(&o), o, format)
		},
	}
	addConfig(cmd.Flags(), &o.Config)
	cmd.Flags().StringVar(&format, "format", "text", "`text`, or github (annotations in a workflow)")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print suites, cases, keys and errors as JSON")
	return cmd
}

func validateFiles(sys System, o runOptions, format string) error {
	all, err := validate.Folders(sys.Dir, o.Config, o.Suites)
	if err != nil {
		return err
	}
	var faults []document.Diagnostic
	for _, checked := range all {
		faults = append(faults, checked.Faults...)
	}
	if o.JSON {
		return checkedVerdict(faults, validate.WriteJSON(sys.Stdout, all))
	}
	if format == "github" {
		err = action.Annotate(sys.Stdout, sys.Getenv, sys.Dir, &report.Report{Diagnostics: faults})
	} else {
		printFaultsWithLines(sys, faults)
	}
	for _, checked := range all {
		if document.HasErrors(checked.Faults) || err != nil {
			continue
		}
		at := ""
		if checked.Folder != "" {
			at = document.Line(checked.Folder) + ": "
		}
		fmt.Fprintf(sys.Stdout, "%s%s: valid\n", at, checked)
		if n, first := checked.UncheckedCases(); n > 0 {
			fmt.Fprintf(sys.Stdout, "note: %s without checks, so any answer passes, first %s; add an "+
				"expectation, a format or a policy\n", text.Count(n, "case"), first)
		}
		for _, line := range checked.Advice() {
			fmt.Fprintf(sys.Stdout, "note: %s\n", line)
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
