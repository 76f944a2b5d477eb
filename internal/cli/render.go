package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/github"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/machine"
	"github.com/failproof/failproof/internal/render/show"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
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
		Short: "Show a stored report again, in any of its formats",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := oneOf("--format", format, formats...); err != nil {
				return err
			}
			stored, err := run.ReadReport(sys.path(a[0]))
			if err != nil {
				return err
			}
			return printAs(sys, format, stored)
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "the `format`: "+text.List(formats, "or"))
	return cmd
}

// printAs prints a report in a checked format.
func printAs(sys System, format string, stored *run.Stored) error {
	answers, err := stored.ReadAnswers()
	if err != nil {
		return err
	}
	if format == "github" {
		return printAnnotations(sys, stored.Report)
	}
	v := view.New(stored.Report, show.Links{})
	for _, o := range render.Outputs {
		if o.Format == format {
			return o.Print(sys.Stdout, v, answers)
		}
	}
	return terminal.Table(sys.Stdout, v, tableOptions(sys))
}

// printAnnotations prints workflow commands, which GitHub's runner shows at the lines of files.
func printAnnotations(sys System, rep *report.Report) error {
	links := show.Links{Dir: belowWorkspace(sys)}
	var shown []github.Annotation
	for _, a := range machine.Annotations(view.New(rep, links)) {
		shown = append(shown, github.Annotation{Path: links.Path(a.Path), Line: a.Line, Level: a.Level, Title: a.Title, Message: a.Message})
	}
	return github.NewRunner(sys.Getenv, sys.Stdout).Annotate(shown)
}

// belowWorkspace is the working directory as the workflow's workspace sees it; "" where there is none around it.
func belowWorkspace(sys System) string {
	root := sys.Getenv("GITHUB_WORKSPACE")
	below, err := filepath.Rel(root, sys.Dir)
	if root == "" || err != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return strings.TrimSuffix(filepath.ToSlash(below), "/")
}
