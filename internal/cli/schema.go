package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/schemas"
)

func newSchema(sys System) *cobra.Command {
	return &cobra.Command{
		Use:       "schema suite|config|result|report",
		Short:     "Print the JSON Schema of a file",
		Args:      checkArgs(cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"suite", "config", "result", "report"},
		RunE: func(_ *cobra.Command, a []string) error {
			byName := map[string]func() []byte{"suite": schemas.Suite, "config": schemas.Config, "result": schemas.Result, "report": schemas.Report}
			_, err := sys.Stdout.Write(byName[a[0]]())
			return err
		},
	}
}
