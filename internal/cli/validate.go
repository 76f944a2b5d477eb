package cli

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/config"
	"github.com/failproof/failproof/internal/document"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/suite"
)

func newValidate(sys System) *cobra.Command {
	var configPath string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [SUITE…]",
		Short: "Check the configuration and suites: schema and meaning, no network, no recordings",
		Long: `Checks the configuration and every suite and prints all faults of all files, each as path:line:column. Nothing is asked
and recordings are not read. With --json it prints the suites, their cases and the request keys that recordings carry.`,
		RunE: func(_ *cobra.Command, suites []string) error { return validate(sys, configPath, suites, asJSON) },
	}
	cmd.Flags().StringVar(&configPath, "config", "", "the configuration (default: .github/failproof.yml, else failproof.yml)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print suites, cases, keys and faults as JSON to standard output")
	return cmd
}

func validate(sys System, configPath string, globs []string, asJSON bool) error {
	suites, faults, err := check(sys, configPath, globs)
	if err != nil {
		return err
	}
	if asJSON {
		if err := printCheck(sys, suites, faults); err != nil {
			return err
		}
	} else {
		for _, f := range faults {
			fmt.Fprintln(sys.Stderr, render.Diagnostic(f))
		}
	}
	if document.HasErrors(faults) {
		return verdictError{report.Invalid}
	}
	if !asJSON {
		fmt.Fprintf(sys.Stdout, "%s, %s: valid\n", count(len(suites), "suite"), count(cases(suites), "case"))
	}
	return nil
}

// check loads the working tree's configuration and suites.
func check(sys System, configPath string, globs []string) ([]*suite.Suite, []document.Diagnostic, error) {
	tree, err := openHead(sys.Dir, "")
	if err != nil {
		return nil, nil, err
	}
	own, faults := readConfig(tree, configPath)
	if own == nil {
		if !document.HasErrors(faults) {
			faults = append(faults, notFound(configPath))
		}
		return nil, faults, nil
	}
	effective, _, more := config.Resolve(nil, own, false)
	faults = append(faults, more...)
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

// count is a number with its noun: "1 case", "2 cases".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// checked is what `validate --json` prints.
type checked struct {
	Suites      []checkedSuite        `json:"suites"`
	Diagnostics []document.Diagnostic `json:"diagnostics"`
}

type checkedSuite struct {
	SuiteID string        `json:"suite_id"`
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
		one := checkedSuite{SuiteID: s.ID, Path: s.Path}
		for _, c := range s.Cases {
			one.Cases = append(one.Cases, checkedCase{c.ID, c.Pos.Line, c.RequestKey, c.ExpectationKey})
		}
		out.Suites = append(out.Suites, one)
	}
	encoder := json.NewEncoder(render.JSONWriter(sys.Stdout))
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}
