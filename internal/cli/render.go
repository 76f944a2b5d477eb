package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/render"
)

func newRender(sys System) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "render REPORT",
		Short: "Show a stored report again, as a table or as the comment",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := oneOf("--format", format, "table", "md"); err != nil {
				return err
			}
			stored, err := readReport(sys.path(a[0]))
			if err != nil {
				return err
			}
			if format == "md" {
				_, err := fmt.Fprint(sys.Stdout, render.Comment(stored.report, render.Links{}))
				return err
			}
			return render.Table(sys.Stdout, stored.report, tableOptions(sys))
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table or md")
	return cmd
}
