package cli

import (
	"github.com/spf13/cobra"

	"github.com/failproof/failproof/internal/fault"
	"github.com/failproof/failproof/internal/output"
	"github.com/failproof/failproof/internal/render"
	"github.com/failproof/failproof/internal/report"
	"github.com/failproof/failproof/internal/run"
	"github.com/failproof/failproof/internal/stored"
)

func newDiff(sys System) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "diff BASE HEAD",
		Short: "Compare two stored reports",
		Long: `Compares two stored report.json files, or their folders with results.jsonl beside them, by the base
report's gate. Writes report.json, ` + render.Files() + ` into --out.`,
		Example: "  failproof diff base/report.json head/report.json",
		Args:    checkArgs(cobra.ExactArgs(2)),
		RunE:    func(_ *cobra.Command, a []string) error { return diff(sys, o, a[0], a[1]) },
	}
	cmd.Flags().StringVar(&o.Out, "out", output.DefaultFolder, "the `folder` for the output files")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print report.json instead of the table")
	cmd.Flags().BoolVar(&o.Quiet, "quiet", false, "print no table")
	return cmd
}

// compareStored reads two reports and compares them.
func compareStored(sys System, basePath, headPath string) (base, head *stored.Run, rep *report.Report, answers report.ResultFinders, err error) {
	if base, err = stored.ReadAll(sys.path(basePath)); err != nil {
		return
	}
	if head, err = stored.ReadAll(sys.path(headPath)); err == nil {
		rep, answers, err = run.Diff(base, head, func(bug *fault.Bug) { reportBug(sys, bug) })
	}
	return
}

func diff(sys System, o runOptions, basePath, headPath string) error {
	base, head, rep, answers, err := compareStored(sys, basePath, headPath)
	if err != nil {
		return err
	}
	out, err := output.Open(sys.Dir, o.Out)
	if err != nil {
		return err
	}
	defer out.Close()
	if !out.Is(base.Folder) && !out.Is(head.Folder) { // answers of another run would not match this report
		if err := out.Remove(output.ResultsFile, output.BaseFile, output.PatchFile); err != nil {
			return err
		}
	}
	return writeAndPrint(sys, o, out, rep, answers)
}
