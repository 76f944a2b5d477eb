package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/story"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/stored"
	"github.com/failproof/failproof/internal/text"
)

func newRender(sys System) *cobra.Command {
	formats := []string{"table"}
	for _, o := range render.Outputs {
		formats = append(formats, o.Format)
	}
	formats = append(formats, "github")
	var format string
	cmd := &cobra.Command{
		Use:   "render REPORT",
		Short: "Print a stored report in any format",
		Args:  checkArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := oneOf("--format", format, formats...); err != nil {
				return err
			}
			return printFormat(sys, format, sys.path(a[0]))
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "the `format`: "+text.List(formats, "or"))
	return cmd
}

func printFormat(sys System, format, path string) error {
	stored, err := stored.Read(path)
	if err != nil {
		return err
	}
	answers, err := run.StoredAnswers(stored)
	if err != nil {
		return err
	}
	if format == "github" {
		return action.Annotate(sys.Stdout, sys.Getenv, sys.Dir, stored.Report)
	}
	v := story.New(stored.Report, action.LinksOf(format, sys.Dir))
	for _, o := range render.Outputs {
		if o.Format == format {
			return o.Print(sys.Stdout, v, answers)
		}
	}
	return terminal.Write(sys.Stdout, v, tableOptions(sys))
}
