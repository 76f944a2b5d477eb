package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/version"
)

func newVersion(sys System) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  checkArgs(cobra.ExactArgs(0)),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(sys.Stdout, version.Current())
			return err
		},
	}
}
