package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/action"
	"github.com/failproof/failproof/internal/evaluate"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/render/terminal"
	"github.com/failproof/failproof/internal/render/view"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/text"
)

func newDiff(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "diff BASE HEAD",
		Short: "Compare two stored reports as a run would",
		Long: `Compares two stored report.json (or their folders, with results.jsonl beside them). The gate is the base report's.
Writes report.json, ` + render.Files() + ` into --out.`,
		Example: "  failproof diff base/report.json head/report.json",
		Args:    args(cobra.ExactArgs(2)),
		RunE:    func(_ *cobra.Command, a []string) error { return diff(sys, o, a[0], a[1]) },
	}
	cmd.Flags().StringVar(&o.Out, "out", output.DefaultFolder, "the `folder` that the files are written into")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print report.json to standard output in place of the table")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no table")
	return cmd
}

func diff(sys System, o runOptions, basePath, headPath string) error {
	base, err := run.ReadFull(sys.path(basePath))
	if err != nil {
		return err
	}
	head, err := run.ReadFull(sys.path(headPath))
	if err != nil {
		return err
	}
	rep, answers, err := run.Diff(base, head, func(bug *evaluate.Bug) { reportBug(sys, bug) })
	if err != nil {
		return err
	}
	out, err := output.Open(sys.Dir, o.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	if !out.Is(base.Folder) && !out.Is(head.Folder) { // the answers of some other run would be taken for this report's
		if err := out.Remove(output.ResultsFile, output.BaseFile, output.PatchFile); err != nil {
			return err
		}
	}
	return finish(sys, o, out, rep, answers)
}

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
			return printAs(sys, format, sys.path(a[0]))
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "the `format`: "+text.List(formats, "or"))
	return cmd
}

func printAs(sys System, format, path string) error {
	stored, err := run.ReadReport(path)
	if err != nil {
		return err
	}
	answers, err := stored.ReadAnswers()
	if err != nil {
		return err
	}
	if format == "github" {
		return action.Annotate(sys.Stdout, sys.Getenv, sys.Dir, stored.Report)
	}
	v := view.New(stored.Report, action.LinksOf(format, sys.Dir))
	for _, o := range render.Outputs {
		if o.Format == format {
			return o.Print(sys.Stdout, v, answers)
		}
	}
	return terminal.Table(sys.Stdout, v, tableOptions(sys))
}
