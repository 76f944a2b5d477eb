package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/starter"
	"github.com/failproof/failproof/internal/version"
)

func newInit(sys System) *cobra.Command {
	var live bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a configuration, a first suite and a workflow",
		Long: `Writes what the current folder lacks to test its prompts: a configuration, a first suite for each
prompt, and a workflow. Without prompts it writes an example with recorded answers. Prompt files of
GitHub Models are suites already. With a promptfoo configuration alone it writes nothing, and names
failproof import. In a folder of a larger repository, the workflow is written at the root. No file
is overwritten.`,
		Args: checkArgs(cobra.ExactArgs(0)),
		RunE: func(*cobra.Command, []string) error {
			next, err := starter.Survey(sys.Dir, version.Tag()).Write(sys.Dir, live, func(name string, isNew bool) {
				fmt.Fprintf(sys.Stdout, "%-6s %s\n", map[bool]string{true: "wrote", false: "kept"}[isNew], show.LogLine(name))
			})
			if err != nil {
				return fault.Inputf("write the first files: %w", err)
			}
			for _, line := range next {
				fmt.Fprintln(sys.Stdout, show.LogLine(line))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&live, "live", false, "call a live model instead of using recorded answers (needs a key)")
	return cmd
}
