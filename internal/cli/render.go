package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/run"
)

func newRender(sys System) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "render REPORT",
		Short: "Show a stored report again, in any of its formats",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := oneOf("--format", format, append([]string{"table", "github"}, run.Forms()...)...); err != nil {
				return err
			}
			stored, err := run.ReadReport(sys.path(a[0]))
			if err != nil {
				return err
			}
			answers, err := stored.ReadAnswers()
			if err != nil {
				return err
			}
			switch format {
			case "github":
				return action.Annotate(sys.Stdout, sys.Getenv, sys.Dir, stored.Report)
			case "table":
				return terminal.Table(sys.Stdout, view.New(stored.Report, show.Links{}), tableOptions(sys))
			}
			return run.WriteAs(sys.Stdout, format, stored.Report, answers)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "the `format`: table, md, html, junit, sarif, github or gitlab")
	return cmd
}
