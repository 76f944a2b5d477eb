package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/starter"
	"github.com/failproof/failproof/internal/validate"
	"github.com/failproof/failproof/internal/version"
)

func newInit(sys System) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration, a first suite and a workflow",
		Long: `Looks at the current folder and writes what it lacks to gate its prompts: a configuration, a first suite and a workflow. Where there are prompts the suite
asks them, prompt files of GitHub Models are suites already, and a configuration of promptfoo is for failproof import to take over; else it writes an example with
recorded answers. In a folder of a larger repository the workflow
is written at its root. A file that is there is kept.`,
		Args: args(cobra.ExactArgs(0)),
		RunE: func(*cobra.Command, []string) error {
			next, err := starter.Survey(sys.Dir, version.Tag()).Write(sys.Dir, live, func(name string, isNew bool) {
				fmt.Fprintf(sys.Stdout, "%-6s %s\n", map[bool]string{true: "wrote", false: "kept"}[isNew], show.Log(name))
			}, func() (a starter.Answer, ok bool) {
				checked, err := validate.Folder(sys.Dir, "", nil)
				if err == nil {
					a.File, a.SuiteID, a.CaseID, ok = checked.First()
				}
				return a, ok
			})
			if err != nil {
				return fault.Inputf("write the first files: %w", err)
			}
			for _, line := range next {
				fmt.Fprintln(sys.Stdout, show.Log(line))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "ask a model for the answers (a key is needed), in place of recorded ones")
	return cmd
}
