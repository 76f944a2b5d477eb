package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/suite"
	"github.com/failproof/failproof/internal/suiteid"
	"github.com/failproof/failproof/internal/text"
)

func newValidate(sys System) *cobra.Command {
	var configPath, format string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [SUITE…]",
		Short: "Check configuration and suites; no network, no recordings",
		Long: `Checks the configuration and every suite and prints all faults of all files, each as path:line:column. Nothing is asked
and recordings are not read. With --json it prints the suites, their cases and the request keys that recordings carry.`,
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
	suites, faults, err := check(sys, configPath, globs)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		err = printCheck(sys, suites, faults)
	case format == "github":
		err = printAnnotations(sys, &report.Report{Diagnostics: faults})
	default:
		printFaults(sys, faults)
	}
	if err != nil {
		return err
	}
	if document.HasErrors(faults) {
		return verdictError{verdict: report.Invalid}
	}
	if !asJSON {
		written, each := suite.AsWritten(suites), ""
		if len(written) < len(suites) {
			each = fmt.Sprintf(" (%d with each of their targets)", cases(suites))
		}
		fmt.Fprintf(sys.Stdout, "%s, %s%s: valid\n", text.Count(len(written), "suite"), text.Count(cases(written), "case"), each)
		if n, first := unheld(written); n > 0 {
			fmt.Fprintf(sys.Stdout, "note: %s with nothing to hold the answer to, first %s; give them an expectation, a format or a policy\n", text.Count(n, "case"), first)
		}
	}
	return nil
}

// unheld counts the cases that whatever is answered passes, and tells where the first one is.
func unheld(suites []*suite.Suite) (n int, first string) {
	for _, s := range suites {
		for i := range s.Cases {
			if c := &s.Cases[i]; c.Unheld() {
				if n++; n == 1 {
					first = fmt.Sprintf("%s/%s (%s:%d)", suiteid.Written(s.ID), c.ID, document.Line(c.Path), c.Pos.Line)
				}
			}
		}
	}
	return n, first
}

// check loads the working tree's configuration and suites.
func check(sys System, configPath string, globs []string) ([]*suite.Suite, []document.Diagnostic, error) {
	tree, err := run.OpenHead(sys.Dir, "")
	if err != nil {
		return nil, nil, err
	}
	own, faults := run.RequireConfig(tree, configPath)
	if own == nil {
		return nil, faults, nil
	}
	effective := config.Own(own, config.AskNew)
	if len(globs) == 0 {
		globs = effective.Suites
	}
	suites, more := suite.Load(tree, effective, globs)
	faults = append(faults, more...)
	document.Sort(faults)
	return suites, faults, nil
}

func cases(suites []*suite.Suite) (n int) {
	for _, s := range suites {
		n += len(s.Cases)
	}
	return n
}

// checked is what `validate --json` prints.
type checked struct {
	Suites      []checkedSuite        `json:"suites"`
	Diagnostics []document.Diagnostic `json:"diagnostics"`
}

type checkedSuite struct {
	SuiteID string        `json:"suite_id"`
	Target  string        `json:"target"`
	Path    string        `json:"path"`
	Cases   []checkedCase `json:"cases"`
}

type checkedCase struct {
	CaseID         string `json:"case_id"`
	Line           int    `json:"line"`
	RequestKey     string `json:"request_key"`
	ExpectationKey string `json:"expectation_key"`
}

func printCheck(sys System, suites []*suite.Suite, faults []document.Diagnostic) error {
	out := checked{Suites: []checkedSuite{}, Diagnostics: append([]document.Diagnostic{}, faults...)}
	for _, s := range suites {
		one := checkedSuite{SuiteID: s.ID, Target: s.Target, Path: s.Path}
		for _, c := range s.Cases {
			keys := c.Keys()
			one.Cases = append(one.Cases, checkedCase{c.ID, c.Pos.Line, keys.RequestKey.String(), keys.ExpectationKey.String()})
		}
		out.Suites = append(out.Suites, one)
	}
	encoder := json.NewEncoder(show.JSONWriter(sys.Stdout))
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
