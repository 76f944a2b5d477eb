package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/render/comment"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/page"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/run"
)

func newRender(sys System) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "render REPORT",
		Short: "Show a stored report again: as a table, as the comment, as a page, as JUnit or as SARIF",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := oneOf("--format", format, "table", "md", "html", "junit", "sarif"); err != nil {
				return err
			}
			stored, err := run.ReadReport(sys.path(a[0]))
			if err != nil {
				return err
			}
			return printAs(sys, format, stored)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "table, md, html, junit or sarif")
	return cmd
}

// printAs prints a report in a checked format.
func printAs(sys System, format string, stored *run.Stored) error {
	answers, err := stored.ReadAnswers()
	if err != nil {
		return err
	}
	var text []byte
	v := view.New(stored.Report, show.Links{})
	switch format {
	case "html":
		return page.Write(sys.Stdout, v, answers)
	case "md":
		text = []byte(comment.Markdown(v))
	case "junit":
		return machine.JUnit(sys.Stdout, v)
	case "sarif":
		text, err = machine.SARIF(v)
	default:
		return terminal.Table(sys.Stdout, v, tableOptions(sys))
	}
	if err == nil {
		_, err = sys.Stdout.Write(text)
	}
	return err
}
